package dev.parlance.policy.core;

/**
 * Algorithm 1 for one term of one pair of agents: whether what was counted lets it into the core.
 *
 * <p>Guaranteed: a term whose true contradiction rate is above tau is certified with probability at
 * most delta ({@link Bound#EXACT} for one look at the data, {@link Bound#ANYTIME} for any number of
 * looks, {@link Bound#WILSON} approximately). Not guaranteed: that a certified term is good with
 * probability 1 - delta; that would need to know how many bad ones are tested.
 */
public final class Certifier {
  /** A larger share of questions without an answer that counts leaves a term undecided. */
  public static final double MAX_UNANSWERED_SHARE = 0.1;

  private Certifier() {}

  /** The decision where every question was answered. */
  public static TermDecision decide(Tally tally, CertificationParams params) {
    return decide(tally, 0, 0, params);
  }

  /**
   * The decision. The first reason that applies of no_data, incomplete, bound_above_tau,
   * coverage_below_floor refuses the term.
   *
   * @param unanswered drawn events that one of the two gave no answer on that counts
   * @param drawn events that were drawn for the term
   */
  public static TermDecision decide(
      Tally tally, int unanswered, int drawn, CertificationParams params) {
    boolean isIncomplete = isIncomplete(unanswered, drawn);
    double upper = upper(tally.contradictions(), tally.eligible(), params);
    if (tally.eligible() == 0) {
      return new TermDecision.Refused(tally, upper, RefusalReason.NO_DATA);
    }
    if (isIncomplete) {
      return new TermDecision.Refused(tally, upper, RefusalReason.INCOMPLETE);
    }
    if (!isBelowTau(tally, upper, params)) {
      return new TermDecision.Refused(tally, upper, RefusalReason.BOUND_ABOVE_TAU);
    }
    if (tally.coverage() < params.rhoMin()) {
      return new TermDecision.Refused(tally, upper, RefusalReason.COVERAGE_BELOW_FLOOR);
    }
    return new TermDecision.Certified(tally, upper);
  }

  /** Too many questions without an answer that counts. */
  static boolean isIncomplete(int unanswered, int drawn) {
    if (unanswered < 0 || drawn < unanswered) {
      throw new IllegalArgumentException(
          "expected 0 <= unanswered <= drawn, got " + unanswered + ", " + drawn);
    }
    return unanswered > MAX_UNANSWERED_SHARE * drawn;
  }

  static double upper(int c, int k, CertificationParams params) {
    return switch (params.bound()) {
      case WILSON -> Bounds.wilsonUpper(c, k, params.delta());
      case EXACT -> Bounds.exactUpper(c, k, params.delta());
      case ANYTIME -> EValues.upper(c, k, params.delta());
    };
  }

  /** Whether the counts alone certify; the coverage is another matter. */
  static boolean isBelowTau(int c, int k, CertificationParams params) {
    return switch (params.bound()) {
      case WILSON, EXACT -> upper(c, k, params) <= params.tau();
      case ANYTIME -> EValues.logCertify(c, k, params.tau()) >= EValues.needed(params.delta());
    };
  }

  /** The same where the bound is at hand; the e-value decides by itself, not by its rounding. */
  private static boolean isBelowTau(Tally tally, double upper, CertificationParams params) {
    return switch (params.bound()) {
      case WILSON, EXACT -> upper <= params.tau();
      case ANYTIME -> isBelowTau(tally.contradictions(), tally.eligible(), params);
    };
  }
}
