package dev.parlance.it;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a dashboard as one SVG, panel by panel, with XChart. It looks a little like Grafana and is
 * none: what it shows for certain is what each panel's question was answered with.
 */
final class DashboardPicture {
  private static final int COLUMN = 50;
  private static final int LINE = 28;
  private static final int GAP = 8;
  private static final int HEAD = 52;
  private static final int ROWS_MAX = 12;
  private static final int TABLE_LINE = 20;
  private static final Color INK = new Color(0x1f2933);
  private static final Color FAINT = new Color(0x6b7785);
  private static final Color EDGE = new Color(0xdfe3e8);
  private static final Map<String, Color> NAMED =
      Map.of(
          "green", new Color(0x3a9e4e),
          "yellow", new Color(0xd9a400),
          "orange", new Color(0xe8710a),
          "red", new Color(0xd93a4a),
          "text", INK);

  private final Dashboard dashboard;
  private final double from;

  /**
   * A picture of what happened since a moment.
   *
   * @param from seconds since 1970
   */
  DashboardPicture(Dashboard dashboard, double from) {
    this.dashboard = dashboard;
    this.from = from;
  }

  /**
   * The picture.
   *
   * @param answers by a panel's id: the series of each of its targets, in order
   */
  byte[] draw(Map<Integer, List<List<PanelSeries>>> answers) throws IOException {
    int lines =
        dashboard.panels().stream()
            .mapToInt(panel -> panel.place().y() + panel.place().h())
            .max()
            .orElse(0);
    int width = 24 * COLUMN + GAP;
    int height = HEAD + lines * LINE + GAP;
    VectorGraphics2D svg = new VectorGraphics2D();
    svg.setColor(new Color(0xf3f5f7));
    svg.fillRect(0, 0, width, height);
    text(svg, dashboard.title(), GAP + 4, 32, 18, Font.BOLD, INK);
    for (Dashboard.Panel panel : dashboard.panels()) {
      draw(svg, panel, answers.getOrDefault(panel.id(), List.of()));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SVGProcessor().getDocument(svg.getCommands(), new PageSize(width, height)).writeTo(out);
    return out.toByteArray();
  }

  private void draw(Graphics2D svg, Dashboard.Panel panel, List<List<PanelSeries>> all) {
    Dashboard.Place at = panel.place();
    Rectangle card =
        new Rectangle(
            GAP + at.x() * COLUMN,
            HEAD + at.y() * LINE,
            at.w() * COLUMN - GAP,
            at.h() * LINE - GAP);
    if (panel.kind() == Dashboard.Kind.ROW) {
      text(svg, panel.title(), card.x + 4, card.y + 16, 13, Font.BOLD, FAINT);
      return;
    }
    svg.setColor(Color.WHITE);
    svg.fillRect(card.x, card.y, card.width, card.height);
    svg.setColor(EDGE);
    svg.drawRect(card.x, card.y, card.width, card.height);
    text(svg, cut(panel.title(), card.width), card.x + 10, card.y + 19, 12, Font.BOLD, INK);
    Rectangle inside = new Rectangle(card.x + 4, card.y + 26, card.width - 8, card.height - 30);
    List<PanelSeries> drawable =
        all.stream().flatMap(List::stream).filter(PanelSeries::isDrawable).toList();
    if (drawable.isEmpty()) {
      text(svg, "no data", inside.x + inside.width / 2 - 20, inside.y + 20, 12, Font.PLAIN, FAINT);
      return;
    }
    switch (panel.kind()) {
      case ROW -> throw new IllegalStateException("drawn above");
      case STAT -> {
        String value = GrafanaUnit.format(last(drawable.getFirst()), panel.unit());
        int x = inside.x + inside.width / 2 - value.length() * 8;
        text(svg, value, x, inside.y + inside.height / 2 + 10, 28, Font.PLAIN, INK);
      }
      case TIMESERIES -> paint(svg, lines(panel, all), inside);
      case BARGAUGE -> paint(svg, bars(panel, drawable), inside);
      case TABLE -> table(svg, panel, drawable, inside);
    }
  }

  private static void paint(Graphics2D svg, Chart<?, ?> chart, Rectangle at) {
    Graphics2D part = (Graphics2D) svg.create();
    part.translate(at.x, at.y);
    chart.paint(part, at.width, at.height);
    part.dispose();
  }

  private XYChart lines(Dashboard.Panel panel, List<List<PanelSeries>> all) {
    XYChart chart = new XYChartBuilder().build();
    style(chart.getStyler(), panel);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    Function<Double, String> minutes =
        value ->
            String.format(Locale.ROOT, "%d:%02d", value.intValue() / 60, value.intValue() % 60);
    chart.getStyler().setXAxisTickLabelsFormattingFunction(minutes);
    chart.getStyler().setYAxisMin(0.0);
    Set<Double> times = new TreeSet<>();
    all.forEach(
        list -> list.forEach(one -> one.points().forEach(point -> times.add(point.seconds()))));
    double[] seconds = times.stream().mapToDouble(at -> at - from).toArray();
    double[] below = new double[seconds.length];
    List<Runnable> stacked = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String legend = panel.targets().get(i).legend();
      List<PanelSeries> sorted =
          all.get(i).stream()
              .filter(PanelSeries::isDrawable)
              .sorted(Comparator.comparing(series -> series.name(legend)))
              .toList();
      for (PanelSeries series : sorted) {
        String name = unique(chart, stacked.size(), series.name(legend), panel.title());
        double[] values = values(series, times);
        if (panel.isStacked()) {
          for (int k = 0; k < values.length; k++) {
            below[k] += Double.isFinite(values[k]) ? values[k] : 0;
          }
          double[] upTo = below.clone();
          // the highest area first, so that the lower ones are painted over it
          stacked.addFirst(() -> add(chart, panel, name, seconds, upTo, XYSeriesRenderStyle.Area));
        } else {
          add(chart, panel, name, seconds, values, XYSeriesRenderStyle.Line);
        }
      }
    }
    stacked.forEach(Runnable::run);
    return chart;
  }

  private static String unique(XYChart chart, int count, String name, String otherwise) {
    String said = name.isBlank() ? otherwise : name;
    return chart.getSeriesCollection().stream().anyMatch(one -> one.getName().equals(said))
        ? said + " (" + (chart.getSeriesCollection().size() + count) + ")"
        : said;
  }

  private static void add(
      XYChart chart,
      Dashboard.Panel panel,
      String name,
      double[] seconds,
      double[] values,
      XYSeriesRenderStyle style) {
    var series = chart.addSeries(name, seconds, values);
    series.setMarker(SeriesMarkers.NONE);
    series.setXYSeriesRenderStyle(style);
    series.setLineStyle(new BasicStroke(1.5f));
    Color named = NAMED.get(panel.colors().getOrDefault(name, ""));
    if (named != null) {
      series.setLineColor(named);
      series.setFillColor(named);
    }
  }

  private static double[] values(PanelSeries series, Set<Double> times) {
    Map<Double, Double> byTime = new TreeMap<>();
    series.points().forEach(point -> byTime.put(point.seconds(), point.value()));
    return times.stream()
        .mapToDouble(at -> byTime.getOrDefault(at, Double.NaN))
        .map(value -> Double.isFinite(value) ? value : Double.NaN)
        .toArray();
  }

  private static HorizontalBarChart bars(Dashboard.Panel panel, List<PanelSeries> drawable) {
    HorizontalBarChart chart = new HorizontalBarChartBuilder().build();
    style(chart.getStyler(), panel);
    chart.getStyler().setLegendVisible(false);
    String legend = panel.targets().getFirst().legend();
    Map<String, Double> values = new TreeMap<>();
    drawable.forEach(one -> values.merge(one.name(legend), last(one), Double::sum));
    List<Map.Entry<String, Double>> most =
        values.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .limit(ROWS_MAX)
            .toList()
            .reversed();
    chart.addSeries(
        panel.title(),
        most.stream().map(Map.Entry::getValue).toList(),
        most.stream().map(Map.Entry::getKey).toList());
    return chart;
  }

  private static void style(AxesChartStyler styler, Dashboard.Panel panel) {
    Font small = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
    styler.setChartTitleVisible(false);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(EDGE);
    styler.setAxisTickLabelsFont(small);
    styler.setAxisTickLabelsColor(FAINT);
    styler.setLegendFont(small);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendSeriesLineLength(10);
    styler.setChartPadding(2);
    Function<Double, String> unit = value -> GrafanaUnit.format(value, panel.unit());
    if (panel.kind() == Dashboard.Kind.BARGAUGE) {
      styler.setXAxisTickLabelsFormattingFunction(unit);
    } else {
      styler.setYAxisTickLabelsFormattingFunction(unit);
    }
  }

  private static void table(
      Graphics2D svg, Dashboard.Panel panel, List<PanelSeries> drawable, Rectangle at) {
    List<PanelSeries> rows =
        drawable.stream()
            .sorted(Comparator.comparing(one -> new TreeMap<>(one.labels()).toString()))
            .limit(at.height / TABLE_LINE - 1)
            .toList();
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(new TreeMap<>(row.labels()).keySet()));
    columns.remove("__name__");
    int width = at.width / (columns.size() + 1);
    int x = at.x + 6;
    for (String column : columns) {
      String heading = panel.columns().getOrDefault(column, column);
      column(svg, heading, rows, row -> row.labels().getOrDefault(column, ""), x, at.y, width);
      x += width;
    }
    column(svg, "Value", rows, row -> GrafanaUnit.format(last(row), panel.unit()), x, at.y, width);
    if (rows.size() < drawable.size()) {
      String more = "and " + (drawable.size() - rows.size()) + " more";
      text(svg, more, at.x + at.width - 60, at.y - 6, 10, Font.PLAIN, FAINT);
    }
  }

  private static void column(
      Graphics2D svg,
      String heading,
      List<PanelSeries> rows,
      Function<PanelSeries, String> cell,
      int x,
      int y,
      int width) {
    text(svg, cut(heading, width), x, y + 12, 10, Font.BOLD, FAINT);
    int below = y + 12;
    for (PanelSeries row : rows) {
      below += TABLE_LINE;
      text(svg, cut(cell.apply(row), width), x, below, 10, Font.PLAIN, INK);
    }
  }

  private static double last(PanelSeries series) {
    OptionalDouble value = series.last();
    return value.orElse(Double.NaN);
  }

  /** The beginning of a text that has room, by the width of a usual character. */
  private static String cut(String text, int width) {
    int most = Math.max(2, (width - 6) / 6);
    return text.length() <= most ? text : text.substring(0, most - 1) + "\u2026";
  }

  private static void text(
      Graphics2D svg, String text, int x, int y, int size, int style, Color color) {
    svg.setFont(new Font(Font.SANS_SERIF, style, size));
    svg.setColor(color);
    svg.drawString(text, x, y);
  }
}
