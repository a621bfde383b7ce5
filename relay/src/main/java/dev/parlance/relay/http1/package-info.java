/** Strict framing of HTTP/1.1 messages. */
@NullMarked
package dev.parlance.relay.http1;

import org.jspecify.annotations.NullMarked;
