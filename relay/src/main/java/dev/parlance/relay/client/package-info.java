/** Connections to origins over HTTP/1.1 and HTTP/2, and their pools. */
@NullMarked
package dev.parlance.relay.client;

import org.jspecify.annotations.NullMarked;
