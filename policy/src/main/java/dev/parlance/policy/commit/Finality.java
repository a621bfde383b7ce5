package dev.parlance.policy.commit;

import java.util.Arrays;
import java.util.Optional;

/**
 * The level of agreement that a route asks for before a message has consequences; each includes
 * those before it.
 */
public enum Finality {
  /** Nothing. */
  NONE("none"),
  /** A verdict commit or a semantic commit. */
  VERDICT("verdict"),
  /** A semantic commit. */
  SEMANTIC("semantic");

  private final String code;

  Finality(String code) {
    this.code = code;
  }

  /** The stable name in configurations. */
  public String code() {
    return code;
  }

  /** The one with this code. */
  public static Optional<Finality> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
  }

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
