package dev.parlance.deploy.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * Draws a dashboard as one SVG, panel by panel. It looks like Grafana and is none: what it shows
 * for certain is what each panel's question was answered with.
 */
public final class DashboardPicture {
  private static final double COLUMN = 50;
  private static final double LINE = 28;
  private static final double GAP = 8;
  private static final double HEAD = 52;
  private static final double TEXT = 12;
  private static final int ROWS_MAX = 12;

  private final Dashboard dashboard;
  private final double from;
  private final double to;

  /**
   * A picture of a span of time.
   *
   * @param from seconds since 1970
   * @param to later than that
   */
  public DashboardPicture(Dashboard dashboard, double from, double to) {
    if (!(to > from)) {
      throw new IllegalArgumentException("expected a span of time, got " + from + " to " + to);
    }
    this.dashboard = dashboard;
    this.from = from;
    this.to = to;
  }

  /**
   * The picture.
   *
   * @param answers by a panel's id: the series of each of its targets, in order
   */
  public String draw(Map<Integer, List<List<Series>>> answers) {
    double width = 24 * COLUMN + GAP;
    int lines =
        dashboard.panels().stream()
            .mapToInt(panel -> panel.place().y() + panel.place().h())
            .max()
            .orElse(0);
    double height = HEAD + lines * LINE + GAP;
    Svg svg = new Svg();
    svg.add(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
                + " height=\"%.0f\" font-family=\"Inter, 'Helvetica Neue', 'DejaVu Sans',"
                + " sans-serif\">",
            width,
            height,
            width,
            height));
    svg.rectangle(0, 0, width, height, "#f3f5f7", "");
    svg.title(GAP + 4, 32, 18, Svg.INK, dashboard.title());
    for (Dashboard.Panel panel : dashboard.panels()) {
      draw(svg, panel, answers.getOrDefault(panel.id(), List.of()));
    }
    return svg.add("</svg>").toString();
  }

  private void draw(Svg svg, Dashboard.Panel panel, List<List<Series>> all) {
    Dashboard.Place at = panel.place();
    Box card =
        new Box(
            GAP + at.x() * COLUMN,
            HEAD + at.y() * LINE,
            at.w() * COLUMN - GAP,
            at.h() * LINE - GAP);
    if (panel.kind() == Dashboard.Kind.ROW) {
      svg.title(card.x() + 4, card.y() + 16, 13, Svg.FAINT, panel.title());
      return;
    }
    svg.rectangle(
        card.x(), card.y(), card.w(), card.h(), "#ffffff", "stroke=\"" + Svg.LINE + "\" rx=\"4\"");
    svg.title(
        card.x() + 10,
        card.y() + 19,
        TEXT,
        Svg.INK,
        Svg.fitting(panel.title(), TEXT * 1.1, card.w() - 20));
    Box inside = new Box(card.x(), card.y() + 28, card.w(), card.h() - 32);
    if (all.stream().flatMap(List::stream).noneMatch(Series::isDrawable)) {
      svg.label(
          inside.x() + inside.w() / 2,
          inside.y() + inside.h() / 2,
          TEXT,
          Svg.FAINT,
          "middle",
          "no data");
      return;
    }
    switch (panel.kind()) {
      case ROW -> throw new IllegalStateException("drawn above");
      case STAT -> stat(svg, panel, all, inside);
      case TIMESERIES -> new Lines(panel, all, from, to).draw(svg, inside);
      case BARGAUGE -> bars(svg, panel, all, inside);
      case TABLE -> table(svg, panel, all, inside);
    }
  }

  private static void stat(Svg svg, Dashboard.Panel panel, List<List<Series>> all, Box box) {
    OptionalDouble value =
        all.stream()
            .flatMap(List::stream)
            .map(Series::last)
            .filter(OptionalDouble::isPresent)
            .findFirst()
            .orElse(OptionalDouble.empty());
    svg.label(
        box.x() + box.w() / 2,
        box.y() + box.h() / 2 + 10,
        28,
        Svg.INK,
        "middle",
        Unit.format(value.orElse(Double.NaN), panel.unit()));
  }

  private static void bars(Svg svg, Dashboard.Panel panel, List<List<Series>> all, Box box) {
    String legend = panel.targets().getFirst().legend();
    List<Series> sorted =
        all.stream()
            .flatMap(List::stream)
            .filter(Series::isDrawable)
            .sorted(Comparator.comparingDouble((Series one) -> one.last().orElse(0)).reversed())
            .limit(ROWS_MAX)
            .toList();
    double most =
        Math.max(1e-9, sorted.stream().mapToDouble(one -> one.last().orElse(0)).max().orElse(0));
    double step = Math.min(22, box.h() / sorted.size());
    double names = box.w() * 0.42;
    double y = box.y() + 4;
    for (int i = 0; i < sorted.size(); i++) {
      Series series = sorted.get(i);
      double value = series.last().orElse(0);
      String name = series.name(legend);
      svg.label(
          box.x() + names, y + step / 2 + 2, 10, Svg.INK, "end", Svg.fitting(name, 10, names - 12));
      svg.rectangle(
          box.x() + names + 8,
          y,
          (box.w() - names - 80) * value / most,
          step - 6,
          Colors.of(panel, name, i),
          "rx=\"2\" fill-opacity=\"0.8\"");
      svg.label(
          box.x() + names + 14 + (box.w() - names - 80) * value / most,
          y + step / 2 + 2,
          10,
          Svg.FAINT,
          "start",
          Unit.format(value, panel.unit()));
      y += step;
    }
  }

  private static void table(Svg svg, Dashboard.Panel panel, List<List<Series>> all, Box box) {
    List<Series> rows =
        all.stream()
            .flatMap(List::stream)
            .filter(Series::isDrawable)
            .sorted(Comparator.comparing(one -> new TreeMap<>(one.labels()).toString()))
            .toList();
    Set<String> labels = new LinkedHashSet<>();
    rows.forEach(row -> labels.addAll(new TreeMap<>(row.labels()).keySet()));
    labels.remove("__name__");
    List<String> columns = new ArrayList<>(labels);
    columns.add("Value");
    double step = 20;
    int shown = Math.min(rows.size(), (int) (box.h() / step) - 1);
    double w = (box.w() - 20) / columns.size();
    for (int c = 0; c < columns.size(); c++) {
      String column = columns.get(c);
      double x = box.x() + 10 + c * w;
      svg.title(x, box.y() + 12, 10, Svg.FAINT, panel.columns().getOrDefault(column, column));
      for (int r = 0; r < shown; r++) {
        Series row = rows.get(r);
        String cell =
            column.equals("Value")
                ? Unit.format(row.last().orElse(Double.NaN), panel.unit())
                : row.labels().getOrDefault(column, "");
        double y = box.y() + 12 + (r + 1) * step;
        if (c == 0) {
          svg.line(box.x() + 8, y - 14, box.right() - 8, y - 14, Svg.LINE);
        }
        svg.label(x, y, 10.5, Svg.INK, "start", Svg.fitting(cell, 10.5, w - 6));
      }
    }
    if (shown < rows.size()) {
      svg.label(
          box.right() - 10,
          box.y() + 12,
          10,
          Svg.FAINT,
          "end",
          "and " + (rows.size() - shown) + " more");
    }
  }
}
