package dev.parlance.deploy.picture;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * One series as Prometheus answered it.
 *
 * @param labels its labels
 * @param points in order of time; values may be no numbers
 */
public record Series(Map<String, String> labels, List<Point> points) {
  private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

  /** Copies both. */
  public Series {
    labels = Map.copyOf(labels);
    points = List.copyOf(points);
  }

  /**
   * A value at a time.
   *
   * @param seconds since 1970
   * @param value may be NaN or infinite
   */
  public record Point(double seconds, double value) {}

  /** Reads the member {@code data} of an answer, of a query or of a range of them. */
  public static List<Series> of(JsonNode data) {
    return data.path("result").valueStream().map(Series::one).toList();
  }

  private static Series one(JsonNode json) {
    Map<String, String> labels =
        json.path("metric")
            .propertyStream()
            .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().asString("")));
    List<Point> points =
        json.has("values")
            ? json.path("values").valueStream().map(Series::point).toList()
            : List.of(point(json.path("value")));
    return new Series(labels, points);
  }

  private static Point point(JsonNode pair) {
    String value = pair.path(1).asString("NaN");
    return new Point(
        pair.path(0).asDouble(0),
        switch (value) {
          case "+Inf" -> Double.POSITIVE_INFINITY;
          case "-Inf" -> Double.NEGATIVE_INFINITY;
          default -> Double.parseDouble(value);
        });
  }

  /** True if it has a value that can be drawn. */
  public boolean isDrawable() {
    return points.stream().anyMatch(point -> Double.isFinite(point.value()));
  }

  OptionalDouble last() {
    return points.reversed().stream()
        .mapToDouble(Point::value)
        .filter(Double::isFinite)
        .findFirst();
  }

  /** What it is called by a legend such as {@code p50 {{direction}}}. */
  String name(String legend) {
    if (legend.isEmpty()) {
      Map<String, String> sorted = new TreeMap<>(labels);
      sorted.remove("__name__");
      return String.join(" ", sorted.values());
    }
    Matcher place = PLACE.matcher(legend);
    return place.replaceAll(
        found -> Matcher.quoteReplacement(labels.getOrDefault(found.group(1), "")));
  }
}
