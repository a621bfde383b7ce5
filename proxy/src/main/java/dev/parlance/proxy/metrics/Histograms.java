package dev.parlance.proxy.metrics;

import io.micrometer.core.instrument.Tag;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All series of one histogram, as the registry asks for them at each scrape. */
final class Histograms implements Collector {
  private final MetricMetadata metadata;
  private final List<String> labels;
  private final double[] bounds;
  private final Map<Labels, Distribution> series = new ConcurrentHashMap<>();

  Histograms(Meter meter) {
    this.metadata = new MetricMetadata(meter.metricName(), meter.help());
    this.labels = meter.labels();
    this.bounds = Buckets.of(meter);
    if (labels.isEmpty()) {
      Distribution _ = with(List.of()); // shown before its first value
    }
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

  /** Upper bounds of histogram buckets: eight each, for every one is a series in every sidecar. */
  static final class Buckets {
    /**
     * Some of OpenTelemetry's bounds for HTTP durations, in seconds, and more: agents think long.
     */
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
}
