package dev.parlance.service.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.metric.Histograms.Distribution;
import io.micrometer.core.instrument.Tag;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Our histograms beside the ones of the Prometheus client. */
class HistogramsTest {
  private static final double[] BOUNDS = {0.005, 0.01, 0.05};
  private static final Metric.Facts WORK =
      new Metric.Facts("work_seconds", "Own work", List.of("stage"));
  private static final Metric.Facts WAIT = new Metric.Facts("wait_seconds", "Waiting", List.of());

  @Test
  void scrape_isThatOfTheClientsOwnHistogram() throws IOException {
    Random random = new Random(42);
    for (int run = 0; run < 50; run++) {
      Histograms ours = new Histograms(WORK, BOUNDS);
      Histogram theirs = theirs(WORK);
      for (int i = random.nextInt(200); i > 0; i--) {
        String stage = random.nextBoolean() ? "read" : "judge";
        double value =
            switch (random.nextInt(5)) {
              case 0 -> BOUNDS[random.nextInt(BOUNDS.length)];
              case 1 -> Double.NaN;
              default -> random.nextDouble() * 0.1;
            };
        ours.with(List.of(Tag.of("stage", stage))).observe(value);
        theirs.labelValues(stage).observe(value);
      }
      assertThat(lines(text(ours))).isEqualTo(lines(text(theirs)));
    }
  }

  @Test
  void histogramWithoutLabels_isShownBeforeItsFirstValue() throws IOException {
    Histograms ours = new Histograms(WAIT, BOUNDS);
    ours.with(List.of());
    assertThat(text(ours)).isEqualTo(text(theirs(WAIT)));
    ours.with(List.of()).observe(2);
    assertThat(text(ours)).contains("wait_seconds_count 1");
  }

  @Test
  void valuesOfManyThreads_areAllCounted() {
    Distribution one = new Distribution(new double[] {0.5});
    IntStream.range(0, 10_000).parallel().forEach(i -> one.observe(i % 2));
    var seen = one.snapshot(Labels.EMPTY);
    assertThat(seen.getCount()).isEqualTo(10_000);
    assertThat(seen.getSum()).isEqualTo(5_000);
    assertThat(seen.getClassicBuckets().getCount(0)).isEqualTo(5_000);
  }

  private static Histogram theirs(Metric meter) {
    return Histogram.builder()
        .name(meter.metricName())
        .help(meter.facts().help())
        .labelNames(meter.facts().labels().toArray(String[]::new))
        .classicOnly()
        .withoutExemplars()
        .classicUpperBounds(BOUNDS)
        .build();
  }

  private static String text(Collector collector) throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(collector);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(StandardCharsets.UTF_8);
  }

  /** The last digits of a sum depend on the order of the additions. */
  private static List<String> lines(String text) {
    return text.lines()
        .map(line -> {
          int value = line.lastIndexOf(' ') + 1;
          return line.contains("_sum")
              ? line.substring(0, value)
                  + Math.round(Double.parseDouble(line.substring(value)) * 1e9)
              : line;
        })
        .toList();
  }
}
