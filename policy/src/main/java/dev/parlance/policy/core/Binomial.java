package dev.parlance.policy.core;

/**
 * The binomial distribution in logarithms, accurate to a few units in the last place from one trial
 * up to billions.
 *
 * <p>Probabilities of single counts use the saddle-point form (C. Loader, "Fast and Accurate
 * Computation of Binomial Probabilities", 2000), which never subtracts large logarithms of
 * factorials. A tail is the probability at its edge times a sum of ratios of neighbours, taken in
 * the direction in which they fall, so that every term is positive and the sum ends early; the
 * other tail is its complement. Everything comes from {@link StrictMath}: whoever recomputes a
 * decision on another machine gets the same double.
 */
final class Binomial {
  private static final double HALF_LN_TWO_PI = 0.5 * StrictMath.log(2.0 * StrictMath.PI);

  /** Largest count whose factorial is a double without rounding, near enough for the table. */
  private static final int EXACT_FACTORIALS = 18;

  private static final double[] STIRLING_ERRORS = stirlingErrors();

  private Binomial() {}

  /** ln P(X = count), X ~ Bin(trials, p); p in (0,1), 0 <= count <= trials. */
  static double logEquals(long count, long trials, double p) {
    if (count == 0) {
      return trials * StrictMath.log1p(-p);
    }
    if (count == trials) {
      return trials * StrictMath.log(p);
    }
    double rest = (double) (trials - count);
    return stirlingError(trials)
        - stirlingError(count)
        - stirlingError(trials - count)
        - deviance((double) count, trials * p)
        - deviance(rest, trials * (1.0 - p))
        - HALF_LN_TWO_PI
        + 0.5 * StrictMath.log(trials / (count * rest));
  }

  /** ln P(X <= count). */
  static double logAtMost(long count, long trials, double p) {
    if (count >= trials) {
      return 0.0;
    }
    return count <= trials * p
        ? logEquals(count, trials, p) + StrictMath.log(downwards(count, trials, p))
        : logComplement(
            logEquals(count + 1, trials, p) + StrictMath.log(upwards(count + 1, trials, p)));
  }

  /** ln P(X >= count). */
  static double logAtLeast(long count, long trials, double p) {
    if (count <= 0) {
      return 0.0;
    }
    return count > trials * p
        ? logEquals(count, trials, p) + StrictMath.log(upwards(count, trials, p))
        : logComplement(
            logEquals(count - 1, trials, p) + StrictMath.log(downwards(count - 1, trials, p)));
  }

  /** P(X <= count) / P(X = count), for count <= trials * p. */
  static double downwards(long count, long trials, double p) {
    double odds = (1.0 - p) / p;
    double term = 1.0;
    double sum = 1.0;
    for (long j = count; j > 0; j--) {
      term *= odds * j / (trials - j + 1.0);
      double next = sum + term;
      if (next == sum) {
        break;
      }
      sum = next;
    }
    return sum;
  }

  /** P(X >= count) / P(X = count), for count > trials * p. */
  static double upwards(long count, long trials, double p) {
    double odds = p / (1.0 - p);
    double term = 1.0;
    double sum = 1.0;
    for (long j = count; j < trials; j++) {
      term *= odds * (trials - j) / (j + 1.0);
      double next = sum + term;
      if (next == sum) {
        break;
      }
      sum = next;
    }
    return sum;
  }

  /** ln(1 - e^x) for x <= 0. */
  private static double logComplement(double x) {
    return StrictMath.log1p(-StrictMath.exp(StrictMath.min(x, 0.0)));
  }

  /** x ln(x/m) + m - x, without cancellation where x is near m; x and m above 0. */
  private static double deviance(double x, double m) {
    double v = (x - m) / (x + m);
    if (StrictMath.abs(v) >= 0.1) {
      return x * StrictMath.log(x / m) + m - x;
    }
    // ln(x/m) = 2 artanh(v), and 2xv + m - x = (x - m) v.
    double square = v * v;
    double power = 2.0 * x * v;
    double sum = (x - m) * v;
    for (int j = 3; ; j += 2) {
      power *= square;
      double next = sum + power / j;
      if (next == sum) {
        return sum;
      }
      sum = next;
    }
  }

  /** ln n! less Stirling's approximation of it. */
  private static double stirlingError(long n) {
    if (n < EXACT_FACTORIALS) {
      return STIRLING_ERRORS[(int) n];
    }
    double x = n;
    double s = 1.0 / (x * x);
    return (1.0 / 12.0
            - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - (1.0 / 1188.0) * s) * s) * s) * s)
        / x;
  }

  private static double[] stirlingErrors() {
    double[] errors = new double[EXACT_FACTORIALS];
    double factorial = 1.0;
    for (int n = 1; n < EXACT_FACTORIALS; n++) {
      factorial *= n;
      errors[n] = StrictMath.log(factorial) - (n + 0.5) * StrictMath.log(n) + n - HALF_LN_TWO_PI;
    }
    return errors;
  }
}
