package dev.parlance.cli.review;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Counted decisions, for people. */
final class TopText {
  private TopText() {}

  static void print(Terminal terminal, List<TopTallies.Row> rows) {
    var paint = new Colours(terminal);
    var table =
        new TextTable(
            "",
            "direction",
            "peer",
            "rule",
            ">per second",
            ">execute",
            ">warn",
            ">regenerate",
            ">yield",
            ">mean @G",
            ">mean drift",
            ">judging p99");
    for (TopTallies.Row row : rows) {
      table.add(
          row.direction(),
          TerminalEscaper.shortened(row.peer(), 40),
          TerminalEscaper.shortened(row.rule(), 40),
          number(row.perSecond(), "%.1f"),
          row.execute(),
          count(row.warn(), paint::warning),
          count(row.regenerate(), paint::bad),
          count(row.yield(), paint::bad),
          number(row.meanGrounding(), "%.2f"),
          number(row.meanDrift(), "%.2f"),
          number(row.judgeMsP99(), "%.1f ms"));
    }
    table.print(terminal.out());
    if (rows.isEmpty()) {
      terminal.out().println("nothing has been decided since this command was started");
    }
  }

  private static TextTable.Cell count(long number, UnaryOperator<String> colour) {
    return new TextTable.Cell(
        Long.toString(number), number == 0 ? UnaryOperator.identity() : colour);
  }

  private static String number(double value, String form) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, form, value);
  }
}
