package dev.parlance.cli.offline;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.offline.Calibration.Keep;
import dev.parlance.cli.offline.CalibrationReport.Chosen;
import dev.parlance.cli.offline.CalibrationReport.Point;
import dev.parlance.cli.offline.CalibrationReport.Row;
import dev.parlance.cli.offline.ScoredSet.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints what {@code calibrate} has found, for people. */
record CalibrationText(Terminal terminal) {
  /** Rates of false blocks that fit into a line. */
  private static final List<Double> SHOWN_RATES = List.of(0.05, 0.1, 0.2, 0.3, 0.4);

  void print(CalibrationReport report, Optional<Chosen> chosen) {
    List<Row> rows = new ArrayList<>(report.sets().stream().map(report::row).toList());
    rows.add(report.pooled());
    report.mean().ifPresent(rows::add);
    terminal.println(
        "profile %s, groundingMin %s: %d lines, %d of them refused",
        report.profile().name(),
        report.profile().thresholds().groundingMin(),
        report.read(),
        report.refused());
    terminal.out().println();
    figures(report, rows);
    terminal.out().println();
    terminal.println(
        "ungrounded let through, and groundingMin, where so much of the grounded is sent back");
    curve(rows);
    otherRules(report);
    chosen.ifPresent(this::print);
  }

  private void figures(CalibrationReport report, List<Row> rows) {
    String against = report.other().map(other -> ", >over " + other.name()).orElse("");
    var table =
        new TextTable(
            "  ",
            "set, >n, >grounded, >AUROC, >95 %"
                + against
                + ", >grounded sent back, >ungrounded let through");
    for (Row row : rows) {
      int n = row.grounded() + row.ungrounded();
      List<Object> cells = new ArrayList<>();
      cells.add(row.name());
      cells.add(n == 0 ? "" : Integer.toString(n));
      cells.add(n == 0 ? "" : percent((double) row.grounded() / n));
      cells.add(row.auroc().map(auroc -> fixed(auroc.value())).orElse("-"));
      cells.add(row.auroc().map(CalibrationText::interval).orElse("-"));
      if (report.other().isPresent()) {
        cells.add(
            row.gain()
                .map(gain ->
                    String.format(
                        Locale.ROOT, "%+.3f [%+.3f, %+.3f]", gain.value(), gain.low(), gain.high()))
                .orElse("-"));
      }
      cells.add(percent(row.now().groundedSentBack()));
      cells.add(percent(row.now().ungroundedLetThrough()));
      table.add(cells.toArray());
    }
    table.print(terminal.out());
  }

  private void curve(List<Row> rows) {
    StringBuilder headings = new StringBuilder("set");
    SHOWN_RATES.forEach(rate -> headings.append(", >").append(percent(rate)));
    var table = new TextTable("  ", headings.toString());
    for (Row row : rows) {
      List<Object> cells = new ArrayList<>();
      cells.add(row.name());
      for (double rate : SHOWN_RATES) {
        Point point = row.curve().get(rate);
        cells.add(
            point == null
                ? "-"
                : percent(point.outcome().ungroundedLetThrough())
                    + (Double.isNaN(point.threshold()) ? "" : " " + fixed(point.threshold())));
      }
      table.add(cells.toArray());
    }
    table.print(terminal.out());
  }

  private void otherRules(CalibrationReport report) {
    if (report.otherReasons().isEmpty()) {
      return;
    }
    terminal.out().println();
    terminal.println("sent back by rules beside groundingMin, whatever that is");
    var table = new TextTable("  ", "reason, >grounded, >ungrounded");
    report
        .otherReasons()
        .forEach((reason, counts) ->
            table.add(reason.code(), Long.toString(counts[0]), Long.toString(counts[1])));
    table.print(terminal.out());
  }

  private void print(Chosen chosen) {
    terminal.out().println();
    terminal.println(
        "at most %s of the grounded sent back %s: groundingMin %s",
        percent(chosen.rate()),
        chosen.keep() == Keep.WORST ? "in every set" : "in the mean of the sets",
        chosen.threshold());
    var table =
        new TextTable(
            "  ",
            "set, >grounded sent back, >ungrounded let through, >chosen without the set, "
                + ">grounded sent back, >ungrounded let through");
    List<Outcome> inside = new ArrayList<>();
    List<Outcome> outside = new ArrayList<>();
    for (var left : chosen.leftOut()) {
      inside.add(left.set().at(chosen.threshold()));
      outside.add(left.outcome());
      table.add(
          left.set().name(),
          percent(inside.getLast().groundedSentBack()),
          percent(inside.getLast().ungroundedLetThrough()),
          left.threshold().isPresent() ? fixed(left.threshold().getAsDouble()) : "none",
          percent(outside.getLast().groundedSentBack()),
          percent(outside.getLast().ungroundedLetThrough()));
    }
    if (inside.isEmpty()) {
      terminal.println(
          "  one set alone has enough lines: how the threshold does on other texts is not known");
    } else {
      table.add(
          "mean of sets",
          percent(Outcome.mean(inside).groundedSentBack()),
          percent(Outcome.mean(inside).ungroundedLetThrough()),
          "",
          percent(Outcome.mean(outside).groundedSentBack()),
          percent(Outcome.mean(outside).ungroundedLetThrough()));
      table.print(terminal.out());
    }
    terminal.out().println();
    terminal.out().print(chosen.profile());
  }

  private static String interval(Auroc.Estimate estimate) {
    return Double.isNaN(estimate.standardError())
        ? "-"
        : fixed(Math.max(0, estimate.low())) + " to " + fixed(Math.min(1, estimate.high()));
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static String fixed(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
