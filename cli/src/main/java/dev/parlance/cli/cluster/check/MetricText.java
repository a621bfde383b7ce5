package dev.parlance.cli.cluster.check;

import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** Numbers out of Prometheus text. */
record MetricText(String text) {
  /** Sum of the series of a metric; empty if there is none. */
  OptionalDouble sum(String metric) {
    return sum(metric, "");
  }

  /**
   * Sum of the series of a metric whose labels contain a text such as {@code state="stale"}; empty
   * if there is none.
   */
  OptionalDouble sum(String metric, String label) {
    double[] values =
        text.lines()
            .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
            .filter(line -> line.contains(label))
            .flatMapToDouble(MetricText::value)
            .toArray();
    return values.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(DoubleStream.of(values).sum());
  }

  private static DoubleStream value(String line) {
    try {
      return DoubleStream.of(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    } catch (NumberFormatException e) {
      return DoubleStream.empty();
    }
  }
}
