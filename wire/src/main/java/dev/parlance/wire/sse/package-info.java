/** Framing of server-sent events. */
@NullMarked
package dev.parlance.wire.sse;

import org.jspecify.annotations.NullMarked;
