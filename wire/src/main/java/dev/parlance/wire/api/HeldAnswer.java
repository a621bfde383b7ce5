package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;

/**
 * An answer that a person has released, for a client that asks for it by its task.
 *
 * @param protocol name of the protocol in which it was given
 * @param body its bytes
 * @param text what was judged of it
 * @param notice review id and verdict
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record HeldAnswer(String protocol, byte[] body, Utf8Span text, Notice notice) {}
