package dev.parlance.policy.signal;

import java.util.OptionalDouble;

/**
 * The signals of one draft (ASP paper, sections 3.2 and 4), raw values in [0,1].
 *
 * @param certainty @C (Eq. 3), reported only, never routed on
 * @param grounding @G (Eq. 1)
 * @param stochasticity @S (Eq. 2)
 * @param driftSqrtJsd d (Eq. 5): 0 is the ideal profile
 * @param valid false for {@link #INVALID} only
 */
public record Signals(
    double certainty, double grounding, double stochasticity, double driftSqrtJsd, boolean valid) {

  /** What a feature that is no finite number gives: the worst of everything. */
  public static final Signals INVALID = new Signals(0.0, 0.0, 1.0, 1.0, false);

  /** Refuses values outside [0,1], and invalid signals that are not the worst. */
  public Signals {
    SignalWeights.unit("certainty", certainty);
    SignalWeights.unit("grounding", grounding);
    SignalWeights.unit("stochasticity", stochasticity);
    SignalWeights.unit("driftSqrtJsd", driftSqrtJsd);
    if (!valid
        && (certainty != 0.0 || grounding != 0.0 || stochasticity != 1.0 || driftSqrtJsd != 1.0)) {
      throw new IllegalArgumentException("invalid signals must be 0, 0, 1, 1");
    }
  }

  /**
   * Eqs. 1-5.
   *
   * @param features any doubles; one that is not finite gives {@link #INVALID}
   * @param confidence the agent's own confidence, if it gave one; ignored unless finite
   * @param weights the constants
   */
  public static Signals of(Features features, OptionalDouble confidence, SignalWeights weights) {
    if (!features.isFinite()) {
      return INVALID;
    }
    Features f = features.clamped();
    // Eq. 1: @G = clamp(0.60 o_c + 0.40 s_cite)
    double grounding =
        clamp(
            weights.groundingOverlapWeight() * f.contextOverlap()
                + weights.groundingCitationWeight() * f.citationScore());
    // Eq. 2: @S = clamp(0.70 n + 0.30 (1 - s_cite))
    double stochasticity =
        clamp(
            weights.stochasticityNovelWeight() * f.novelRatio()
                + weights.stochasticityCitationWeight() * (1.0 - f.citationScore()));
    // Eq. 3: @C = clamp(c_conf) where there is one, else @G (1 - @S)
    double certainty =
        confidence.isPresent() && Double.isFinite(confidence.getAsDouble())
            ? clamp(confidence.getAsDouble())
            : grounding * (1.0 - stochasticity);
    return new Signals(certainty, grounding, stochasticity, Drift.sqrtJsd(f, weights), true);
  }

  /** {@code x} in [0,1]; minus zero becomes zero, NaN stays NaN. */
  static double clamp(double x) {
    return Math.min(1.0, Math.max(0.0, x));
  }
}
