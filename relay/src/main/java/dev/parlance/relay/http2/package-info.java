/** Frames, header blocks and limits of HTTP/2 that server and client connections share. */
@NullMarked
package dev.parlance.relay.http2;

import org.jspecify.annotations.NullMarked;
