package dev.parlance.policy.signal;

/**
 * How far a draft's profile lies from the ideal one (ASP paper, section 4.2), as the square root of
 * the Jensen-Shannon divergence with base-2 logarithms: a metric in [0,1], 0 for the ideal profile.
 *
 * <p>The order of operations is fixed and logarithms are those of {@link StrictMath}, so that every
 * machine computes the same bits.
 */
public final class Drift {
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
