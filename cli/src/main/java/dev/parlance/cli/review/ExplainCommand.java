package dev.parlance.cli.review;

import dev.parlance.cli.AdminClient;
import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.AdminReply;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.proxy.audit.Explanation;
import dev.parlance.proxy.audit.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers "why": finds a decision and computes it again. Reads the decision log of a data folder
 * (the sidecar need not run), one log file, or asks a running sidecar.
 */
@Command(
    name = "explain",
    description = {
      "Says why a message took its route, and computes the decision again from what was logged.",
      "ID is the id of the decision (field Parlance-Decision) or of the held message.",
      "Exit status 1 if there is no such decision or it does not come out as logged."
    },
    footer = {
      "",
      "Examples:",
      "  parlance explain ID --data-dir parlance-data",
      "  parlance explain ID --log decisions.jsonl -o json",
      "  parlance explain ID --admin http://127.0.0.1:15000 --token-file admin.token"
    })
final class ExplainCommand implements Callable<Integer> {
  /** What came of looking for the decision. */
  private sealed interface Looked {
    /** It is there. */
    record Up(DecisionFiles.Found found) implements Looked {}

    /** It is not, for this reason. */
    record Failed(int status, String message) implements Looked {}
  }

  @Parameters(paramLabel = "ID", description = "id of a decision, or of a held message")
  String id = "";

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "one decision log file instead of a data folder")
  Optional<Path> log = Optional.empty();

  @Mixin AdminOptions admin = new AdminOptions();
  @Mixin OutputOption output = new OutputOption();

  private final Terminal terminal;

  ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!AdminOptions.isId(id)) {
      return terminal.complain(
          ExitStatus.USAGE,
          "explain: not an id of a decision: " + TerminalEscaper.shortened(id, 80));
    }
    return switch (look()) {
      case Looked.Failed(int status, String message) ->
          terminal.complain(status, "explain: " + message);
      case Looked.Up(DecisionFiles.Found found) ->
          switch (Replay.of(found.decision())) {
            case Replay.Result.Unreadable(String code, String detail) ->
                terminal.complain(
                    ExitStatus.FAILED,
                    "explain: the logged line cannot be read: " + code + ", " + detail);
            case Replay.Result.Explained(Explanation explanation) -> {
              switch (output.format) {
                case TEXT -> print(explanation, found.related());
                case JSON -> terminal.json(json(explanation, found));
              }
              yield explanation.reproduces() ? ExitStatus.OK : ExitStatus.FAILED;
            }
          };
    };
  }

  private Looked look() throws IOException {
    if (admin.admin.isPresent() && log.isEmpty()) {
      return ask();
    }
    Path place = log.or(() -> admin.dataDir).orElse(AdminOptions.DATA_DIR_DEFAULT);
    boolean usable = log.isPresent() ? Files.isReadable(place) : Files.isDirectory(place);
    if (!usable) {
      return new Looked.Failed(
          ExitStatus.USAGE,
          "cannot read "
              + place
              + "; expected "
              + (log.isPresent() ? "a decision log file" : "the data folder of a sidecar"));
    }
    DecisionFiles files = log.isPresent() ? DecisionFiles.of(place) : DecisionFiles.in(place);
    if (files.isEmpty()) {
      return new Looked.Failed(ExitStatus.FAILED, "there is no decisions.jsonl in " + place);
    }
    return files
        .find(id)
        .<Looked>map(Looked.Up::new)
        .orElseGet(() ->
            new Looked.Failed(
                ExitStatus.FAILED, "no decision " + id + " in the decision log of " + place));
  }

  private Looked ask() throws IOException {
    return switch (admin.find()) {
      case AdminOptions.Found.Missing(String message) ->
          new Looked.Failed(ExitStatus.FAILED, message);
      case AdminOptions.Found.Address address -> {
        try (var client = new AdminClient(address)) {
          yield switch (client.get("/decisions/" + id)) {
            case AdminReply.Failed(int _, String message) ->
                new Looked.Failed(ExitStatus.FAILED, message);
            case AdminReply.Answered(JsonNode line) ->
                new Looked.Up(new DecisionFiles.Found(Json.text(line), List.of()));
          };
        }
      }
    };
  }

  private void print(Explanation explanation, List<String> related) {
    terminal.out().println(TerminalEscaper.block(explanation.text()));
    for (String line : related) {
      JsonNode entry = Json.MAPPER.readTree(line);
      terminal.line("  Later      " + AdminClient.firstText(entry, "ts") + " " + sentence(entry));
    }
  }

  private static String sentence(JsonNode entry) {
    return switch (AdminClient.firstText(entry, "type")) {
      case "repair" -> "the author was asked again: " + AdminClient.firstText(entry, "outcome");
      case "decision" ->
          "decision "
              + AdminClient.firstText(entry, "id")
              + ": "
              + AdminClient.firstText(entry, "route")
              + ", "
              + AdminClient.firstText(entry, "action");
      default -> act(entry);
    };
  }

  private static String act(JsonNode entry) {
    String who = AdminClient.firstText(entry, "who");
    String note = AdminClient.firstText(entry, "note");
    return AdminClient.firstText(entry, "what")
        + (who.isEmpty() ? "" : " by " + who)
        + (note.isEmpty() ? "" : ": " + note);
  }

  private static ObjectNode json(Explanation explanation, DecisionFiles.Found found) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("explanation", Json.MAPPER.readTree(explanation.json()));
    json.set("decision", Json.MAPPER.readTree(found.decision()));
    ArrayNode related = json.putArray("related");
    found.related().forEach(line -> related.add(Json.MAPPER.readTree(line)));
    return json;
  }
}
