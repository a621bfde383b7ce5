package dev.parlance.cli.review;

import dev.parlance.cli.AdminClient;
import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** One line of the decision log, for people. */
final class TapText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
  private static final int NAME_MAX = 40;

  private final Colours paint;

  TapText(Terminal terminal) {
    this.paint = new Colours(terminal);
  }

  String of(JsonNode line) {
    String type = AdminClient.firstText(line, "type");
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
          case "rejection" -> event(line, "refused", name(line, "code"), "layer", "peer");
          case "config" -> event(line, "config", name(line, "what"), "configRevision", "detail");
          default -> TerminalEscaper.shortened(type, NAME_MAX);
        };
  }

  private String decision(JsonNode line) {
    StringBuilder text = new StringBuilder();
    String route = name(line, "route");
    text.append(
        switch (route) {
          case "execute" -> paint.good(String.format(Locale.ROOT, "%-10s", route));
          case "warn" -> paint.warning(String.format(Locale.ROOT, "%-10s", route));
          default -> paint.bad(String.format(Locale.ROOT, "%-10s", route));
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
    text.append(String.format(Locale.ROOT, "  %.1f ms", line.path("tJudgeUs").asLong(0) / 1000.0));
    append(text, "", paint.faint(name(line, "id")));
    return text.toString();
  }

  private String event(JsonNode line, String what, String first, String... names) {
    StringBuilder text = new StringBuilder(paint.faint(String.format(Locale.ROOT, "%-10s", what)));
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
    return TerminalEscaper.shortened(AdminClient.firstText(line, name), NAME_MAX);
  }

  private static String time(JsonNode line) {
    try {
      return TIME.format(
          Instant.parse(AdminClient.firstText(line, "ts")).atZone(ZoneId.systemDefault()));
    } catch (DateTimeException e) {
      return "--:--:--.---";
    }
  }
}
