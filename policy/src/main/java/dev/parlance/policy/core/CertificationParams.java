package dev.parlance.policy.core;

/**
 * What certifying a term asks for (Algorithm 1).
 *
 * @param tau largest tolerable contradiction rate, in (0,1)
 * @param delta probability at most which a term worse than tau is certified, in (0,0.5]
 * @param rhoMin least coverage, in [0,1]
 * @param bound how the evidence is weighed
 */
public record CertificationParams(double tau, double delta, double rhoMin, Bound bound) {
  /** The paper's constants (section 5.1) with our default bound. */
  public static final CertificationParams DEFAULT =
      new CertificationParams(0.05, 0.05, 0.10, Bound.EXACT);

  /** Refuses values outside their ranges, NaN included. */
  public CertificationParams {
    if (!(tau > 0.0 && tau < 1.0)) {
      throw new IllegalArgumentException("tau must lie in (0,1), got " + tau);
    }
    if (!(delta > 0.0 && delta <= 0.5)) {
      throw new IllegalArgumentException("delta must lie in (0,0.5], got " + delta);
    }
    if (!(rhoMin >= 0.0 && rhoMin <= 1.0)) {
      throw new IllegalArgumentException("rhoMin must lie in [0,1], got " + rhoMin);
    }
  }

  /** The same with another delta. */
  public CertificationParams withDelta(double other) {
    return new CertificationParams(tau, other, rhoMin, bound);
  }
}
