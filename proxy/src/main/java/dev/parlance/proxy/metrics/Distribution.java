package dev.parlance.proxy.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * One series of a histogram: two additions for each value. The client's own data point makes five
 * and keeps what only exemplars and native histograms need. Methods may be called from any thread.
 */
final class Distribution {
  private final double[] bounds;
  private final LongAdder[] counts;
  private final DoubleAdder sum = new DoubleAdder();

  /**
   * Without values yet.
   *
   * @param bounds upper bounds, ascending, each part of its own bucket; what is above the last is
   *     counted too
   */
  Distribution(double[] bounds) {
    this.bounds = bounds.clone();
    this.counts = new LongAdder[bounds.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Counts a value; what is no number is none. */
  void observe(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sum.add(value);
  }

  /** What was counted until now; the number of values is that of all buckets. */
  HistogramDataPointSnapshot snapshot(Labels labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < counts.length; i++) {
      buckets.bucket(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY, counts[i].sum());
    }
    return HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(buckets.build())
        .sum(sum.sum())
        .labels(labels)
        .build();
  }
}
