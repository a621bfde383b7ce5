package dev.parlance.policy.commit;

import dev.parlance.policy.text.Coded;

/**
 * The level of agreement that a route asks for before a message has consequences; each includes
 * those before it.
 */
public enum Finality implements Coded {
  /** Nothing. */
  NONE,
  /** A verdict commit or a semantic commit. */
  VERDICT,
  /** A semantic commit. */
  SEMANTIC;

  /** What an outcome of this kind ({@link Outcome#kind}) reaches. */
  public static Finality of(String outcomeKind) {
    return switch (outcomeKind) {
      case "semantic_commit" -> SEMANTIC;
      case "verdict_commit" -> VERDICT;
      default -> NONE;
    };
  }

  /** True if an outcome of this kind is enough. */
  public boolean isMetBy(String outcomeKind) {
    return of(outcomeKind).compareTo(this) >= 0;
  }
}
