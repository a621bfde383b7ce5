/** Listeners and client connections over HTTP/1.1 and HTTP/2. */
@NullMarked
package dev.parlance.relay.server;

import org.jspecify.annotations.NullMarked;
