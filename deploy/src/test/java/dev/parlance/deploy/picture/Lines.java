package dev.parlance.deploy.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Lines over time, or areas laid on each other. */
final class Lines {
  private static final double TEXT = 10;
  private static final double LEFT = 56;
  private static final int TICKS = 4;

  /** A line with its name; NaN where there is no value. */
  private record Line(String name, String color, Map<Double, Double> values) {}

  private final Dashboard.Panel panel;
  private final List<Line> lines;
  private final double from;
  private final double to;

  /**
   * Lines between two times.
   *
   * @param all the series of each target, in the order of the targets
   */
  Lines(Dashboard.Panel panel, List<List<Series>> all, double from, double to) {
    this.panel = panel;
    this.from = from;
    this.to = to;
    this.lines = lines(panel, all);
  }

  private static List<Line> lines(Dashboard.Panel panel, List<List<Series>> all) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String legend = panel.targets().get(i).legend();
      List<Series> sorted =
          all.get(i).stream()
              .filter(Series::isDrawable)
              .sorted(Comparator.comparing(series -> series.name(legend)))
              .toList();
      for (Series series : sorted) {
        Map<Double, Double> values = new TreeMap<>();
        series.points().forEach(point -> values.put(point.seconds(), point.value()));
        String name = series.name(legend).isBlank() ? panel.title() : series.name(legend);
        lines.add(new Line(name, Colors.of(panel, name, lines.size()), values));
      }
    }
    return lines;
  }

  void draw(Svg svg, Box box) {
    List<List<Integer>> rows = legendRows(box.w());
    double legend = rows.size() * (TEXT + 5);
    Box plot = new Box(box.x() + LEFT, box.y() + 4, box.w() - LEFT - 8, box.h() - 24 - legend);
    double top = ceiling();
    axes(svg, plot, top);
    if (panel.isStacked()) {
      areas(svg, plot, top);
    } else {
      lines.forEach(line -> path(svg, plot, top, line));
    }
    double y = box.bottom() - legend + TEXT;
    for (List<Integer> row : rows) {
      double x = box.x() + 8;
      for (int index : row) {
        Line line = lines.get(index);
        String name = Svg.fitting(line.name(), TEXT, box.w() - 40);
        svg.rectangle(x, y - 6, 10, 3, line.color(), "rx=\"1.5\"");
        svg.label(x + 14, y - 1, TEXT, Svg.FAINT, "start", name);
        x += 26 + Svg.width(name, TEXT);
      }
      y += TEXT + 5;
    }
  }

  /** Indexes of lines, row by row; what has no room is left out. */
  private List<List<Integer>> legendRows(double room) {
    List<List<Integer>> rows = new ArrayList<>();
    double used = Double.MAX_VALUE;
    for (int i = 0; i < lines.size(); i++) {
      double needed = 26 + Math.min(Svg.width(lines.get(i).name(), TEXT), room - 40);
      if (used + needed > room - 8) {
        if (rows.size() == 3) {
          return rows;
        }
        rows.add(new ArrayList<>());
        used = 8;
      }
      rows.getLast().add(i);
      used += needed;
    }
    return rows;
  }

  private double ceiling() {
    Map<Double, Double> sums = new TreeMap<>();
    double most = 0;
    for (Line line : lines) {
      for (Map.Entry<Double, Double> each : line.values().entrySet()) {
        if (Double.isFinite(each.getValue())) {
          most = Math.max(most, each.getValue());
          sums.merge(each.getKey(), each.getValue(), Double::sum);
        }
      }
    }
    if (panel.isStacked()) {
      most = sums.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
    if (most <= 0) {
      return 1;
    }
    return panel.unit().equals("bytes") ? binary(most) : nice(most);
  }

  /** The next of 1 and 1.5 times a power of two. */
  private static double binary(double value) {
    double power = Math.pow(2, Math.floor(Math.log(value) / Math.log(2)));
    return value <= power ? power : value <= 1.5 * power ? 1.5 * power : 2 * power;
  }

  /** The next of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten. */
  private static double nice(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8, 10}) {
      if (value <= step * power * 1.0001) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private void axes(Svg svg, Box plot, double top) {
    for (int i = 0; i <= TICKS; i++) {
      double y = plot.bottom() - plot.h() * i / TICKS;
      svg.line(plot.x(), y, plot.right(), y, Svg.LINE);
      svg.label(
          plot.x() - 6, y + 3, TEXT, Svg.FAINT, "end", Unit.format(top * i / TICKS, panel.unit()));
    }
    for (int i = 0; i <= TICKS; i++) {
      double x = plot.x() + plot.w() * i / TICKS;
      int second = (int) Math.round((to - from) * i / TICKS);
      svg.label(
          x,
          plot.bottom() + 13,
          TEXT,
          Svg.FAINT,
          i == TICKS ? "end" : i == 0 ? "start" : "middle",
          String.format(Locale.ROOT, "%d:%02d", second / 60, second % 60));
    }
  }

  private double x(Box plot, double seconds) {
    return plot.x() + plot.w() * Math.clamp((seconds - from) / (to - from), 0, 1);
  }

  private static double y(Box plot, double top, double value) {
    return plot.bottom() - plot.h() * Math.clamp(value / top, 0, 1);
  }

  private void path(Svg svg, Box plot, double top, Line line) {
    StringBuilder path = new StringBuilder();
    boolean begun = false;
    for (Map.Entry<Double, Double> each : line.values().entrySet()) {
      if (!Double.isFinite(each.getValue())) {
        begun = false;
        continue;
      }
      path.append(
          String.format(
              Locale.ROOT,
              "%s%.1f,%.1f",
              begun ? "L" : "M",
              x(plot, each.getKey()),
              y(plot, top, each.getValue())));
      begun = true;
    }
    svg.add(
        String.format(
            Locale.ROOT,
            "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\""
                + " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
            path,
            line.color()));
  }

  private void areas(Svg svg, Box plot, double top) {
    Map<Double, Double> below = new TreeMap<>();
    lines.forEach(line -> line.values().keySet().forEach(at -> below.put(at, 0.0)));
    for (Line line : lines) {
      StringBuilder upper = new StringBuilder();
      StringBuilder lower = new StringBuilder();
      for (Map.Entry<Double, Double> each : below.entrySet()) {
        double value = line.values().getOrDefault(each.getKey(), 0.0);
        double sum = each.getValue() + (Double.isFinite(value) ? value : 0);
        double x = x(plot, each.getKey());
        upper.append(
            String.format(
                Locale.ROOT, "%s%.1f,%.1f", upper.isEmpty() ? "M" : "L", x, y(plot, top, sum)));
        lower.insert(0, String.format(Locale.ROOT, "L%.1f,%.1f", x, y(plot, top, each.getValue())));
        each.setValue(sum);
      }
      svg.add(
          String.format(
              Locale.ROOT,
              "<path d=\"%s%sZ\" fill=\"%s\" fill-opacity=\"0.45\" stroke=\"%s\""
                  + " stroke-width=\"1\"/>",
              upper,
              lower,
              line.color(),
              line.color()));
    }
  }
}
