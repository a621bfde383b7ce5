package dev.parlance.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.metrics.Histograms.Distribution;
import dev.parlance.proxy.metrics.MetricLabel.Stage;
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
  @Test
  void scrape_isThatOfTheClientsOwnHistogram() throws IOException {
    Random random = new Random(42);
    for (int run = 0; run < 50; run++) {
      Histograms ours = new Histograms(Meter.PROXY_OVERHEAD);
      Histogram theirs = theirs(Meter.PROXY_OVERHEAD);
      double[] bounds = Histograms.bounds(Meter.PROXY_OVERHEAD);
      for (int i = random.nextInt(200); i > 0; i--) {
        String stage = random.nextBoolean() ? Stage.READ.code() : Stage.JUDGE.code();
        double value =
            switch (random.nextInt(5)) {
              case 0 -> bounds[random.nextInt(bounds.length)];
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
    Histograms ours = new Histograms(Meter.STREAM_FIRST_BYTE);
    assertThat(text(ours)).isEqualTo(text(theirs(Meter.STREAM_FIRST_BYTE)));
    ours.with(List.of()).observe(2);
    assertThat(text(ours)).contains("parlance_stream_first_byte_seconds_count 1");
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

  private static Histogram theirs(Meter meter) {
    return Histogram.builder()
        .name(meter.metricName())
        .help(meter.help())
        .labelNames(meter.labels().toArray(String[]::new))
        .classicOnly()
        .withoutExemplars()
        .classicUpperBounds(Histograms.bounds(meter))
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
