/** Codecs: bytes to {@code AgentMessage}, verdicts and refusals back to bytes; no sockets. */
@NullMarked
package dev.parlance.proxy.wire;

import org.jspecify.annotations.NullMarked;
