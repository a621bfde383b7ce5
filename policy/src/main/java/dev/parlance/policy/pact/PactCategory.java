package dev.parlance.policy.pact;

import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;

/** What a predicate of a pact is about (paper, "Predicate Categories"). */
public enum PactCategory implements Coded {
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

  private static final PactCategory[] ALL = values();

  /**
   * Those that a message can violate: what becomes of it is decided by the first of these that it
   * violates.
   */
  public static final List<PactCategory> VIOLABLE =
      List.of(SCOPE, ACTION, TERMINATION, OUTPUT, SUCCESS);

  /** The category with this code; empty if there is none. */
  public static Optional<PactCategory> ofCode(String code) {
    return Coded.find(ALL, code);
  }
}
