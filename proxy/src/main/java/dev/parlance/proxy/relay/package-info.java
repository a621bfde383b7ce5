/** Connections: listeners, strict HTTP/1.1, origin connections, limits and timeouts. */
@NullMarked
package dev.parlance.proxy.relay;

import org.jspecify.annotations.NullMarked;
