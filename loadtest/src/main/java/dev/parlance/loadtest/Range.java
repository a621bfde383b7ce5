package dev.parlance.loadtest;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** Median and extremes of one figure over the rounds. */
record Range(double median, double min, double max) {
  /** Empty if there is no value; an even number of values takes the mean of the middle two. */
  static Optional<Range> of(List<Double> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return Optional.of(new Range(median, sorted[0], sorted[sorted.length - 1]));
  }

  Range map(DoubleUnaryOperator f) {
    return new Range(f.applyAsDouble(median), f.applyAsDouble(min), f.applyAsDouble(max));
  }
}
