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
    unit("certainty", certainty);
    unit("grounding", grounding);
    unit("stochasticity", stochasticity);
    unit("driftSqrtJsd", driftSqrtJsd);
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

  private static void unit(String name, double value) {
    if (!(value >= 0.0 && value <= 1.0)) {
      throw new IllegalArgumentException(name + " must lie in [0,1], got " + value);
    }
  }

  /**
   * How far a draft's profile lies from the ideal one (ASP paper, section 4.2), as the square root
   * of the Jensen-Shannon divergence with base-2 logarithms: a metric in [0,1], 0 for the ideal
   * profile.
   *
   * <p>The order of operations is fixed and logarithms are those of {@link StrictMath}, so that
   * every machine computes the same bits.
   */
  public static final class Drift {
    private static final double LN_2 = StrictMath.log(2.0);

    private Drift() {}

    /** Eq. 5: sqrt(JSD(v, v*)) of the profile vector of {@code features}, which must be finite. */
    public static double sqrtJsd(Features features, SignalWeights weights) {
      double[] ideal = {
        weights.idealContextOverlap(),
        weights.idealCitation(),
        weights.idealNovel(),
        weights.idealQuestionOverlap()
      };
      return StrictMath.sqrt(jsdBase2(profileVector(features.clamped(), weights), ideal));
    }

    /** Eq. 4: each component floored, then divided by the sum. */
    static double[] profileVector(Features features, SignalWeights weights) {
      double floor = weights.driftFloor();
      double questionOverlap =
          Math.min(
              weights.driftQuestionOverlapMax(),
              Math.max(weights.driftQuestionOverlapMin(), features.questionOverlap()));
      double v1 = Math.max(floor, features.contextOverlap());
      double v2 = Math.max(floor, features.citationScore());
      double v3 = Math.max(floor, features.novelRatio());
      double v4 = Math.max(floor, questionOverlap);
      double sum = ((v1 + v2) + v3) + v4;
      return new double[] {v1 / sum, v2 / sum, v3 / sum, v4 / sum};
    }

    /** Jensen-Shannon divergence of two distributions in bits, in [0,1]. */
    static double jsdBase2(double[] p, double[] q) {
      double klPm = 0.0;
      double klQm = 0.0;
      for (int i = 0; i < p.length; i++) {
        double m = (p[i] + q[i]) / 2.0;
        klPm += term(p[i], m);
        klQm += term(q[i], m);
      }
      return Signals.clamp(0.5 * (klPm + klQm));
    }

    /** One summand of the Kullback-Leibler divergence; a component of zero adds nothing. */
    private static double term(double x, double m) {
      return x == 0.0 ? 0.0 : x * (StrictMath.log(x / m) / LN_2);
    }
  }
}
