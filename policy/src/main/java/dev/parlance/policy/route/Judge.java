package dev.parlance.policy.route;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Judges messages: measures, computes the signals, and applies these checks in this order.
 *
 * <ol>
 *   <li>The profile yields unread and the flow's budget is spent or its time over: Yield [budget]
 *       and/or [ttl_expired].
 *   <li>No token in the answer, and no evidence: Regenerate [empty_answer].
 *   <li>No evidence: Regenerate [no_evidence] where grounding is required, else Warn [no_evidence].
 *   <li>A feature is not finite: Regenerate [invalid_feature].
 *   <li>A content rule of the profile is broken (empty, short, echo, unknown citation, unsupported
 *       number), or a clause of Eq. 6 fails (g_low, s_high, d_crit): Regenerate with all of those
 *       reasons in this order; an empty answer has that reason only.
 *   <li>Drift at most tau_crit but more than tau_warn: Warn [d_warn].
 *   <li>Drift at most tau_warn: Execute [ok].
 * </ol>
 *
 * <p>Where that says Regenerate and the budget is spent or the time is over, it is Yield, with
 * {@code budget} and/or {@code ttl_expired} appended to the reasons.
 *
 * <p>As an {@link Estimator} keeps scratch, each thread has its own judge.
 */
public final class Judge {
  /** Most assumptions in a header; each has at most 68 characters there. */
  static final int MAX_ASSUMPTIONS = 32;

  private final Estimator estimator;

  /** A judge that measures with {@code estimator}. */
  public Judge(Estimator estimator) {
    this.estimator = estimator;
  }

  /**
   * Judges one draft.
   *
   * @param message the draft
   * @param profile the constants
   * @param errors the flow's regenerations so far (E)
   * @param grounding what the route asks where there is no evidence
   * @param ttlExpired true if the flow's time is over
   */
  public Verdict judge(
      AgentMessage message, Profile profile, int errors, Grounding grounding, boolean ttlExpired) {
    if (message.evidence().isPresent()) {
      return score(message, profile, errors, ttlExpired);
    }
    Decision decision = withoutEvidence(message, profile, errors, grounding, ttlExpired);
    return new Verdict(
        Optional.empty(), Optional.empty(), Optional.empty(), Regime.NONE, decision, errors);
  }

  /**
   * Judges one draft against whatever evidence it has, as convention {@code asp-text-1} does even
   * where there is none (then every token is novel or an echo). For offline scoring; at a gate use
   * {@link #judge}.
   */
  public Verdict score(AgentMessage message, Profile profile, int errors) {
    return score(message, profile, errors, false);
  }

  private Verdict score(AgentMessage message, Profile profile, int errors, boolean ttlExpired) {
    Measurement measurement = estimator.measure(message).scoredBy(profile.weights());
    Signals signals =
        Signals.of(measurement.features(), message.evidence().confidence(), profile.weights());
    List<Reason> faults = faults(measurement, signals, profile);
    Decision decision = decide(faults, signals.driftSqrtJsd(), profile, errors, ttlExpired);
    Regime regime =
        faults.isEmpty()
            ? Regime.NONE
            : Regime.ofFailing(
                measurement.counts(), measurement.features().contextOverlap(), profile.regimes());
    AspHeader header =
        AspHeader.of(
            signals.certainty(),
            signals.grounding(),
            signals.stochasticity(),
            indexed(message.evidence().assumptions()));
    return new Verdict(
        Optional.of(measurement),
        Optional.of(signals),
        Optional.of(header),
        regime,
        decision,
        errors);
  }

  /**
   * Eq. 6 of the ASP paper, on raw values. Any double is allowed: a clause passes only if its
   * comparison holds, so NaN fails it.
   *
   * @param g grounding
   * @param s stochasticity
   * @param d drift
   * @param errors the flow's regenerations so far (E)
   * @param profile thresholds, E_max, and whether a spent budget yields unread as the paper writes
   */
  public static Decision route(double g, double s, double d, int errors, Profile profile) {
    return decide(clauses(g, s, d, profile.thresholds()), d, profile, errors, false);
  }

  /** Eq. 6 for signals, of which invalid ones have a reason of their own. */
  public static Decision route(Signals signals, int errors, Profile profile) {
    return decide(
        equation6(signals, profile.thresholds()), signals.driftSqrtJsd(), profile, errors, false);
  }

  private static List<Reason> faults(Measurement measurement, Signals signals, Profile profile) {
    List<Reason> broken =
        signals.valid() ? profile.rules().broken(measurement.counts()) : List.of();
    if (broken.contains(Reason.EMPTY_ANSWER)) {
      return broken;
    }
    List<Reason> faults = new ArrayList<>(broken);
    faults.addAll(equation6(signals, profile.thresholds()));
    return faults;
  }

  private static List<Reason> equation6(Signals signals, Thresholds thresholds) {
    return signals.valid()
        ? clauses(signals.grounding(), signals.stochasticity(), signals.driftSqrtJsd(), thresholds)
        : List.of(Reason.INVALID_FEATURE);
  }

  /** The clauses of Eq. 6 that fail; written positively, so that NaN fails. */
  private static List<Reason> clauses(double g, double s, double d, Thresholds thresholds) {
    List<Reason> failed = new ArrayList<>(3);
    if (!(g >= thresholds.groundingMin())) {
      failed.add(Reason.G_LOW);
    }
    if (!(s <= thresholds.stochasticityMax())) {
      failed.add(Reason.S_HIGH);
    }
    if (!(d <= thresholds.driftCritSqrtJsd())) {
      failed.add(Reason.D_CRIT);
    }
    return failed;
  }

  private static Decision decide(
      List<Reason> faults, double d, Profile profile, int errors, boolean ttlExpired) {
    List<Reason> stops = stops(profile, errors, ttlExpired);
    if (profile.yieldUnreadWhenSpent() && !stops.isEmpty()) {
      return new Decision.Yield(stops);
    }
    if (faults.isEmpty() && d <= profile.thresholds().driftWarnSqrtJsd()) {
      return new Decision.Execute(List.of(Reason.OK));
    }
    if (faults.isEmpty()) {
      return new Decision.Warn(List.of(Reason.D_WARN));
    }
    return askAgain(faults, stops);
  }

  private Decision withoutEvidence(
      AgentMessage message, Profile profile, int errors, Grounding grounding, boolean ttlExpired) {
    List<Reason> stops = stops(profile, errors, ttlExpired);
    if (profile.yieldUnreadWhenSpent() && !stops.isEmpty()) {
      return new Decision.Yield(stops);
    }
    if (estimator.measure(message).counts().tokens() == 0) {
      return askAgain(List.of(Reason.EMPTY_ANSWER), stops);
    }
    return switch (grounding) {
      case REQUIRED -> askAgain(List.of(Reason.NO_EVIDENCE), stops);
      case OPTIONAL -> new Decision.Warn(List.of(Reason.NO_EVIDENCE));
    };
  }

  /** Regenerate, or Yield if something stands in the way of asking again. */
  private static Decision askAgain(List<Reason> faults, List<Reason> stops) {
    if (stops.isEmpty()) {
      return new Decision.Regenerate(faults);
    }
    List<Reason> reasons = new ArrayList<>(faults);
    reasons.addAll(stops);
    return new Decision.Yield(reasons);
  }

  /** What stands in the way of asking again. */
  private static List<Reason> stops(Profile profile, int errors, boolean ttlExpired) {
    List<Reason> stops = new ArrayList<>(2);
    if (profile.isSpent(errors)) {
      stops.add(Reason.BUDGET);
    }
    if (ttlExpired) {
      stops.add(Reason.TTL_EXPIRED);
    }
    return stops;
  }

  /**
   * What fits a header. The weakest claims stay, so that none hides behind a flood of known ones.
   */
  private static List<Assumption> indexed(List<Assumption> assumptions) {
    return assumptions.size() <= MAX_ASSUMPTIONS
        ? assumptions
        : assumptions.stream()
            .sorted(Comparator.comparing(Assumption::basis).reversed())
            .limit(MAX_ASSUMPTIONS)
            .toList();
  }
}
