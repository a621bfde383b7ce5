package dev.parlance.loadtest;

import org.HdrHistogram.Histogram;

/** Latencies of one phase in microseconds; all 0 if there was no request. */
record Percentiles(double p50Us, double p90Us, double p99Us, double p999Us, double maxUs) {
  static Percentiles of(Histogram nanos) {
    return new Percentiles(
        nanos.getValueAtPercentile(50) / 1e3,
        nanos.getValueAtPercentile(90) / 1e3,
        nanos.getValueAtPercentile(99) / 1e3,
        nanos.getValueAtPercentile(99.9) / 1e3,
        nanos.getTotalCount() == 0 ? 0 : nanos.getMaxValue() / 1e3);
  }
}
