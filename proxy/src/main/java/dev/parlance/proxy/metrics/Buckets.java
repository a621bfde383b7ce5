package dev.parlance.proxy.metrics;

import java.util.Arrays;

/** Upper bounds of histogram buckets: eight each, for every one is a series in every sidecar. */
final class Buckets {
  /** Some of OpenTelemetry's bounds for HTTP durations, in seconds, and more: agents think long. */
  private static final double[] DURATION_SECONDS = {0.025, 0.1, 0.25, 1, 2.5, 10, 30, 120};

  /** 50 microseconds to 50 milliseconds. */
  private static final double[] OVERHEAD_SECONDS = {
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.05
  };

  /** Eight equal parts, each of two values of a digit of the ASP header. */
  private static final double[] RATIO = new double[8];

  /** Eight bounds, the paper's thresholds .12 and .22 among them. */
  private static final double[] DRIFT = {0.04, 0.08, 0.12, 0.16, 0.22, 0.3, 0.5, 1};

  /** None but the one that has all: sum and count, for a mean. */
  private static final double[] MEAN_ONLY = {};

  static {
    Arrays.setAll(RATIO, i -> (i + 1) / 8.0);
  }

  private Buckets() {}

  static double[] of(Meter meter) {
    return switch (meter) {
      case REQUEST_DURATION, STREAM_FIRST_BYTE -> DURATION_SECONDS.clone();
      case PROXY_OVERHEAD -> OVERHEAD_SECONDS.clone();
      case DRIFT -> DRIFT.clone();
      case PAIR_DRIFT -> MEAN_ONLY.clone();
      case SIGNAL_CERTAINTY, SIGNAL_GROUNDING, SIGNAL_STOCHASTICITY -> RATIO.clone();
      default -> throw new IllegalArgumentException(meter + " is no histogram");
    };
  }
}
