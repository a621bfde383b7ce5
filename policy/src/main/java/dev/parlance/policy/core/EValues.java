package dev.parlance.policy.core;

/**
 * Evidence that may be looked at as often as one likes. An e-value is the likelihood of what was
 * seen, averaged over the rates of one side of tau, divided by its likelihood at tau. If the truth
 * lies on the other side its expectation is at most 1 at every moment, so that it ever reaches
 * 1/delta has probability at most delta (Ville's inequality); nothing is spent by looking.
 *
 * <p>With the rates weighed uniformly the average is an incomplete beta function, and its quotient
 * with the likelihood at tau is a binomial tail divided by (a multiple of) the probability at the
 * tail's edge. That is a sum of positive terms, so nothing overflows or cancels.
 */
public final class EValues {
  private EValues() {}

  /**
   * ln of the evidence that the rate is below tau, rates uniform in (0,tau): certify once it
   * reaches ln(1/delta).
   *
   * @throws IllegalArgumentException unless 0 <= c <= k and 0 < tau < 1
   */
  public static double logCertify(int c, int k, double tau) {
    check(c, k, tau);
    long trials = k + 1L;
    long edge = c + 1L;
    double quotient =
        edge > trials * tau
            ? StrictMath.log(Binomial.upwards(edge, trials, tau))
            : Binomial.logAtLeast(edge, trials, tau) - Binomial.logEquals(edge, trials, tau);
    return quotient - StrictMath.log(c + 1.0);
  }

  /**
   * ln of the evidence that the rate is above tau, rates uniform in (tau,1).
   *
   * @throws IllegalArgumentException unless 0 <= c <= k and 0 < tau < 1
   */
  public static double logDrift(int c, int k, double tau) {
    check(c, k, tau);
    long trials = k + 1L;
    double quotient =
        c <= trials * tau
            ? StrictMath.log(Binomial.downwards(c, trials, tau))
            : Binomial.logAtMost(c, trials, tau) - Binomial.logEquals(c, trials, tau);
    return quotient - StrictMath.log(k - c + 1.0);
  }

  /**
   * The smallest tau at which c of k certifies at delta, in [0,1]; 1 if none does. For people: what
   * decides is {@link #logCertify} against ln(1/delta).
   *
   * @throws IllegalArgumentException unless 0 <= c <= k and 0 < delta <= 0.5
   */
  public static double upper(int c, int k, double delta) {
    Bounds.checkCounts(c, k);
    Bounds.checkDelta(delta);
    if (c == k) {
      return 1.0;
    }
    // The evidence grows with tau, and at tau = c/k it is no larger than 1.
    double needed = needed(delta);
    double low = (double) c / k;
    double high = 1.0;
    while (true) {
      double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) {
        return high;
      }
      if (logCertify(c, k, middle) >= needed) {
        high = middle;
      } else {
        low = middle;
      }
    }
  }

  /** ln(1/delta). */
  static double needed(double delta) {
    return -StrictMath.log(delta);
  }

  private static void check(int c, int k, double tau) {
    Bounds.checkCounts(c, k);
    if (!(tau > 0.0 && tau < 1.0)) {
      throw new IllegalArgumentException("tau must lie in (0,1), got " + tau);
    }
  }
}
