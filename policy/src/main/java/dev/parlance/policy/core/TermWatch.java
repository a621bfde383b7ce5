package dev.parlance.policy.core;

/**
 * A term of one pair of agents under the anytime bound, through audit after audit. Evidence adds up
 * from reset to reset; a certified term stays so until a CUSUM of its comparisons says that it has
 * drifted (E. S. Page, "Continuous inspection schemes", 1954). Repeating Algorithm 1 from nothing
 * at every audit would instead throw a good term out sooner or later.
 *
 * <table>
 * <caption>Transitions; T the tally, S the CUSUM, M its maximum since the last audit's end</caption>
 * <tr><th>state</th><th>Compared</th><th>AuditEnded</th><th>Reset</th></tr>
 * <tr><td>collecting</td><td>T counts it</td>
 *   <td>certified if {@link Certifier#decide} certifies T (S = M = 0), else unchanged</td>
 *   <td>as new</td></tr>
 * <tr><td>certified</td><td>T counts it; S = max(0, S + step), M = max(M, S)</td>
 *   <td>as new if incomplete, M has reached {@link #ALARM} or T's coverage is below the floor; else
 *   certified with M = S</td>
 *   <td>as new</td></tr>
 * </table>
 *
 * <p>The step is the log-likelihood ratio of the drift rate against tau: ln(p1/tau) for a
 * contradiction, ln((1-p1)/(1-tau)) for an agreement, 0 for an event that is not eligible, with p1
 * of {@link #driftRate}. At a rate of tau the CUSUM reaches the alarm once in 2,000 comparisons or
 * more on average (Lorden's bound), at lower rates far more rarely; at .12 against a tau of .05
 * after some 200, at .18 after some 80.
 *
 * @param certified whether the term is in the core
 * @param tally everything counted since the last reset
 * @param cusum S, 0 or more; 0 while collecting
 * @param peak M, at least S
 */
public record TermWatch(boolean certified, Tally tally, double cusum, double peak) {
  /** The CUSUM at which a term has drifted: ln 2000. */
  public static final double ALARM = StrictMath.log(2000.0);

  /** A term that nothing is known of. */
  public static final TermWatch NEW = new TermWatch(false, Tally.NONE, 0.0, 0.0);

  private static final double DRIFT_FACTOR = 2.4;
  private static final double MAX_DRIFT_RATE = 0.5;

  /** What can happen to a term. */
  public sealed interface Event {
    /** Both agents have given a verdict on an event, in the order of the ledger. */
    record Compared(TermVerdict first, TermVerdict second) implements Event {}

    /**
     * An audit that tested the term has ended.
     *
     * @param unanswered drawn events that one of the two gave no answer on that counts
     * @param drawn events that were drawn for the term
     */
    record AuditEnded(int unanswered, int drawn) implements Event {
      /** Refuses counts that cannot belong together. */
      public AuditEnded {
        Certifier.isIncomplete(unanswered, drawn);
      }
    }

    /** What was counted is void: other constants, or the use of the term was renegotiated. */
    record Reset() implements Event {}
  }

  /** Refuses what cannot be a watch's state, NaN included. */
  public TermWatch {
    if (!(cusum >= 0.0 && peak >= cusum && peak < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("expected 0 <= cusum <= peak, got " + cusum + ", " + peak);
    }
    if (!certified && peak > 0.0) {
      throw new IllegalArgumentException("only a certified term has a CUSUM, got " + peak);
    }
  }

  /**
   * The contradiction rate that a drift is tested for: min(0.5, 2.4 tau), and half way between tau
   * and 1 where tau is 0.5 or more.
   */
  public static double driftRate(double tau) {
    return tau < MAX_DRIFT_RATE ? Math.min(MAX_DRIFT_RATE, DRIFT_FACTOR * tau) : 0.5 * (1.0 + tau);
  }

  /** The state after an event. */
  public TermWatch step(Event event, CertificationParams params) {
    return switch (event) {
      case Event.Compared(TermVerdict first, TermVerdict second) -> compared(first, second, params);
      case Event.AuditEnded(int unanswered, int drawn) -> {
        if (!decide(unanswered, drawn, params).isCertified()) {
          yield certified ? NEW : this;
        }
        yield new TermWatch(true, tally, cusum, cusum);
      }
      case Event.Reset() -> NEW;
    };
  }

  /**
   * What an audit that ends now decides: of a certified term whether it stays so, of another
   * whether it becomes so. Changes nothing; {@link Event.AuditEnded} does.
   */
  public TermDecision decide(int unanswered, int drawn, CertificationParams params) {
    if (!certified) {
      return Certifier.decide(tally, unanswered, drawn, params);
    }
    double upper = Certifier.upper(tally.contradictions(), tally.eligible(), params);
    if (Certifier.isIncomplete(unanswered, drawn)) {
      return new TermDecision.Refused(tally, upper, RefusalReason.INCOMPLETE);
    }
    if (peak >= ALARM) {
      return new TermDecision.Refused(tally, upper, RefusalReason.DRIFT_DETECTED);
    }
    if (tally.coverage() < params.rhoMin()) {
      return new TermDecision.Refused(tally, upper, RefusalReason.COVERAGE_BELOW_FLOOR);
    }
    return new TermDecision.Certified(tally, upper);
  }

  private TermWatch compared(TermVerdict first, TermVerdict second, CertificationParams params) {
    Tally counted = tally.plus(first, second);
    if (!certified || !first.isDecided() || !second.isDecided()) {
      return new TermWatch(certified, counted, cusum, peak);
    }
    double tau = params.tau();
    double drifted = driftRate(tau);
    double step =
        first == second
            ? StrictMath.log1p(-drifted) - StrictMath.log1p(-tau)
            : StrictMath.log(drifted / tau);
    double sum = Math.max(0.0, cusum + step);
    return new TermWatch(true, counted, sum, Math.max(peak, sum));
  }
}
