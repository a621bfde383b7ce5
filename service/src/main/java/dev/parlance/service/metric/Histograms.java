package dev.parlance.service.metric;

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

/** All series of one histogram, as the registry asks for them at each scrape. */
public final class Histograms implements Collector {
  private final MetricMetadata metadata;
  private final List<String> labels;
  private final double[] bounds;
  private final Map<Labels, Distribution> series = new ConcurrentHashMap<>();

  /**
   * Without series yet.
   *
   * @param bounds upper bounds of the buckets, ascending
   */
  public Histograms(Metric metric, double[] bounds) {
    this.metadata = new MetricMetadata(metric.metricName(), metric.facts().help());
    this.labels = metric.facts().labels();
    this.bounds = bounds.clone();
  }

  /** The series with these values of the labels, in their order, which is made if there is none. */
  public Distribution with(List<Tag> tags) {
    Labels of = Labels.of(labels, tags.stream().map(Tag::getValue).toList());
    return series.computeIfAbsent(of, _ -> new Distribution(bounds));
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
  public static final class Distribution {
    private final double[] bounds;
    private final LongAdder[] counts;
    private final DoubleAdder sum = new DoubleAdder();

    /**
     * Without values yet.
     *
     * @param bounds upper bounds, ascending, each part of its own bucket; what is above the last is
     *     counted too
     */
    public Distribution(double[] bounds) {
      this.bounds = bounds.clone();
      this.counts = new LongAdder[bounds.length + 1];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new LongAdder();
      }
    }

    /** Counts a value; what is no number is none. */
    public void observe(double value) {
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
    public HistogramDataPointSnapshot snapshot(Labels labels) {
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
