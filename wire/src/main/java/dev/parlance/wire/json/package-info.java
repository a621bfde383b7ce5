/** JSON scanning and splicing: one strict pass over the bytes, positions instead of copies. */
@NullMarked
package dev.parlance.wire.json;

import org.jspecify.annotations.NullMarked;
