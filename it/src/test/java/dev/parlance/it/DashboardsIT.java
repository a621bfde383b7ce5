package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.it.Dashboards.Dashboard;
import dev.parlance.it.Dashboards.Series;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes sidecars and a control plane with traffic of every kind; each panel of
 * each dashboard has an answer, and is drawn. {@code -Ddashboards.seconds=120
 * -Ddashboards.pictures=../docs/pictures} makes the pictures of the docs.
 */
@Timeout(900)
class DashboardsIT {
  private static final Path RULES =
      Path.of("..", "deploy", "prometheus", "parlance.rules.yaml").toAbsolutePath().normalize();
  private static final int SECONDS = Integer.getInteger("dashboards.seconds", 10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder = Path.of("");

  @Test
  void everyPanel_hasAnAnswer_whereEverythingHappens() throws Exception {
    Prometheus.program("prometheus");
    try (Town town = new Town(folder);
        Prometheus prometheus = Prometheus.start(folder, RULES, town.targets())) {
      double begin = now();
      TimeUnit.SECONDS.sleep(SECONDS);
      // A rate wants two samples behind what it counts: each panel is waited for.
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> {
            town.assertAlive();
            assertThat(metricsWithoutSeries(prometheus)).isEmpty();
            assertThat(emptyPanels(answers(prometheus, begin, now()))).isEmpty();
          });
      double end = now();
      town.stop();
      Map<Dashboard, Map<Integer, List<Series>>> answers = answers(prometheus, begin, end);
      for (Dashboard dashboard : answers.keySet()) {
        Path pictures =
            Files.createDirectories(
                Path.of(System.getProperty("dashboards.pictures", "target/pictures")));
        ImageIO.write(
            DashboardPicture.draw(dashboard, begin, end, answers.get(dashboard)),
            "png",
            pictures.resolve(dashboard.uid() + ".png").toFile());
      }
      assertThat(emptyPanels(answers)).isEmpty();
    }
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
  }

  /** The series of each panel, by its id. */
  private static Map<Dashboard, Map<Integer, List<Series>>> answers(
      Prometheus prometheus, double begin, double end) throws Exception {
    Map<Dashboard, Map<Integer, List<Series>>> answers = new LinkedHashMap<>();
    for (Dashboard dashboard : Dashboards.all()) {
      Map<Integer, List<Series>> ofPanels = new HashMap<>();
      for (Dashboards.Panel panel : dashboard.panels()) {
        List<Series> series = new ArrayList<>();
        for (Dashboards.Target target : panel.targets()) {
          series.addAll(ask(prometheus, panel, target, begin, end));
        }
        ofPanels.put(panel.id(), series);
      }
      answers.put(dashboard, ofPanels);
    }
    return answers;
  }

  private static List<String> emptyPanels(Map<Dashboard, Map<Integer, List<Series>>> answers) {
    List<String> empty = new ArrayList<>();
    answers.forEach((dashboard, ofPanels) -> {
      for (Dashboards.Panel panel : dashboard.panels()) {
        if (!panel.targets().isEmpty()
            && ofPanels.get(panel.id()).stream().allMatch(one -> one.values().isEmpty())) {
          empty.add(dashboard.uid() + ": " + panel.title());
        }
      }
    });
    return empty;
  }

  /** So that an {@code or vector(0)} hides nothing, each metric must be there at all. */
  private static Set<String> metricsWithoutSeries(Prometheus prometheus) throws Exception {
    Set<String> without = new TreeSet<>();
    for (String metric : Dashboards.metrics()) {
      if (prometheus
          .data("query?query=" + encoded("last_over_time(" + metric + "[5m])"))
          .path("result")
          .isEmpty()) {
        without.add(metric);
      }
    }
    return without;
  }

  private static List<Series> ask(
      Prometheus prometheus,
      Dashboards.Panel panel,
      Dashboards.Target target,
      double begin,
      double end)
      throws Exception {
    String expression =
        encoded(
            Dashboards.resolved(
                target.expression(), SECONDS > 60 ? "15s" : "5s", (int) (end - begin) + "s"));
    return Series.of(
        switch (panel.kind()) {
          case "stat", "bargauge", "table" ->
              prometheus.data(
                  String.format(Locale.ROOT, "query?query=%s&time=%.3f", expression, end));
          default ->
              prometheus.data(
                  String.format(
                      Locale.ROOT,
                      "query_range?query=%s&start=%.3f&end=%.3f&step=%d",
                      expression,
                      begin,
                      end,
                      SECONDS > 60 ? 2 : 1));
        },
        target.legend());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
