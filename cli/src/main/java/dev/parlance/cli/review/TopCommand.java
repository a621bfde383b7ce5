package dev.parlance.cli.review;

import dev.parlance.cli.Colours;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a sidecar decides, counted by peer and rule. */
@Command(
    name = "top",
    description = {
      "Counts the decisions of a running sidecar by direction, peer and rule, again and again",
      "until Ctrl-C; the busiest rows first.",
      "",
      "Follows the decision log in the data folder, as tap does. Rates, means and p99 are those",
      "of the last interval; the counts by route are since the command was started."
    },
    footer = {
      "",
      "Examples:",
      "  parlance top --data-dir parlance-data",
      "  parlance top --direction inbound --interval 10"
    })
final class TopCommand implements Callable<Integer> {
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  @Mixin LogWatch watch = new LogWatch();
  @Mixin OutputOption output = new OutputOption();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "how often, 1 to 3600 (default: 2)")
  int intervalSeconds = 2;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "how many rows at most, 1 to 1000 (default: 20)")
  int rows = 20;

  private final Terminal terminal;

  TopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Optional<Integer> refusal = watch.refusal(terminal, problem());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    TopTallies tallies = new TopTallies();
    Optional<Long> end = watch.endNanos();
    long began = System.nanoTime();
    try (LogTail tail = watch.open()) {
      tail.last(0);
      boolean more = true;
      while (more) {
        more = LogWatch.pause(end);
        LogWatch.poll(tail, terminal, line -> watch.wanted(line).ifPresent(tallies::add));
        long now = System.nanoTime();
        if (now - began >= TimeUnit.SECONDS.toNanos(intervalSeconds) || !more) {
          print(tallies, (now - began) / 1e9);
          began = now;
          if (terminal.out().checkError()) {
            return ExitStatus.OK; // nobody reads any more
          }
        }
      }
    }
    return ExitStatus.OK;
  }

  private Optional<String> problem() {
    if (intervalSeconds < 1 || intervalSeconds > 3600) {
      return Optional.of("--interval: expected a number from 1 to 3600, got " + intervalSeconds);
    }
    return rows < 1 || rows > 1000
        ? Optional.of("--rows: expected a number from 1 to 1000, got " + rows)
        : Optional.empty();
  }

  private void print(TopTallies tallies, double seconds) {
    switch (output.format) {
      case JSON -> terminal.out().println(Json.text(tallies.take(rows, seconds)));
      case TEXT -> {
        if (terminal.colour()) {
          terminal.out().print(HOME_AND_CLEAR);
        }
        TopText.print(terminal, tallies.take(rows, seconds));
      }
    }
    terminal.out().flush();
  }

  /** Counted decisions, for people. */
  static final class TopText {
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
}
