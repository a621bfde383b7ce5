/** Event loops, transports, timers and batched flushes. */
@NullMarked
package dev.parlance.relay.net;

import org.jspecify.annotations.NullMarked;
