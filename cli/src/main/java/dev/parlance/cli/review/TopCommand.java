package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.PodOptions;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What a sidecar decides, counted by peer and rule. */
@Command(name = "top")
final class TopCommand extends TerminalCommand {
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  @Mixin LogWatch watch = new LogWatch();
  @Mixin PodOptions pod = new PodOptions();
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

  @Override
  public Integer call() throws IOException {
    watch.check();
    CommandProblem.checkRange("--interval", intervalSeconds, 1, 3600);
    CommandProblem.checkRange("--rows", rows, 1, 1000);
    TopTallies tallies = new TopTallies();
    Optional<Long> end = watch.endNanos();
    long began = System.nanoTime();
    try (LineSource tail = watch.open(pod)) {
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

  private void print(TopTallies tallies, double seconds) {
    switch (output.format) {
      case JSON -> terminal.println(Json.text(tallies.take(rows, seconds)));
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
      var table =
          new TextTable(
              "",
              "direction, peer, rule, >per second, >execute, >warn, >regenerate, >yield, >mean @G,"
                  + " >mean drift, >judging p99");
      for (TopTallies.Row row : rows) {
        table.add(
            row.direction(),
            TerminalEscaper.shortened(row.peer(), 40),
            TerminalEscaper.shortened(row.rule(), 40),
            number(row.perSecond(), "%.1f"),
            row.execute(),
            count(row.warn(), terminal::warning),
            count(row.regenerate(), terminal::bad),
            count(row.yield(), terminal::bad),
            number(row.meanGrounding(), "%.2f"),
            number(row.meanDrift(), "%.2f"),
            number(row.judgeMsP99(), "%.1f ms"));
      }
      table.print(terminal.out());
      if (rows.isEmpty()) {
        terminal.println("nothing has been decided since this command was started");
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

  /** Decisions, counted by direction, peer and rule. One thread. */
  static final class TopTallies {
    /** Peers are named by others, so there may be any number of them. */
    private static final int GROUPS_MAX = 1000;

    private static final int TIMES_MAX = 1 << 16;

    /**
     * What decisions have in common.
     *
     * @param direction inbound or outbound
     * @param peer who is at the other end
     * @param rule the rule of the configuration that applied
     */
    record Group(String direction, String peer, String rule) {
      static final Group OTHERS = new Group("", "(others)", "");
    }

    /**
     * One row.
     *
     * @param perSecond decisions in each second of the last interval
     * @param execute since the start, as the three behind it
     * @param meanGrounding of the last interval; NaN if nothing was measured
     * @param meanDrift likewise
     * @param judgeMsP99 99th percentile of the time for judging, in the last interval; NaN if
     *     nothing was decided
     */
    record Row(
        String direction,
        String peer,
        String rule,
        double perSecond,
        long execute,
        long warn,
        long regenerate,
        long yield,
        double meanGrounding,
        double meanDrift,
        double judgeMsP99) {}

    private static final class Tally {
      private long execute;
      private long warn;
      private long regenerate;
      private long yield;
      private long decisions;
      private long measured;
      private double grounding;
      private double drift;
      private final List<Long> judgeUs = new ArrayList<>();

      private void add(JsonNode line) {
        decisions++;
        switch (SidecarClient.firstText(line, "route")) {
          case "execute" -> execute++;
          case "warn" -> warn++;
          case "regenerate" -> regenerate++;
          default -> yield++;
        }
        if (line.path("signals").isObject()) {
          measured++;
          grounding += line.path("signals").path("grounding").asDouble(0);
          drift += line.path("drift").asDouble(0);
        }
        if (judgeUs.size() < TIMES_MAX) {
          judgeUs.add(line.path("tJudgeUs").asLong(0));
        }
      }

      private Row take(Group group, double seconds) {
        long[] times = judgeUs.stream().mapToLong(Long::longValue).sorted().toArray();
        Row row =
            new Row(
                group.direction(),
                group.peer(),
                group.rule(),
                decisions / seconds,
                execute,
                warn,
                regenerate,
                yield,
                measured == 0 ? Double.NaN : grounding / measured,
                measured == 0 ? Double.NaN : drift / measured,
                times.length == 0
                    ? Double.NaN
                    : times[(int) Math.ceil(times.length * 0.99) - 1] / 1000.0);
        decisions = 0;
        measured = 0;
        grounding = 0;
        drift = 0;
        judgeUs.clear();
        return row;
      }
    }

    private final Map<Group, Tally> tallies = new HashMap<>();

    /** Counts a line of the log, if it is a decision. */
    void add(JsonNode line) {
      if (!SidecarClient.firstText(line, "type").equals("decision")) {
        return;
      }
      Group group =
          new Group(
              SidecarClient.firstText(line, "direction"),
              SidecarClient.firstText(line, "peer"),
              SidecarClient.firstText(line, "routeRule"));
      boolean known = tallies.containsKey(group) || tallies.size() < GROUPS_MAX;
      tallies.computeIfAbsent(known ? group : Group.OTHERS, _ -> new Tally()).add(line);
    }

    /**
     * The busiest rows of the interval that ends now.
     *
     * @param seconds how long it was, above 0
     */
    List<Row> take(int rows, double seconds) {
      Row[] all =
          tallies.entrySet().stream()
              .map(each -> each.getValue().take(each.getKey(), seconds))
              .toArray(Row[]::new);
      Arrays.sort(
          all,
          Comparator.comparingDouble(Row::perSecond)
              .thenComparingLong(row -> row.execute() + row.warn() + row.regenerate() + row.yield())
              .reversed()
              .thenComparing(Row::direction)
              .thenComparing(Row::peer)
              .thenComparing(Row::rule));
      return List.of(Arrays.copyOf(all, Math.min(rows, all.length)));
    }
  }
}
