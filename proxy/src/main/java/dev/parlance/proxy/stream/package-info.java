/** The state machine and the memory of streamed answers; nothing here reads, judges or writes. */
@NullMarked
package dev.parlance.proxy.stream;

import org.jspecify.annotations.NullMarked;
