package dev.parlance.policy.core;

import java.util.function.IntPredicate;

/**
 * How many eligible comparisons certifying takes, for planning. All answers are at most {@link
 * #MAX}, which stands for "not within that many".
 */
public final class SampleSize {
  /** The largest answer: that many comparisons, or more, or never. */
  public static final int MAX = 10_000_000;

  /** Up to so many contradictions every possible sample size is looked at. */
  private static final int ONE_BY_ONE = 1_000;

  private SampleSize() {}

  /**
   * How many further comparisons, all without contradiction, certify a term that stands at this
   * tally; 0 if it is certified already. They raise the coverage, too.
   */
  public static int furtherNeeded(Tally tally, CertificationParams params) {
    int room = Math.min(MAX, Integer.MAX_VALUE - tally.audited());
    if (suffices(tally, 0, params)) {
      return 0;
    }
    int tooFew = 0;
    int enough = 1;
    while (enough < room && !suffices(tally, enough, params)) {
      tooFew = enough;
      enough = Math.min(room, 2 * enough);
    }
    if (!suffices(tally, enough, params)) {
      return MAX;
    }
    return first(tooFew, enough, further -> suffices(tally, further, params));
  }

  /** The first count that is enough, between one that is not and one that is. */
  private static int first(int tooFew, int enough, IntPredicate isEnough) {
    int low = tooFew;
    int high = enough;
    while (high - low > 1) {
      int middle = low + (high - low) / 2;
      if (isEnough.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  /** How many comparisons without a single contradiction certify a term. */
  public static int cleanNeeded(CertificationParams params) {
    return furtherNeeded(Tally.NONE, params);
  }

  /**
   * The smallest number of comparisons from which on a term of this true contradiction rate is
   * certified with at least this probability, by one look at the end. {@link #MAX} if the rate is
   * too near to tau, or above it. Coverage is taken to suffice.
   *
   * <p>The probability jumps up where one more contradiction becomes tolerable and falls slowly in
   * between, so only its low points right before the jumps are looked at: all up to 1,000
   * contradictions; beyond, where they hardly differ from their neighbours, by bisection.
   *
   * @param trueRate the contradiction rate, in [0,1]
   * @param power the probability asked for, in (0,1)
   */
  public static int forPower(double trueRate, double power, CertificationParams params) {
    if (!(trueRate >= 0.0 && trueRate <= 1.0)) {
      throw new IllegalArgumentException("trueRate must lie in [0,1], got " + trueRate);
    }
    if (!(power > 0.0 && power < 1.0)) {
      throw new IllegalArgumentException("power must lie in (0,1), got " + power);
    }
    int from = sizeFor(0, params);
    for (int c = 0; c < ONE_BY_ONE; c++) {
      int jump = sizeFor(c + 1, params);
      if (from >= MAX || jump >= MAX) {
        return MAX;
      }
      if (isPowerful(c, jump - 1, trueRate, power)) {
        return from;
      }
      from = jump;
    }
    int enough =
        first(
            ONE_BY_ONE - 1,
            MAX,
            c -> {
              int jump = sizeFor(c + 1, params);
              return jump >= MAX || isPowerful(c, jump - 1, trueRate, power);
            });
    return sizeFor(enough + 1, params) >= MAX ? MAX : sizeFor(enough, params);
  }

  /** The smallest k at which c contradictions certify. */
  private static int sizeFor(int c, CertificationParams params) {
    return Math.min(MAX, c + furtherNeeded(new Tally(c, c, c), params));
  }

  private static boolean isPowerful(int c, int k, double trueRate, double power) {
    if (trueRate == 0.0) {
      return true;
    }
    return trueRate < 1.0 && Binomial.logAtMost(c, k, trueRate) >= StrictMath.log(power);
  }

  private static boolean suffices(Tally tally, int further, CertificationParams params) {
    Tally then = tally.plus(new Tally(further, further, 0));
    return then.eligible() > 0
        && then.coverage() >= params.rhoMin()
        && Certifier.isBelowTau(then.contradictions(), then.eligible(), params);
  }
}
