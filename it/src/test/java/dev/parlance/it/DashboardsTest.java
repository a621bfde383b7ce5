package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.it.Dashboards.Dashboard;
import dev.parlance.it.Dashboards.Panel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The dashboards: whole, about metrics that exist, in PromQL that parses. */
class DashboardsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern VARIABLE = Pattern.compile("\\$[A-Za-z_]+");

  @TempDir Path folder = Path.of("");

  @Test
  void fourDashboards_eachWithAPictureAndASectionInTheDocs() throws IOException {
    String docs = Files.readString(DOCS.resolve("dashboards.md"));
    assertThat(Dashboards.all())
        .extracting(Dashboard::uid)
        .containsExactlyInAnyOrder(
            "parlance-overview", "parlance-semantics", "parlance-core", "parlance-resources");
    for (Dashboard dashboard : Dashboards.all()) {
      assertThat(docs)
          .contains("](pictures/" + dashboard.uid() + ".png)")
          .contains(dashboard.title());
      assertThat(DOCS.resolve("pictures").resolve(dashboard.uid() + ".png")).isNotEmptyFile();
    }
  }

  @Test
  void everyPanel_isWhole_andStandsAlone() throws IOException {
    for (Dashboard dashboard : Dashboards.all()) {
      List<Panel> panels = dashboard.panels();
      assertThat(panels).extracting(Panel::id).doesNotHaveDuplicates();
      assertThat(panels).hasSizeGreaterThan(12);
      for (Panel panel : panels) {
        String name = dashboard.uid() + ": " + panel.title();
        assertThat(panel.title()).as(name).isNotBlank();
        assertThat(panel.place("x") + panel.place("w")).as(name).isLessThanOrEqualTo(24);
        assertThat(panels.stream().filter(other -> other.overlaps(panel)))
            .as(name)
            .containsExactly(panel);
        if (!panel.kind().equals("row")) {
          assertThat(panel.description()).as(name).endsWith(".");
          assertThat(panel.targets()).as(name).isNotEmpty();
        }
      }
    }
  }

  @Test
  void everyMetric_isOneThatTheProcessesHave() throws IOException {
    String docs =
        Files.readString(DOCS.resolve("metrics.md"))
            + Files.readString(DOCS.resolve("control-plane.md"))
            + Files.readString(DOCS.resolve("dashboards.md"));
    for (String metric : Dashboards.metrics()) {
      assertThat(docs).as(metric).contains("`" + metric.replaceAll("_(bucket|sum|count)$", ""));
    }
  }

  @Test
  void onlyVariablesThatTheDashboardHas_areUsed() throws IOException {
    for (JsonNode json : Dashboards.files()) {
      List<String> known =
          json.at("/templating/list")
              .valueStream()
              .map(one -> "$" + one.path("name").asString(""))
              .toList();
      for (Panel panel : new Dashboard(json).panels()) {
        for (Dashboards.Target target : panel.targets()) {
          assertThat(VARIABLE.matcher(target.expression()).results().map(found -> found.group()))
              .allMatch(name -> name.startsWith("$__") || known.contains(name));
        }
      }
    }
  }

  @Test
  void promtool_parsesEveryExpression() throws Exception {
    Path promtool = Prometheus.program("promtool");
    StringBuilder rules = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
    int count = 0;
    for (Dashboard dashboard : Dashboards.all()) {
      for (Panel panel : dashboard.panels()) {
        for (Dashboards.Target target : panel.targets()) {
          count++;
          rules
              .append("      - record: panel:%d\n        expr: |-\n          ".formatted(count))
              .append(Dashboards.resolved(target.expression(), "1m", "1h"))
              .append('\n');
        }
      }
    }
    assertThat(count).isGreaterThan(80);
    Path file = Files.writeString(folder.resolve("panels.yaml"), rules);
    Process process =
        new ProcessBuilder(promtool.toString(), "check", "rules", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).contains(count + " rules found");
  }
}
