package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.PodOptions;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows what a sidecar decides, as it decides it. */
@Command(name = "tap")
final class TapCommand extends TerminalCommand {
  @Mixin LogWatch watch = new LogWatch();
  @Mixin PodOptions pod = new PodOptions();
  @Mixin OutputOption output = new OutputOption();

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "begin with so many of the latest lines, 0 to 10000 (default: 0)")
  int last;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "end after so many lines (default: never)")
  Optional<Long> count = Optional.empty();

  private long shown;

  @Override
  public Integer call() throws IOException {
    watch.check();
    check();
    TapText text = new TapText(terminal);
    Optional<Long> end = watch.endNanos();
    try (LineSource tail = watch.open(pod)) {
      tail.last(last).forEach(line -> show(line, text));
      do {
        LogWatch.poll(tail, terminal, line -> show(line, text));
        terminal.out().flush();
        if (terminal.out().checkError()) {
          return ExitStatus.OK; // nobody reads any more
        }
      } while (!isEnough() && LogWatch.pause(end));
    }
    return ExitStatus.OK;
  }

  private void check() {
    CommandProblem.checkRange("--last", last, 0, 10_000);
    if (count.isPresent() && count.get() < 1) {
      throw CommandProblem.usage("--count: expected 1 or more, got " + count.get());
    }
  }

  private boolean isEnough() {
    return count.isPresent() && shown >= count.get();
  }

  private void show(String line, TapText text) {
    Optional<JsonNode> wanted = isEnough() ? Optional.empty() : watch.wanted(line);
    if (wanted.isPresent()) {
      shown++;
      terminal.println(
          switch (output.format) {
            case JSON -> line;
            case TEXT -> text.of(wanted.get());
          });
    }
  }

  /** One line of the decision log, for people. */
  record TapText(Terminal terminal) {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final int NAME_MAX = 40;
    private static final int NOTICE_MAX = 240;

    String of(JsonNode line) {
      String type = SidecarClient.firstText(line, "type");
      return time(line)
          + " "
          + switch (type) {
            case "decision" -> decision(line);
            case "repair" ->
                event(
                    line,
                    "repair",
                    "attempt " + line.path("attempt").asInt(0),
                    "outcome",
                    "decisionId");
            case "review" -> event(line, "review", name(line, "what"), "who", "note", "reviewId");
            case "rejection" -> rejection(line);
            case "notice" ->
                terminal.warning(String.format(Locale.ROOT, "%-10s", "notice"))
                    + "  "
                    + name(line, "code")
                    + "  "
                    + TerminalEscaper.shortened(
                        SidecarClient.firstText(line, "detail"), NOTICE_MAX);
            case "config" -> event(line, "config", name(line, "what"), "configRevision", "detail");
            default -> TerminalEscaper.shortened(type, NAME_MAX);
          };
    }

    private String decision(JsonNode line) {
      StringBuilder text = new StringBuilder();
      String route = name(line, "route");
      boolean isCarriedOut = !name(line, "mode").equals("observe");
      text.append(
          switch (route) {
            case "execute" -> terminal.good(String.format(Locale.ROOT, "%-10s", route));
            case "warn" -> terminal.warning(String.format(Locale.ROOT, "%-10s", route));
            default ->
                terminal.bad(
                    String.format(Locale.ROOT, "%-10s", isCarriedOut ? route : "would " + route));
          });
      String action = name(line, "action");
      text.append(
          String.format(Locale.ROOT, " %-8s %-8s", name(line, "direction"), name(line, "kind")));
      append(text, "", name(line, "peer"));
      append(text, "rule ", name(line, "routeRule"));
      JsonNode signals = line.path("signals");
      if (signals.isObject()) {
        text.append(
            "  @C %.2f @G %.2f @S %.2f drift %.2f"
                .formatted(
                    signals.path("certainty").asDouble(Double.NaN),
                    signals.path("grounding").asDouble(Double.NaN),
                    signals.path("stochasticity").asDouble(Double.NaN),
                    line.path("drift").asDouble(Double.NaN)));
      }
      append(
          text,
          "",
          line.path("reasons")
              .valueStream()
              .map(reason -> TerminalEscaper.shortened(reason.asString(""), NAME_MAX))
              .collect(Collectors.joining(",")));
      if (!action.isEmpty() && !action.equals(route)) {
        append(text, "did ", action);
      }
      text.append(
          String.format(Locale.ROOT, "  %.1f ms", line.path("tJudgeUs").asLong(0) / 1000.0));
      append(text, "", terminal.faint(name(line, "id")));
      return text.toString();
    }

    /** A refusal, an agent that gave no answer, or a caller that did not wait for its. */
    private String rejection(JsonNode line) {
      String what =
          switch (SidecarClient.firstText(line, "layer")) {
            case "origin" -> "failed";
            case "caller" -> "left";
            default -> "refused";
          };
      StringBuilder text =
          new StringBuilder(
              event(line, what, name(line, "code"), "layer", "peer", "method", "path"));
      if (line.has("tTotalUs")) {
        append(text, "rule ", name(line, "routeRule"));
        append(text, "", name(line, "detail"));
        text.append(
            String.format(Locale.ROOT, "  %.1f ms", line.path("tTotalUs").asLong(0) / 1000.0));
        append(text, "", terminal.faint(name(line, "decisionId")));
      }
      if (line.path("leftOut").asLong(0) > 0) {
        append(text, "", line.path("leftOut").asLong(0) + " more before it");
      }
      return text.toString();
    }

    private String event(JsonNode line, String what, String first, String... names) {
      StringBuilder text =
          new StringBuilder(terminal.faint(String.format(Locale.ROOT, "%-10s", what)));
      append(text, "", first);
      for (String name : names) {
        append(text, "", name(line, name));
      }
      return text.toString();
    }

    private static void append(StringBuilder text, String label, String value) {
      if (!value.isEmpty()) {
        text.append("  ").append(label).append(value);
      }
    }

    private static String name(JsonNode line, String name) {
      return TerminalEscaper.shortened(SidecarClient.firstText(line, name), NAME_MAX);
    }

    private static String time(JsonNode line) {
      try {
        return TIME.format(
            Instant.parse(SidecarClient.firstText(line, "ts")).atZone(ZoneId.systemDefault()));
      } catch (DateTimeException e) {
        return "--:--:--.---";
      }
    }
  }
}
