package dev.parlance.loadtest.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Rows under headers; every row has one cell per header. First column left, the others right. */
public record ReportTable(String title, List<String> headers, List<List<String>> rows) {
  public ReportTable {
    headers = List.copyOf(headers);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != headers.size()) {
        throw new IllegalArgumentException("expected " + headers.size() + " cells, got " + row);
      }
    }
  }

  public String text() {
    int[] widths = new int[headers.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] =
          rows.stream()
              .mapToInt(row -> row.get(column).length())
              .reduce(headers.get(i).length(), Math::max);
    }
    StringBuilder out = new StringBuilder(title).append('\n');
    line(out, headers, widths);
    rows.forEach(row -> line(out, row, widths));
    return out.toString();
  }

  private static void line(StringBuilder out, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder("  ");
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(i == 0 ? cells.get(i) + padding : padding + cells.get(i));
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }

  public String markdown() {
    StringBuilder out = new StringBuilder("**").append(title).append("**\n\n");
    out.append("| ").append(String.join(" | ", headers)).append(" |\n");
    out.append("| ---").append(" | ---:".repeat(headers.size() - 1)).append(" |\n");
    rows.forEach(row -> out.append("| ").append(String.join(" | ", row)).append(" |\n"));
    return out.toString();
  }

  /** Median and extremes of one figure over the rounds. */
  public record Range(double median, double min, double max) {
    /** Empty if there is no value; an even number of values takes the mean of the middle two. */
    public static Optional<Range> of(List<Double> values) {
      if (values.isEmpty()) {
        return Optional.empty();
      }
      double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      double median =
          sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
      return Optional.of(new Range(median, sorted[0], sorted[sorted.length - 1]));
    }
  }
}
