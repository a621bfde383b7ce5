/** Protobuf scanning and writing without generated classes. */
@NullMarked
package dev.parlance.wire.proto;

import org.jspecify.annotations.NullMarked;
