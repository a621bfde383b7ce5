package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.route.GuardOutcome.GuardReasons;
import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import dev.parlance.policy.text.Coded;
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
 * {@code budget} and/or {@code ttl_expired} appended to the reasons. So it is where claims are
 * judged and there is nothing in the evidence for a draft that was asked for again before ({@code
 * no_support}): another attempt has nothing to start from (section 4.3).
 *
 * <p>Where the route has a certified core, its guard has a say besides: what it finds is held
 * (Yield), a fault or a warning as the route's policy sorts it (see {@link GuardReasons}). The
 * worst route wins: a hold is Yield, with all faults after it; the guard's faults stand before
 * those of 2 to 5 and go their way; what only warns is named only where nothing is worse.
 *
 * <p>As an {@link Estimator} keeps scratch, each thread has its own judge.
 */
public final class Judge {
  /** Most assumptions in a header; each has at most 68 characters there. */
  static final int MAX_ASSUMPTIONS = 32;

  private final Estimator overlap;
  private final Estimator claims;

  /**
   * A judge.
   *
   * @param overlap measures for profiles that count words
   * @param claims measures for those that judge claims
   */
  public Judge(Estimator overlap, Estimator claims) {
    this.overlap = overlap;
    this.claims = claims;
  }

  /** A judge that measures with {@code estimator} whatever the profile says. */
  public Judge(Estimator estimator) {
    this(estimator, estimator);
  }

  private Estimator estimator(Profile profile) {
    return profile.claims().isOn() ? claims : overlap;
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
    return judge(message, profile, errors, grounding, ttlExpired, Optional.empty());
  }

  /**
   * Judges one draft, with what the core guard found in it.
   *
   * @param core findings and policy; empty where the route has no core
   */
  public Verdict judge(
      AgentMessage message,
      Profile profile,
      int errors,
      Grounding grounding,
      boolean ttlExpired,
      Optional<CoreCheck> core) {
    if (message.evidence().isPresent()) {
      return score(message, profile, errors, ttlExpired, core);
    }
    Decision decision =
        withoutEvidence(message, profile, errors, grounding, ttlExpired, GuardReasons.of(core));
    return new Verdict(
        Optional.empty(), Optional.empty(), Optional.empty(), Regime.NONE, decision, errors, core);
  }

  /**
   * The verdict on a draft that another judge, who is believed, has let pass: nothing is measured,
   * and the flow's budget and the core guard have their say as ever.
   *
   * @param warnings what the receiver is to be told; empty if it passed without
   */
  public static Verdict believed(
      List<Reason> warnings,
      Profile profile,
      int errors,
      boolean ttlExpired,
      Optional<CoreCheck> core) {
    Decision decision =
        decide(
            GuardReasons.of(core),
            List.of(),
            warnings,
            profile,
            stops(profile, errors, ttlExpired));
    return new Verdict(
        Optional.empty(), Optional.empty(), Optional.empty(), Regime.NONE, decision, errors, core);
  }

  /**
   * Judges one draft against whatever evidence it has, as convention {@code asp-text-1} does even
   * where there is none (then every token is novel or an echo). For offline scoring; at a gate use
   * {@link #judge}.
   */
  public Verdict score(AgentMessage message, Profile profile, int errors) {
    return score(message, profile, errors, false, Optional.empty());
  }

  private Verdict score(
      AgentMessage message,
      Profile profile,
      int errors,
      boolean ttlExpired,
      Optional<CoreCheck> core) {
    Measurement measurement = estimator(profile).measure(message).scoredBy(profile.weights());
    Signals signals =
        Signals.of(measurement.features(), message.evidence().confidence(), profile.weights());
    List<Reason> faults = faults(measurement, signals, profile);
    Regime regime =
        faults.isEmpty()
            ? Regime.NONE
            : measurement
                .claims()
                .map(found -> Regime.ofFailing(found, measurement.counts()))
                .orElseGet(() ->
                    Regime.ofFailing(
                        measurement.counts(),
                        measurement.features().contextOverlap(),
                        profile.regimes()));
    List<Reason> stops = stops(profile, errors, ttlExpired);
    if (regime == Regime.UNGROUNDED && errors > 0 && profile.claims().isOn()) {
      stops.add(Reason.NO_SUPPORT);
    }
    Decision decision =
        decide(
            GuardReasons.of(core), faults, warnings(measurement, signals, profile), profile, stops);
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
        errors,
        core);
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
    return decide(
        GuardReasons.NONE, clauses(g, s, d, profile.thresholds()), d, profile, errors, false);
  }

  /** Eq. 6 for signals, of which invalid ones have a reason of their own. */
  public static Decision route(Signals signals, int errors, Profile profile) {
    return decide(
        GuardReasons.NONE,
        equation6(signals, profile.thresholds()),
        signals.driftSqrtJsd(),
        profile,
        errors,
        false);
  }

  private static List<Reason> faults(Measurement measurement, Signals signals, Profile profile) {
    List<Reason> broken =
        signals.valid() ? profile.rules().broken(measurement.counts()) : List.of();
    if (broken.contains(Reason.EMPTY_ANSWER)) {
      return broken;
    }
    List<Reason> faults = new ArrayList<>(broken);
    Optional<ClaimFindings> found = measurement.claims();
    if (found.isPresent()) {
      faults.addAll(ClaimReasons.faults(found.get(), profile.claims()));
    }
    if (found.filter(ClaimFindings::isWithoutClaim).isEmpty() || !signals.valid()) {
      faults.addAll(equation6(signals, profile.thresholds()));
    }
    return faults;
  }

  private static List<Reason> warnings(Measurement measurement, Signals signals, Profile profile) {
    List<Reason> warnings = new ArrayList<>(2);
    if (!(signals.driftSqrtJsd() <= profile.thresholds().driftWarnSqrtJsd())) {
      warnings.add(Reason.D_WARN);
    }
    measurement
        .claims()
        .ifPresent(found -> warnings.addAll(ClaimReasons.warnings(found, profile.claims())));
    return warnings;
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
      GuardReasons guard,
      List<Reason> faults,
      double d,
      Profile profile,
      int errors,
      boolean ttlExpired) {
    boolean drifts = !(d <= profile.thresholds().driftWarnSqrtJsd());
    return decide(
        guard,
        faults,
        drifts ? List.of(Reason.D_WARN) : List.of(),
        profile,
        stops(profile, errors, ttlExpired));
  }

  private Decision withoutEvidence(
      AgentMessage message,
      Profile profile,
      int errors,
      Grounding grounding,
      boolean ttlExpired,
      GuardReasons guard) {
    List<Reason> stops = stops(profile, errors, ttlExpired);
    if (isYieldedUnread(profile, stops)) {
      return decide(guard, List.of(), List.of(), profile, stops);
    }
    if (!estimator(profile).hasToken(message)) {
      return decide(guard, List.of(Reason.EMPTY_ANSWER), List.of(), profile, stops);
    }
    List<Reason> noEvidence = List.of(Reason.NO_EVIDENCE);
    return switch (grounding) {
      case REQUIRED -> decide(guard, noEvidence, List.of(), profile, stops);
      case OPTIONAL -> decide(guard, List.of(), noEvidence, profile, stops);
      case NONE -> decide(guard, List.of(), List.of(), profile, stops);
    };
  }

  /** The worst of all that was found. */
  private static Decision decide(
      GuardReasons guard,
      List<Reason> faults,
      List<Reason> warnings,
      Profile profile,
      List<Reason> stops) {
    if (isYieldedUnread(profile, stops)) {
      return new Decision.Yield(joined(joined(guard.holds(), guard.faults()), stops));
    }
    List<Reason> allFaults = joined(guard.faults(), faults);
    if (!guard.holds().isEmpty()) {
      return new Decision.Yield(joined(guard.holds(), allFaults));
    }
    if (!allFaults.isEmpty()) {
      return stops.isEmpty()
          ? new Decision.Regenerate(allFaults)
          : new Decision.Yield(joined(allFaults, stops));
    }
    List<Reason> allWarnings = joined(guard.warnings(), warnings);
    return allWarnings.isEmpty()
        ? new Decision.Execute(List.of(Reason.OK))
        : new Decision.Warn(allWarnings);
  }

  private static boolean isYieldedUnread(Profile profile, List<Reason> stops) {
    return profile.yieldUnreadWhenSpent() && !stops.isEmpty();
  }

  private static List<Reason> joined(List<Reason> first, List<Reason> second) {
    if (first.isEmpty()) {
      return second;
    }
    List<Reason> joined = new ArrayList<>(first);
    joined.addAll(second);
    return joined;
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

  /** Whether a route requires evidence, or lets messages pass that come without. */
  public enum Grounding implements Coded {
    /** No evidence: the author is asked again. */
    REQUIRED,
    /** No evidence: delivered, and the receiver is told that nothing was checked. */
    OPTIONAL,
    /**
     * No evidence: delivered. A question claims nothing, and what a tool returns is evidence
     * itself.
     */
    NONE
  }
}
