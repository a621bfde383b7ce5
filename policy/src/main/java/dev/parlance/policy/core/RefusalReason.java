package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;

/** Why a term is not certified. The codes are stable. */
public enum RefusalReason implements Coded {
  /** No event on which both agents were decided. */
  NO_DATA,
  /** The upper bound on the contradiction rate lies above tau. */
  BOUND_ABOVE_TAU,
  /** Too few of the events on which one agent was decided had both decided. */
  COVERAGE_BELOW_FLOOR,
  /** Too many questions got no readable answer, so what was counted may be a choice. */
  INCOMPLETE,
  /**
   * Was certified, and its comparisons since say that its rate has risen; see {@link TermWatch}.
   * The bound over everything since the last reset may still lie below tau.
   */
  DRIFT_DETECTED;
}
