package dev.parlance.policy.message;

import dev.parlance.policy.text.Utf8Span;

/**
 * A piece of retrieved evidence.
 *
 * @param id the id that an answer cites it by; may be empty (then it cannot be cited)
 * @param text what it says
 */
public record Chunk(String id, Utf8Span text) {}
