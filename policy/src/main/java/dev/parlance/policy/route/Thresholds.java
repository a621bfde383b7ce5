package dev.parlance.policy.route;

/**
 * The thresholds of Eq. 6 of the ASP paper. All lie in [0,1]; a value equal to its threshold
 * passes.
 *
 * @param groundingMin g_min: less grounding is Regenerate
 * @param stochasticityMax sigma_max: more stochasticity is Regenerate
 * @param driftWarnSqrtJsd tau_warn: more drift is Warn
 * @param driftCritSqrtJsd tau_crit: more drift is Regenerate; not below tau_warn
 */
public record Thresholds(
    double groundingMin,
    double stochasticityMax,
    double driftWarnSqrtJsd,
    double driftCritSqrtJsd) {
  /** The paper's thresholds. */
  public static final Thresholds PAPER = new Thresholds(0.33, 0.67, 0.12, 0.22);

  /** Refuses thresholds outside their ranges or in the wrong order. */
  public Thresholds {
    Ranges.unit("groundingMin", groundingMin);
    Ranges.unit("stochasticityMax", stochasticityMax);
    Ranges.unit("driftWarnSqrtJsd", driftWarnSqrtJsd);
    Ranges.unit("driftCritSqrtJsd", driftCritSqrtJsd);
    if (driftWarnSqrtJsd > driftCritSqrtJsd) {
      throw new IllegalArgumentException(
          "driftWarnSqrtJsd must not exceed driftCritSqrtJsd, got "
              + driftWarnSqrtJsd
              + " and "
              + driftCritSqrtJsd);
    }
  }
}
