package dev.parlance.proxy.metrics;

import java.util.Arrays;

/** Upper bounds of histogram buckets. */
final class Buckets {
  /**
   * OpenTelemetry's bounds for HTTP durations, in seconds, and three more because agents think
   * long.
   */
  private static final double[] DURATION_SECONDS = {
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120
  };

  /** 10 microseconds to 50 milliseconds. */
  private static final double[] OVERHEAD_SECONDS = {
    0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05
  };

  /** Sixteen equal parts, as many as a digit of the ASP header has values. */
  private static final double[] RATIO = new double[16];

  /** Sixteen bounds, closest around the paper's thresholds .12 and .22, which are among them. */
  private static final double[] DRIFT = {
    0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.18, 0.22, 0.26, 0.3, 0.4, 0.5, 0.6, 0.8, 1
  };

  /** None but the one that has all: sum and count, for a mean. */
  private static final double[] MEAN_ONLY = {};

  static {
    Arrays.setAll(RATIO, i -> (i + 1) / 16.0);
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
