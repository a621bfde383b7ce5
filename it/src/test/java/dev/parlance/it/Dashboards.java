package dev.parlance.it;

import dev.parlance.deploy.picture.Dashboard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The dashboards as they are shipped. */
final class Dashboards {
  static final Path FOLDER = Path.of("..", "deploy", "dashboards");

  private static final Pattern METRIC = Pattern.compile("\\bparlance_[a-z0-9_]+");

  private Dashboards() {}

  static List<JsonNode> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(file -> A2a.JSON.readTree(file.toFile()))
          .toList();
    }
  }

  static List<Dashboard> all() throws IOException {
    return files().stream().map(Dashboard::of).toList();
  }

  /** Every metric of ours that a panel asks for. */
  static Set<String> metrics() throws IOException {
    return all().stream()
        .flatMap(dashboard -> dashboard.panels().stream())
        .flatMap(panel -> panel.targets().stream())
        .flatMap(target -> METRIC.matcher(target.expression()).results())
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** PromQL with values in the place of Grafana's variables. */
  static String resolved(String expression, String interval, String range) {
    return expression
        .replace("$namespace", ".*")
        .replace("$pod", ".*")
        .replace("$__rate_interval", interval)
        .replace("$__range", range);
  }
}
