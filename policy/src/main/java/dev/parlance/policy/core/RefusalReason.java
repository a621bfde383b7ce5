package dev.parlance.policy.core;

import java.util.Arrays;
import java.util.Optional;

/** Why a term is not certified. The codes are stable. */
public enum RefusalReason {
  /** No event on which both agents were decided. */
  NO_DATA("no_data"),
  /** The upper bound on the contradiction rate lies above tau. */
  BOUND_ABOVE_TAU("bound_above_tau"),
  /** Too few of the events on which one agent was decided had both decided. */
  COVERAGE_BELOW_FLOOR("coverage_below_floor"),
  /** Too many questions got no readable answer, so what was counted may be a choice. */
  INCOMPLETE("incomplete"),
  /**
   * Was certified, and its comparisons since say that its rate has risen; see {@link TermWatch}.
   * The bound over everything since the last reset may still lie below tau.
   */
  DRIFT_DETECTED("drift_detected");

  private final String code;

  RefusalReason(String code) {
    this.code = code;
  }

  /** The stable name on the wire, in logs and on the ledger. */
  public String code() {
    return code;
  }

  /** The reason with this code. */
  public static Optional<RefusalReason> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
  }
}
