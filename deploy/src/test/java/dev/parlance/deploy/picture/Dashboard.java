package dev.parlance.deploy.picture;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What a dashboard's JSON says, as far as pictures and tests need it.
 *
 * @param uid stable name
 * @param title heading
 * @param panels in the order of the file, rows included
 */
public record Dashboard(String uid, String title, List<Panel> panels) {
  /** Copies the list. */
  public Dashboard {
    panels = List.copyOf(panels);
  }

  /** How a panel shows its values. */
  public enum Kind {
    /** A heading; asks nothing. */
    ROW,
    /** One number. */
    STAT,
    /** Lines over time. */
    TIMESERIES,
    /** A bar for each value. */
    BARGAUGE,
    /** Labels and values. */
    TABLE
  }

  /**
   * A question to Prometheus.
   *
   * @param expression PromQL with Grafana's variables in it
   * @param legend how a series is called, with {@code {{label}}} in it; empty for its labels
   */
  public record Target(String expression, String legend) {}

  /**
   * Place on a grid of 24 columns.
   *
   * @param x first column
   * @param y first line
   * @param w columns
   * @param h lines
   */
  public record Place(int x, int y, int w, int h) {
    /** True if the two cover a cell in common. */
    public boolean overlaps(Place other) {
      return x < other.x + other.w && other.x < x + w && y < other.y + other.h && other.y < y + h;
    }
  }

  /**
   * A panel.
   *
   * @param id unique in the dashboard
   * @param kind how it shows its values
   * @param title heading
   * @param description what it shows
   * @param place where it stands
   * @param unit Grafana's name of the unit
   * @param isStacked true if its lines are laid on each other
   * @param colors of series, by name
   * @param columns other headings of a table, by label
   * @param targets what it asks
   */
  public record Panel(
      int id,
      Kind kind,
      String title,
      String description,
      Place place,
      String unit,
      boolean isStacked,
      Map<String, String> colors,
      Map<String, String> columns,
      List<Target> targets) {
    /** Copies what could change. */
    public Panel {
      colors = Map.copyOf(colors);
      columns = Map.copyOf(columns);
      targets = List.copyOf(targets);
    }
  }

  /**
   * Reads a dashboard.
   *
   * @throws IllegalArgumentException if a panel is of a kind that is not known here
   */
  public static Dashboard of(JsonNode json) {
    return new Dashboard(
        json.path("uid").asString(""),
        json.path("title").asString(""),
        json.path("panels").valueStream().map(Dashboard::panel).toList());
  }

  private static Panel panel(JsonNode json) {
    JsonNode at = json.path("gridPos");
    JsonNode defaults = json.path("fieldConfig").path("defaults");
    return new Panel(
        json.path("id").asInt(0),
        kind(json.path("type").asString("")),
        json.path("title").asString(""),
        json.path("description").asString(""),
        new Place(
            at.path("x").asInt(0),
            at.path("y").asInt(0),
            at.path("w").asInt(0),
            at.path("h").asInt(0)),
        defaults.path("unit").asString("short"),
        defaults.at("/custom/stacking/mode").asString("none").equals("normal"),
        json.path("fieldConfig")
            .path("overrides")
            .valueStream()
            .collect(
                Collectors.toMap(
                    one -> one.at("/matcher/options").asString(""),
                    one -> one.at("/properties/0/value/fixedColor").asString(""))),
        json.at("/transformations/1/options/renameByName")
            .propertyStream()
            .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().asString(""))),
        json.path("targets")
            .valueStream()
            .map(one ->
                new Target(one.path("expr").asString(""), one.path("legendFormat").asString("")))
            .toList());
  }

  private static Kind kind(String type) {
    return switch (type) {
      case "row" -> Kind.ROW;
      case "stat" -> Kind.STAT;
      case "timeseries" -> Kind.TIMESERIES;
      case "bargauge" -> Kind.BARGAUGE;
      case "table" -> Kind.TABLE;
      default -> throw new IllegalArgumentException("no panel is drawn of type " + type);
    };
  }
}
