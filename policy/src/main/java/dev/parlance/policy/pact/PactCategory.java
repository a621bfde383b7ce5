package dev.parlance.policy.pact;

import java.util.Locale;
import java.util.Optional;

/** What a predicate of a pact is about (paper, "Predicate Categories"). */
public enum PactCategory {
  /** Which data. */
  SCOPE,
  /** Which tools, systems and side effects. */
  ACTION,
  /** What comes back, in which form, when. */
  OUTPUT,
  /** What counts as done well. */
  SUCCESS,
  /** What happens if it cannot be done. */
  FAILURE,
  /** How disagreement is settled. */
  DISPUTE,
  /** What is kept for review. */
  AUDIT,
  /** How it ends before its time. */
  TERMINATION;

  private final String code = name().toLowerCase(Locale.ROOT);

  /** Stable code. */
  public String code() {
    return code;
  }

  /** The category with this code; empty if there is none. */
  public static Optional<PactCategory> ofCode(String code) {
    for (PactCategory one : values()) {
      if (one.code.equals(code)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
