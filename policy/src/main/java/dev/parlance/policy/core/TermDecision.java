package dev.parlance.policy.core;

/** Whether a term enters the core, with the numbers that say why. */
public sealed interface TermDecision {
  /** What was counted. */
  Tally tally();

  /**
   * Upper bound u on the contradiction rate, in [0,1]; 1 without data. For {@link Bound#ANYTIME}
   * the smallest tau at which the e-value certifies.
   */
  double upper();

  /** True for {@link Certified}. */
  default boolean isCertified() {
    return this instanceof Certified;
  }

  /** u <= tau and s >= rhoMin. */
  record Certified(Tally tally, double upper) implements TermDecision {
    /** Refuses a bound outside [0,1]. */
    public Certified {
      TermDecision.checked(upper);
    }
  }

  /**
   * Not certified.
   *
   * @param reason the first that applies of no_data, incomplete, bound_above_tau (of a certified
   *     term under watch: drift_detected), coverage_below_floor
   */
  record Refused(Tally tally, double upper, RefusalReason reason) implements TermDecision {
    /** Refuses a bound outside [0,1]. */
    public Refused {
      TermDecision.checked(upper);
    }
  }

  private static void checked(double upper) {
    if (!(upper >= 0.0 && upper <= 1.0)) {
      throw new IllegalArgumentException("upper must lie in [0,1], got " + upper);
    }
  }
}
