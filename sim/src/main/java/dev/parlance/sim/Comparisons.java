package dev.parlance.sim;

import dev.parlance.policy.core.Tally;
import java.util.OptionalDouble;

/** Eligible comparisons and how many of them were contradictions. */
record Comparisons(long eligible, long contradictions) {
  static final Comparisons NONE = new Comparisons(0, 0);

  Comparisons plus(Comparisons other) {
    return new Comparisons(eligible + other.eligible, contradictions + other.contradictions);
  }

  Comparisons plus(Tally tally) {
    return new Comparisons(eligible + tally.eligible(), contradictions + tally.contradictions());
  }

  /** Share of contradictions, percent; empty if nothing was eligible. */
  OptionalDouble percent() {
    return eligible == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * contradictions / eligible);
  }
}
