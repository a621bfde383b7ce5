package dev.parlance.it;

import dev.parlance.it.Dashboards.Dashboard;
import dev.parlance.it.Dashboards.Panel;
import dev.parlance.it.Dashboards.Series;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a dashboard as one picture, panel by panel, with XChart. It looks like Grafana and is none:
 * what it shows for certain is what each panel's question was answered with.
 */
final class DashboardPicture {
  private static final int COLUMN = 50;
  private static final int LINE = 28;
  private static final int GAP = 8;
  private static final int HEAD = 52;
  private static final int LEGEND_LINE = 13;
  private static final int LEGEND_LINES_MAX = 3;
  private static final int ROWS_MAX = 12;
  private static final Color INK = new Color(0x1f2933);
  private static final Color FAINT = new Color(0x6b7785);
  private static final Color RULE = new Color(0xdfe3e8);
  private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 12);
  private static final Map<String, Color> NAMED =
      Map.of(
          "green", new Color(0x3a9e4e),
          "yellow", new Color(0xd9a400),
          "orange", new Color(0xe8710a),
          "red", new Color(0xd93a4a),
          "text", INK);
  private static final int[] PALETTE = {
    0x3b73c8, 0xe8710a, 0x3a9e4e, 0xa352cc, 0xd93a4a, 0x1597a5, 0xd9a400, 0x8a5a44, 0x5b6b7b,
    0xc2468f
  };

  private final double fromSeconds;
  private final double toSeconds;
  private final Graphics2D out;

  private DashboardPicture(Graphics2D out, double fromSeconds, double toSeconds) {
    this.out = out;
    this.fromSeconds = fromSeconds;
    this.toSeconds = toSeconds;
  }

  /**
   * The picture.
   *
   * @param answers by a panel's id: the series of its targets, in order
   */
  static BufferedImage draw(
      Dashboard dashboard,
      double fromSeconds,
      double toSeconds,
      Map<Integer, List<Series>> answers) {
    int lines =
        dashboard.panels().stream()
            .mapToInt(panel -> panel.place("y") + panel.place("h"))
            .max()
            .orElse(0);
    BufferedImage image =
        new BufferedImage(24 * COLUMN + GAP, HEAD + lines * LINE + GAP, BufferedImage.TYPE_INT_RGB);
    Graphics2D out = image.createGraphics();
    out.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    out.setColor(new Color(0xf3f5f7));
    out.fillRect(0, 0, image.getWidth(), image.getHeight());
    DashboardPicture picture = new DashboardPicture(out, fromSeconds, toSeconds);
    picture.text(dashboard.title(), TITLE.deriveFont(18f), INK, GAP + 4, 32, image.getWidth());
    for (Panel panel : dashboard.panels()) {
      out.translate(GAP + panel.place("x") * COLUMN, HEAD + panel.place("y") * LINE);
      picture.panel(panel, answers.getOrDefault(panel.id(), List.of()));
      out.translate(-GAP - panel.place("x") * COLUMN, -HEAD - panel.place("y") * LINE);
    }
    out.dispose();
    return image;
  }

  private void panel(Panel panel, List<Series> all) {
    int w = panel.place("w") * COLUMN - GAP;
    int h = panel.place("h") * LINE - GAP;
    if (panel.kind().equals("row")) {
      text(panel.title(), TITLE.deriveFont(13f), FAINT, 4, 16, w);
      return;
    }
    out.setColor(Color.WHITE);
    out.fillRect(0, 0, w, h);
    out.setColor(RULE);
    out.drawRect(0, 0, w, h);
    text(panel.title(), TITLE, INK, 10, 19, w - 20);
    List<Series> series = all.stream().filter(one -> !one.values().isEmpty()).toList();
    if (series.isEmpty()) {
      text("no data", TEXT, FAINT, w / 2 - 20, h / 2, w);
      return;
    }
    switch (panel.kind()) {
      case "stat" -> {
        String value = unit(series.getFirst().last().orElse(0), panel.unit());
        Font large = TEXT.deriveFont(28f);
        int width = out.getFontMetrics(large).stringWidth(value);
        text(value, large, INK, (w - width) / 2, h / 2 + 22, w);
      }
      case "timeseries" -> lines(panel, series, w, h);
      case "bargauge" -> bars(panel, series, w, h);
      case "table" -> table(panel, series, w, h);
      default -> throw new IllegalArgumentException("no panel is drawn of type " + panel.kind());
    }
  }

  private void lines(Panel panel, List<Series> series, int w, int h) {
    int legend = legend(panel, series, w, h);
    XYChart chart = new XYChart(w - 12, h - 26 - legend);
    styled(chart);
    double span = toSeconds - fromSeconds;
    chart.getStyler().setYAxisMin(0.0).setXAxisMin(0.0).setXAxisMax(span);
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(
            second -> "%d:%02d".formatted(Math.round(second) / 60, Math.round(second) % 60));
    chart.getStyler().setYAxisTickLabelsFormattingFunction(value -> unit(value, panel.unit()));
    List<Map<Double, Double>> shown = new ArrayList<>();
    TreeMap<Double, Double> below = new TreeMap<>();
    series.forEach(one -> one.values().keySet().forEach(at -> below.put(at, 0.0)));
    for (Series one : series) {
      if (panel.isStacked()) {
        one.values().forEach((at, value) -> below.merge(at, value, Double::sum));
        shown.add(new TreeMap<>(below));
      } else {
        shown.add(one.values());
      }
    }
    // What lies on top is drawn first: the area of the next one covers its lower part.
    for (int i = series.size() - 1; i >= 0; i--) {
      XYSeries drawn =
          chart.addSeries(
              "series " + i,
              shown.get(i).keySet().stream().map(at -> at - fromSeconds).toList(),
              List.copyOf(shown.get(i).values()));
      Color color = color(panel, series.get(i), i);
      drawn.setMarker(SeriesMarkers.NONE).setLineColor(color).setLineWidth(1.5f);
      drawn.setLineStyle(SeriesLines.SOLID);
      if (panel.isStacked()) {
        drawn.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Area);
        drawn.setFillColor(mixedWithWhite(color));
      }
    }
    paint(chart, w, h - legend);
  }

  /** Names under the chart, in rows; what has no room is left out. The height that they take. */
  private int legend(Panel panel, List<Series> series, int w, int h) {
    List<List<Integer>> rows = new ArrayList<>();
    int used = w;
    for (int i = 0; i < series.size(); i++) {
      int needed = 26 + Math.min(width(name(panel, series.get(i))), w - 40);
      if (used + needed > w - 8) {
        if (rows.size() == LEGEND_LINES_MAX) {
          break;
        }
        rows.add(new ArrayList<>());
        used = 8;
      }
      rows.getLast().add(i);
      used += needed;
    }
    int y = h - rows.size() * LEGEND_LINE + 5;
    for (List<Integer> row : rows) {
      int x = 8;
      for (int i : row) {
        out.setColor(color(panel, series.get(i), i));
        out.fillRect(x, y - 4, 10, 3);
        String name = name(panel, series.get(i));
        text(name, TEXT, FAINT, x + 14, y, w - 40);
        x += 26 + Math.min(width(name), w - 40);
      }
      y += LEGEND_LINE;
    }
    return rows.size() * LEGEND_LINE + 4;
  }

  private void bars(Panel panel, List<Series> series, int w, int h) {
    List<Series> most =
        series.stream()
            .sorted(Comparator.comparingDouble((Series one) -> one.last().orElse(0)).reversed())
            .limit(ROWS_MAX)
            .toList();
    double top = Math.max(1e-9, most.getFirst().last().orElse(0));
    int step = Math.min(22, (h - 32) / most.size());
    int names = w * 2 / 5;
    for (int i = 0; i < most.size(); i++) {
      double value = most.get(i).last().orElse(0);
      int y = 32 + i * step;
      text(name(panel, most.get(i)), TEXT, INK, 10, y + step / 2 + 2, names - 14);
      int length = (int) ((w - names - 80) * value / top);
      out.setColor(color(panel, most.get(i), i));
      out.fillRect(names, y, length, step - 6);
      text(unit(value, panel.unit()), TEXT, FAINT, names + length + 6, y + step / 2 + 2, 70);
    }
  }

  private static void styled(XYChart chart) {
    AxesChartStyler style = chart.getStyler();
    style.setLegendVisible(false).setChartTitleVisible(false).setPlotBorderVisible(false);
    style.setChartBackgroundColor(Color.WHITE).setChartFontColor(FAINT).setChartPadding(2);
    style.setAxisTickLabelsFont(TEXT).setPlotGridLinesColor(RULE);
  }

  private void paint(XYChart chart, int w, int h) {
    out.translate(6, 24);
    chart.paint(out, w - 12, h - 26);
    out.translate(-6, -24);
    out.setStroke(new BasicStroke());
  }

  private void table(Panel panel, List<Series> series, int w, int h) {
    List<Series> rows =
        series.stream().sorted(Comparator.comparing(one -> one.labels().toString())).toList();
    TreeSet<String> labels = new TreeSet<>();
    rows.forEach(row -> labels.addAll(row.labels().keySet()));
    List<String> columns = new ArrayList<>(labels);
    columns.add("Value");
    int step = 20;
    int shown = Math.min(rows.size(), (h - 32) / step - 1);
    int wide = (w - 20) / columns.size();
    for (int c = 0; c < columns.size(); c++) {
      String column = columns.get(c);
      text(panel.column(column), TITLE.deriveFont(10f), FAINT, 10 + c * wide, 40, wide - 6);
      for (int r = 0; r < shown; r++) {
        Series row = rows.get(r);
        String cell =
            column.equals("Value")
                ? unit(row.last().orElse(0), panel.unit())
                : row.labels().getOrDefault(column, "");
        text(cell, TEXT, INK, 10 + c * wide, 40 + (r + 1) * step, wide - 6);
      }
    }
    if (shown < rows.size()) {
      text("and " + (rows.size() - shown) + " more", TEXT, FAINT, w - 70, 19, 70);
    }
  }

  private static String name(Panel panel, Series series) {
    return series.name().isBlank() ? panel.title() : series.name();
  }

  private static Color color(Panel panel, Series series, int index) {
    Color next = new Color(PALETTE[index % PALETTE.length]);
    return NAMED.getOrDefault(panel.color(name(panel, series)), next);
  }

  private static Color mixedWithWhite(Color color) {
    return new Color(
        (color.getRed() + 255) / 2, (color.getGreen() + 255) / 2, (color.getBlue() + 255) / 2);
  }

  private int width(String words) {
    return out.getFontMetrics(TEXT).stringWidth(words);
  }

  /** Writes the beginning of a text that has room. */
  private void text(String words, Font font, Color color, int x, int y, int room) {
    out.setFont(font);
    out.setColor(color);
    String shown = words;
    while (out.getFontMetrics().stringWidth(shown) > room && shown.length() > 2) {
      shown = shown.substring(0, shown.length() - 2) + "\u2026";
    }
    out.drawString(shown, x, y);
  }

  /** A value in a unit of Grafana's. */
  private static String unit(double value, String unit) {
    double size = Math.abs(value);
    return switch (unit) {
      case "s" ->
          size == 0
              ? "0 s"
              : size < 1e-3
                  ? digits(value * 1e6) + " \u00b5s"
                  : size < 1
                      ? digits(value * 1e3) + " ms"
                      : size < 120
                          ? digits(value) + " s"
                          : size < 7_200
                              ? digits(value / 60) + " min"
                              : size < 172_800
                                  ? digits(value / 3_600) + " h"
                                  : digits(value / 86_400) + " d";
      case "bytes" ->
          size < 1 << 20
              ? digits(value / 1_024) + " KiB"
              : size < 1 << 30
                  ? digits(value / (1 << 20)) + " MiB"
                  : digits(value / (1 << 30)) + " GiB";
      case "percentunit" -> digits(value * 100) + " %";
      case "cps", "reqps" -> digits(value) + "/s";
      default ->
          size >= 1e6
              ? digits(value / 1e6) + " M"
              : size >= 1e4 ? digits(value / 1e3) + " k" : digits(value);
    };
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    String text =
        String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
