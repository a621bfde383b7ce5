package dev.parlance.proxy.metrics;

import io.micrometer.core.instrument.Tag;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** All series of one histogram, as the registry asks for them at each scrape. */
final class Histograms implements Collector {
  /** Some of OpenTelemetry's bounds for HTTP durations, in seconds, and more: agents think long. */
  private static final double[] NEGOTIATION_SECONDS = {0.005, 0.01, 0.02, 0.05, 0.2, 0.5, 2, 5};

  private static final double[] DURATION_SECONDS = {0.025, 0.1, 0.25, 1, 2.5, 10, 30, 120};

  /** 50 microseconds to 50 milliseconds. */
  private static final double[] OVERHEAD_SECONDS = {
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.05
  };

  /** Eight bounds, the paper's thresholds .12 and .22 among them. */
  private static final double[] DRIFT = {0.04, 0.08, 0.12, 0.16, 0.22, 0.3, 0.5, 1};

  private final MetricMetadata metadata;
  private final List<String> labels;
  private final double[] bounds;
  private final Map<Labels, Distribution> series = new ConcurrentHashMap<>();

  Histograms(Meter meter) {
    this.metadata = new MetricMetadata(meter.metricName(), meter.help());
    this.labels = meter.labels();
    this.bounds = bounds(meter);
    // Of negotiations nothing is shown before the first: most sidecars have no pacts.
    if (labels.isEmpty() && meter != Meter.PACT_NEGOTIATION) {
      Distribution _ = with(List.of()); // shown before its first value
    }
  }

  /** Upper bounds of the buckets: eight each, for every one is a series in every sidecar. */
  static double[] bounds(Meter meter) {
    return switch (meter) {
      case PACT_NEGOTIATION -> NEGOTIATION_SECONDS.clone();
      case REQUEST_DURATION, STREAM_FIRST_BYTE -> DURATION_SECONDS.clone();
      case PROXY_OVERHEAD -> OVERHEAD_SECONDS.clone();
      case DRIFT -> DRIFT.clone();
      // None but the one that has all: sum and count, for a mean.
      case PAIR_DRIFT -> new double[0];
      // Eight equal parts, each of two values of a digit of the ASP header.
      case SIGNAL_CERTAINTY, SIGNAL_GROUNDING, SIGNAL_STOCHASTICITY ->
          IntStream.rangeClosed(1, 8).mapToDouble(i -> i / 8.0).toArray();
      default -> throw new IllegalArgumentException(meter + " is no histogram");
    };
  }

  /** The series with these values of the labels, in their order, which is made if there is none. */
  Distribution with(List<Tag> tags) {
    Labels of = Labels.of(labels, tags.stream().map(Tag::getValue).toList());
    return series.computeIfAbsent(of, _ -> new Distribution(bounds));
  }

  int buckets() {
    return bounds.length;
  }

  @Override
  public MetricSnapshot collect() {
    List<HistogramDataPointSnapshot> points = new ArrayList<>();
    series.forEach((of, one) -> points.add(one.snapshot(of)));
    return new HistogramSnapshot(metadata, points);
  }

  @Override
  public MetricFamilyDescriptor getMetricFamilyDescriptor() {
    return MetricFamilyDescriptor.of(MetricType.HISTOGRAM, metadata, labels);
  }

  /**
   * One series of a histogram: two additions for each value. The client's own data point makes five
   * and keeps what only exemplars and native histograms need. Methods may be called from any
   * thread.
   */
  static final class Distribution {
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
}
