package dev.parlance.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The dashboards as they are shipped, and the answers of Prometheus to their panels. */
final class Dashboards {
  static final Path FOLDER = Path.of("..", "deploy", "dashboards");

  private static final Pattern METRIC = Pattern.compile("\\bparlance_[a-z0-9_]+");
  private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

  private Dashboards() {}

  /** A dashboard of Grafana's. */
  record Dashboard(JsonNode json) {
    String uid() {
      return json.path("uid").asString("");
    }

    String title() {
      return json.path("title").asString("");
    }

    /** In the order of the file, rows included. */
    List<Panel> panels() {
      return json.path("panels").valueStream().map(Panel::new).toList();
    }
  }

  /** A panel of a dashboard. */
  record Panel(JsonNode json) {
    int id() {
      return json.path("id").asInt(0);
    }

    /** {@code row} for a heading, else how the panel shows its values. */
    String kind() {
      return json.path("type").asString("");
    }

    String title() {
      return json.path("title").asString("");
    }

    String description() {
      return json.path("description").asString("");
    }

    /** Place on a grid of 24 columns: one of x, y, w and h. */
    int place(String member) {
      return json.path("gridPos").path(member).asInt(0);
    }

    boolean overlaps(Panel other) {
      return place("x") < other.place("x") + other.place("w")
          && other.place("x") < place("x") + place("w")
          && place("y") < other.place("y") + other.place("h")
          && other.place("y") < place("y") + place("h");
    }

    String unit() {
      return json.at("/fieldConfig/defaults/unit").asString("short");
    }

    boolean isStacked() {
      return json.at("/fieldConfig/defaults/custom/stacking/mode")
          .asString("none")
          .equals("normal");
    }

    /** The colour that the panel names for a series; empty if it names none. */
    String color(String series) {
      return json.at("/fieldConfig/overrides")
          .valueStream()
          .filter(one -> one.at("/matcher/options").asString("").equals(series))
          .map(one -> one.at("/properties/0/value/fixedColor").asString(""))
          .findFirst()
          .orElse("");
    }

    /** Heading of a table's column. */
    String column(String label) {
      return json.at("/transformations/1/options/renameByName").path(label).asString(label);
    }

    List<Target> targets() {
      return json.path("targets")
          .valueStream()
          .map(one ->
              new Target(one.path("expr").asString(""), one.path("legendFormat").asString("")))
          .toList();
    }
  }

  /**
   * A question to Prometheus.
   *
   * @param expression PromQL with Grafana's variables in it
   * @param legend how a series is called, with {@code {{label}}} in it; empty for its labels
   */
  record Target(String expression, String legend) {}

  /**
   * One series as Prometheus answered it.
   *
   * @param name by the legend of its question
   * @param values by the time in seconds since 1970; only finite ones
   */
  record Series(String name, Map<String, String> labels, TreeMap<Double, Double> values) {
    /** Reads the member {@code data} of an answer, of a query or of a range of them. */
    static List<Series> of(JsonNode data, String legend) {
      return data.path("result").valueStream().map(one -> one(one, legend)).toList();
    }

    private static Series one(JsonNode json, String legend) {
      TreeMap<String, String> labels = new TreeMap<>();
      json.path("metric")
          .propertyStream()
          .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
      labels.remove("__name__");
      String name =
          legend.isEmpty()
              ? String.join(" ", labels.values())
              : PLACE
                  .matcher(legend)
                  .replaceAll(
                      found -> Matcher.quoteReplacement(labels.getOrDefault(found.group(1), "")));
      TreeMap<Double, Double> values = new TreeMap<>();
      Stream.concat(json.path("values").valueStream(), Stream.of(json.path("value")))
          .filter(pair -> pair.path(1).asString("").matches("[-+.0-9eE]+"))
          .forEach(pair ->
              values.put(pair.path(0).asDouble(0), Double.valueOf(pair.path(1).asString(""))));
      return new Series(name, labels, values);
    }

    OptionalDouble last() {
      return values.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(values.lastEntry().getValue());
    }
  }

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
    return files().stream().map(Dashboard::new).toList();
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
