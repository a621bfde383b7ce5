package dev.parlance.cli.offline;

import dev.parlance.cli.offline.ScoredSet.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Chooses the threshold of grounding that keeps a rate of false blocks: the largest multiple of
 * {@value #STEP} with which no more of the grounded answers are sent back, in each set or in the
 * mean of the sets. Every set weighs the same, however many answers it has.
 */
final class Calibration {
  private static final int STEPS = 1000;
  static final double STEP = 1.0 / STEPS;

  /** A share that fewer answers would have to show is not told from chance. */
  private static final int MIN_BLOCKED = 5;

  /** Over what the rate is to hold. */
  enum Keep {
    /** Every set. */
    WORST,
    /** The mean of the sets. */
    MEAN
  }

  /**
   * How a threshold that was chosen without a set does on it.
   *
   * @param threshold empty if none keeps the rate in the other sets
   */
  record LeftOut(ScoredSet set, OptionalDouble threshold) {
    /** What becomes of the set's answers. */
    Outcome outcome() {
      return set.at(threshold.orElse(0));
    }
  }

  private Calibration() {}

  /** Grounded answers without which a rate cannot be told, in a set. */
  static int needed(double rate) {
    return (int) Math.max(ScoredSet.MIN_ROWS, Math.ceil(MIN_BLOCKED / rate));
  }

  /** The threshold, or nothing if rules beside it send back more than the rate. */
  static OptionalDouble threshold(List<ScoredSet> sets, double rate, Keep keep) {
    int low = -1;
    int high = STEPS;
    while (low < high) {
      int middle = Math.floorDiv(low + high + 1, 2);
      if (blocked(sets, (double) middle / STEPS, keep) <= rate) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low < 0 ? OptionalDouble.empty() : OptionalDouble.of((double) low / STEPS);
  }

  private static double blocked(List<ScoredSet> sets, double threshold, Keep keep) {
    DoubleStream shares = sets.stream().mapToDouble(set -> set.grounded().shareSentBack(threshold));
    return switch (keep) {
      case WORST -> shares.max().orElseThrow();
      case MEAN -> shares.average().orElseThrow();
    };
  }

  /** Leaves out each set in turn; nothing if there is only one. */
  static List<LeftOut> leaveOut(List<ScoredSet> sets, double rate, Keep keep) {
    List<LeftOut> results = new ArrayList<>();
    for (ScoredSet left : sets) {
      List<ScoredSet> others = sets.stream().filter(set -> set != left).toList();
      if (!others.isEmpty()) {
        results.add(new LeftOut(left, threshold(others, rate, keep)));
      }
    }
    return results;
  }
}
