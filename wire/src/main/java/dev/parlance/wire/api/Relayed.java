package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;

/**
 * Which texts are no news: those that were judged when they passed here, and may be repeated (the
 * history of a task, the question in front of its answer) without being judged as the words of
 * whoever repeats them. A label such as {@code role: user} proves nothing; this does.
 */
@FunctionalInterface
public interface Relayed {
  /** Nothing has passed yet. */
  Relayed NOTHING = text -> false;

  /** True if exactly this text has been judged and passed on between the same two parties. */
  boolean knows(Utf8Span text);
}
