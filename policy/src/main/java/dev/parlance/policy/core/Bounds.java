package dev.parlance.policy.core;

/**
 * Upper confidence bounds on a contradiction rate, from c contradictions in k eligible comparisons.
 * Both are 1 without data and never leave [0,1]. Arguments outside 0 <= c <= k or 0 < delta <= 0.5
 * are refused with an {@link IllegalArgumentException}, NaN included.
 */
public final class Bounds {
  /** Newton's method squares its error, so one step this small, relative to p(1-p), is the last. */
  private static final double LAST_STEP = 1e-9;

  private static final int MAX_STEPS = 200;

  private Bounds() {}

  /** z with P(Z > z) = delta for a standard normal Z, to a relative 1e-15. */
  public static double zOf(double delta) {
    checkDelta(delta);
    return NormalQuantile.upper(delta);
  }

  /**
   * The one-sided Wilson score bound (Eq. 1). An approximation: the rate exceeds it more often than
   * delta says for small rates, see {@link Bound#WILSON}.
   */
  public static double wilsonUpper(int c, int k, double delta) {
    checkCounts(c, k);
    double z = zOf(delta);
    if (k == 0) {
      return 1.0;
    }
    double rate = (double) c / k;
    double square = z * z;
    double spread = StrictMath.sqrt(rate * (1.0 - rate) / k + square / (4.0 * ((double) k * k)));
    double upper = (rate + square / (2.0 * k) + z * spread) / (1.0 + square / k);
    return StrictMath.min(1.0, StrictMath.max(0.0, upper));
  }

  /**
   * The one-sided Clopper-Pearson bound: the rate p at which c or fewer contradictions have
   * probability delta. The true rate exceeds it with probability at most delta, whatever it is and
   * whatever k is.
   */
  public static double exactUpper(int c, int k, double delta) {
    checkCounts(c, k);
    checkDelta(delta);
    if (c == k) {
      return 1.0;
    }
    double target = StrictMath.log(delta);
    if (c == 0) {
      return -StrictMath.expm1(target / k);
    }
    // ln P(X <= c; p) falls and is concave in p. So Newton's method never steps to the left of the
    // root after its first step, and closes in from the right. The start has c <= k p, and so has
    // everything to the right of it, which is what the sum over the tail asks for.
    double p = (c + 1.0) / (k + 1.0);
    for (int step = 0; step < MAX_STEPS; step++) {
      double tail = Binomial.downwards(c, k, p);
      double excess = Binomial.logEquals(c, k, p) + StrictMath.log(tail) - target;
      double slope = (k - c) / ((1.0 - p) * tail);
      double next = p + excess / slope;
      if (next >= 1.0) {
        next = 0.5 * (p + 1.0);
      }
      if (StrictMath.abs(next - p) <= Math.max(LAST_STEP * p * (1.0 - p), 2.0 * Math.ulp(p))) {
        return next;
      }
      p = next;
    }
    return p;
  }

  static void checkCounts(int c, int k) {
    if (c < 0 || k < c) {
      throw new IllegalArgumentException("expected 0 <= c <= k, got c=" + c + ", k=" + k);
    }
  }

  static void checkDelta(double delta) {
    if (!(delta > 0.0 && delta <= 0.5)) {
      throw new IllegalArgumentException("delta must lie in (0,0.5], got " + delta);
    }
  }
}
