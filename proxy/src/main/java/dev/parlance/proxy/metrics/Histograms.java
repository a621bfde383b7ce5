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
}
