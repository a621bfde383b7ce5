package dev.parlance.cli.review;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.client.SidecarClient;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What enforcing would have held of the messages that a sidecar has only observed. */
@Command(name = "forecast")
final class ForecastCommand extends TerminalCommand {
  private static final String UNREAD = "forward_unjudged_";

  @Mixin LogWatch watch = new LogWatch();
  @Mixin OutputOption output = new OutputOption();

  /** The kinds of messages that would be held, in the order of their names. */
  private record Kind(String rule, String direction, String kind, String route, String reason)
      implements Comparable<Kind> {
    @Override
    public int compareTo(Kind other) {
      return toString().compareTo(other.toString());
    }
  }

  private static final int LINE_BYTES_MAX = 1 << 20;

  private final Map<Kind, Long> held = new TreeMap<>();
  private long observed;
  private long wouldHold;

  @Override
  public Integer call() throws IOException {
    watch.check();
    watch.open().close(); // says that there is no folder
    try (Stream<Path> files = Files.list(watch.dataDir)) {
      for (Path file : files.filter(ForecastCommand::isLog).toList()) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          count(new LineReader(in, LINE_BYTES_MAX, () -> {}));
        }
      }
    }
    List<Map.Entry<Kind, Long>> rows =
        held.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .toList();
    output.print(terminal, json(rows), () -> print(rows));
    return ExitStatus.OK;
  }

  /** A line that a crash has torn, whatever is left of it, is passed over. */
  private void count(LineReader lines) throws IOException {
    LineReader.Line line = lines.next();
    while (!(line instanceof LineReader.Line.End)) {
      if (line instanceof LineReader.Line.Whole(byte[] bytes)) {
        watch.wanted(new String(bytes, StandardCharsets.UTF_8)).ifPresent(this::count);
      }
      line = lines.next();
    }
  }

  private static boolean isLog(Path file) {
    return file.getFileName().toString().matches("decisions(-[0-9]+)?\\.jsonl");
  }

  private void count(JsonNode line) {
    if (!text(line, "type").equals("decision") || !text(line, "mode").equals("observe")) {
      return;
    }
    observed++;
    String action = text(line, "action");
    String route = text(line, "route");
    boolean isUnread = action.startsWith(UNREAD);
    if (isUnread || route.equals("regenerate") || route.equals("yield")) {
      wouldHold++;
      held.merge(
          new Kind(
              text(line, "routeRule"),
              text(line, "direction"),
              text(line, "kind"),
              isUnread ? "refuse" : route,
              isUnread
                  ? action.substring("forward_".length())
                  : line.path("reasons").path(0).asString("")),
          1L,
          Long::sum);
    }
  }

  private static String text(JsonNode line, String name) {
    return SidecarClient.firstText(line, name);
  }

  private void print(List<Map.Entry<Kind, Long>> rows) {
    if (observed == 0) {
      terminal.println("No message was observed: there is none in the log with mode observe.");
      return;
    }
    terminal.println(
        "Enforcing would have held %d of %d messages (%.1f %%)."
            .formatted(wouldHold, observed, 100.0 * wouldHold / observed));
    if (!rows.isEmpty()) {
      TextTable table = new TextTable("", ">held, rule, direction, kind, would, reason");
      rows.forEach(row ->
          table.add(
              row.getValue(),
              row.getKey().rule(),
              row.getKey().direction(),
              row.getKey().kind(),
              row.getKey().route(),
              row.getKey().reason().toLowerCase(Locale.ROOT)));
      table.print(terminal.out());
    }
  }

  private JsonNode json(List<Map.Entry<Kind, Long>> rows) {
    ObjectNode all = Json.MAPPER.createObjectNode();
    all.put("observed", observed).put("wouldHold", wouldHold);
    ArrayNode kinds = all.putArray("kinds");
    rows.forEach(row ->
        kinds
            .addObject()
            .put("rule", row.getKey().rule())
            .put("direction", row.getKey().direction())
            .put("kind", row.getKey().kind())
            .put("would", row.getKey().route())
            .put("reason", row.getKey().reason())
            .put("messages", row.getValue()));
    return all;
  }
}
