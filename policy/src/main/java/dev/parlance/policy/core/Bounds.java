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

  /**
   * The quantile of the standard normal distribution by the rational approximations of M. J.
   * Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied
   * Statistics 37 (1988), routine PPND16: relative error about 1e-16. The numbers are the paper's,
   * rounded to doubles.
   */
  static final class NormalQuantile {
    private static final double CENTRAL = 0.425;
    private static final double FAR_TAIL = 5.0;

    private static final double[] CENTRAL_ABOVE = {
      3.3871328727963665, 133.14166789178438, 1971.5909503065513,
      13731.69376550946, 45921.95393154987, 67265.7709270087,
      33430.57558358813, 2509.0809287301227
    };
    private static final double[] CENTRAL_BELOW = {
      1.0, 42.31333070160091, 687.1870074920579,
      5394.196021424751, 21213.794301586597, 39307.89580009271,
      28729.085735721943, 5226.495278852854
    };
    private static final double[] TAIL_ABOVE = {
      1.4234371107496835, 4.630337846156546, 5.769497221460691,
      3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
      0.022723844989269184, 0.0007745450142783414
    };
    private static final double[] TAIL_BELOW = {
      1.0, 2.053191626637759, 1.6763848301838038,
      0.6897673349851, 0.14810397642748008, 0.015198666563616457,
      0.0005475938084995345, 1.0507500716444169e-9
    };
    private static final double[] FAR_ABOVE = {
      6.657904643501103, 5.463784911164114, 1.7848265399172913,
      0.29656057182850487, 0.026532189526576124, 0.0012426609473880784,
      2.7115555687434876e-5, 2.0103343992922881e-7
    };
    private static final double[] FAR_BELOW = {
      1.0, 0.599832206555888, 0.1369298809227358,
      0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
      1.421511758316446e-7, 2.0442631033899397e-15
    };

    private NormalQuantile() {}

    /** z with P(Z > z) = tail; tail in (0,0.5], so z >= 0. */
    static double upper(double tail) {
      double q = 0.5 - tail;
      if (q <= CENTRAL) {
        double r = CENTRAL * CENTRAL - q * q;
        return q * polynomial(CENTRAL_ABOVE, r) / polynomial(CENTRAL_BELOW, r);
      }
      double r = StrictMath.sqrt(-StrictMath.log(tail));
      return r <= FAR_TAIL
          ? polynomial(TAIL_ABOVE, r - 1.6) / polynomial(TAIL_BELOW, r - 1.6)
          : polynomial(FAR_ABOVE, r - FAR_TAIL) / polynomial(FAR_BELOW, r - FAR_TAIL);
    }

    private static double polynomial(double[] coefficients, double x) {
      double sum = 0.0;
      for (int i = coefficients.length - 1; i >= 0; i--) {
        sum = sum * x + coefficients[i];
      }
      return sum;
    }
  }
}
