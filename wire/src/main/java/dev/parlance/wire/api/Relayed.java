package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;

/**
 * The set of texts that were judged and passed on before. They may be repeated (the history of a
 * task, the question in front of its answer) without being judged as the words of whoever repeats
 * them. A label such as {@code role: user} proves nothing; this does.
 */
@FunctionalInterface
public interface Relayed {
  /** Nothing has passed yet. */
  Relayed NOTHING = text -> false;

  /** True if exactly this text has been judged and passed on between the same two parties. */
  boolean knows(Utf8Span text);
}
