package dev.parlance.service.metric;

import dev.parlance.service.metric.Family.Room;
import dev.parlance.service.metric.Family.SeriesBudget;
import dev.parlance.service.metric.Histograms.Distribution;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** All metrics of a process, within one budget of series. Methods are for any thread. */
public final class MetricFamilies {
  /** Content type of {@link #scrape}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final int HISTOGRAM_EXTRA_SERIES = 3; // +Inf, _sum, _count

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final SeriesBudget budget;
  private final Consumer<Metric> onDropped;

  /** Micrometer holds what a counter reads weakly: without this it stands still after a while. */
  private final List<DoubleSupplier> sources = new ArrayList<>();

  /**
   * Without metrics yet.
   *
   * @param series most of them
   * @param onDropped hears of values that were counted under no label of their own
   */
  public MetricFamilies(int series, Consumer<Metric> onDropped) {
    this.budget = new SeriesBudget(series);
    this.onDropped = onDropped;
  }

  /** Where room for further gauges is. */
  public SeriesBudget budget() {
    return budget;
  }

  /** Series that find room while there is any. */
  public Family<Counter> counters(Metric metric, LabelValues... labels) {
    return counters(metric, Room.SHARED, Integer.MAX_VALUE, labels);
  }

  /** Few series, for each of which there is room whatever else is counted. */
  public Family<Counter> sure(Metric metric, LabelValues... labels) {
    return counters(metric, Room.RESERVED, Integer.MAX_VALUE, labels);
  }

  /**
   * Counters.
   *
   * @param most series of its own
   */
  public Family<Counter> counters(Metric metric, Room room, int most, LabelValues... labels) {
    return new Family<>(
        metric,
        tags ->
            Counter.builder(metric.metricName())
                .description(metric.facts().help())
                .tags(tags)
                .register(registry),
        budget,
        onDropped,
        room,
        1,
        most,
        labels);
  }

  /**
   * Histograms, straight to the Prometheus client: Micrometer's summaries round values up to whole
   * numbers before they look for a bucket, so that every ratio would land in the last one.
   *
   * @param bounds upper bounds of the buckets, ascending
   */
  public Family<Distribution> histograms(
      Metric metric, double[] bounds, Room room, int most, LabelValues... labels) {
    Histograms histograms = new Histograms(metric, bounds);
    registry.getPrometheusRegistry().register(histograms);
    return new Family<>(
        metric,
        histograms::with,
        budget,
        onDropped,
        room,
        bounds.length + HISTOGRAM_EXTRA_SERIES,
        most,
        labels);
  }

  /** A gauge whose room is reserved or taken. */
  public void gauge(Metric metric, DoubleSupplier value, Tag... tags) {
    Gauge.builder(metric.metricName(), value::getAsDouble)
        .description(metric.facts().help())
        .tags(List.of(tags))
        .strongReference(true)
        .register(registry);
  }

  /** A counter that is kept elsewhere; its room is reserved. */
  public void counter(Metric metric, DoubleSupplier value) {
    sources.add(value);
    FunctionCounter.builder(metric.metricName(), value, DoubleSupplier::getAsDouble)
        .description(metric.facts().help())
        .register(registry);
  }

  /** A gauge that is always 1 and says what runs. */
  public void info(Metric metric, String... values) {
    budget.reserve(1);
    Info.builder()
        .name(metric.metricName())
        .help(metric.facts().help())
        .labelNames(metric.facts().labels().toArray(String[]::new))
        .register(registry.getPrometheusRegistry())
        .setLabelValues(values);
  }

  /** All metrics in the Prometheus text format 0.0.4. */
  public String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }
}
