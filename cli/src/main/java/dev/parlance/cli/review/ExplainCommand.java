package dev.parlance.cli.review;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.CallRefused;
import dev.parlance.client.SidecarClient;
import dev.parlance.proxy.audit.Explanation;
import dev.parlance.proxy.audit.LoggedProfiles;
import dev.parlance.proxy.audit.Replay;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers "why": finds a decision and computes it again. Reads the decision log of a data folder
 * (the sidecar need not run), one log file, or asks a running sidecar.
 */
@Command(name = "explain")
final class ExplainCommand extends TerminalCommand {
  /**
   * A decision and what the log says about it later.
   *
   * @param decision the line of the decision
   * @param related later lines that name it or its held message: repairs, people's acts, decisions;
   *     oldest first
   */
  record Found(String decision, List<String> related) {
    /** Copies the list. */
    Found {
      related = List.copyOf(related);
    }
  }

  @Parameters(paramLabel = "ID", description = "id of a decision, or of a held message")
  String id = "";

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "one decision log file instead of a data folder")
  Optional<Path> log = Optional.empty();

  @Option(names = "--equations", description = "also the equations that led there")
  boolean equations;

  @Option(
      names = "--exact",
      description = "numbers with all their digits (default: three decimals)")
  boolean exact;

  @Mixin AdminOptions admin = new AdminOptions();
  @Mixin OutputOption output = new OutputOption();

  @Override
  public Integer call() throws IOException {
    if (!AdminOptions.isId(id)) {
      return terminal.usage(
          "explain: not an id of a decision: " + TerminalEscaper.shortened(id, 80));
    }
    Found found;
    Optional<JsonNode> judgement = Optional.empty();
    try {
      found = look();
      judgement = judgement(found);
    } catch (CommandProblem problem) {
      return terminal.complain(problem.status(), "explain: " + problem.getMessage());
    } catch (CallRefused refused) {
      return terminal.fail("explain: " + refused.getMessage());
    }
    Optional<JsonNode> marked = judgement;
    return switch (Replay.of(found.decision())) {
      case Replay.Result.Unreadable(String code, String detail) ->
          terminal.fail("explain: the logged line cannot be read: %s, %s", code, detail);
      case Replay.Result.Explained(Explanation explanation) -> {
        output.print(terminal, json(explanation, found), () -> print(found, marked));
        yield explanation.reproduces() ? ExitStatus.OK : ExitStatus.FAILED;
      }
    };
  }

  private Found look() throws IOException {
    if ((admin.admin.isPresent() || admin.pod.isGiven()) && log.isEmpty()) {
      try (var client = admin.client()) {
        return new Found(Json.text(client.get("/decisions/" + id)), List.of());
      }
    }
    Path place = log.or(() -> admin.dataDir).orElse(AdminOptions.DATA_DIR_DEFAULT);
    boolean usable = log.isPresent() ? Files.isReadable(place) : Files.isDirectory(place);
    if (!usable) {
      throw CommandProblem.usage(
          "cannot read %s; expected %s"
              .formatted(
                  place, log.isPresent() ? "a decision log file" : "the data folder of a sidecar"));
    }
    DecisionFiles files = log.isPresent() ? DecisionFiles.of(place) : DecisionFiles.in(place);
    if (files.isEmpty()) {
      throw CommandProblem.failed("there is no decisions.jsonl in " + place);
    }
    return files
        .find(id)
        .orElseThrow(
            () -> CommandProblem.failed("no decision " + id + " in the decision log of " + place));
  }

  /** How the answer of a held message is judged, word by word; only a running sidecar can say. */
  private Optional<JsonNode> judgement(Found found) throws IOException {
    String held = SidecarClient.firstText(Json.MAPPER.readTree(found.decision()), "reviewId");
    Path url = admin.dataDir.orElse(AdminOptions.DATA_DIR_DEFAULT).resolve("admin.url");
    boolean mayRun = admin.admin.isPresent() || Files.isReadable(url);
    if (!mayRun || log.isPresent() || !AdminOptions.isId(held)) {
      return Optional.empty();
    }
    try (var client = admin.client()) {
      return Optional.of(client.get("/review/" + held + "/judgement"));
    } catch (CallRefused refused) {
      if (refused.isNotFound() || admin.admin.isEmpty()) {
        return Optional.empty(); // forgotten, an older sidecar, or it does not run
      }
      throw refused;
    } catch (CommandProblem problem) {
      if (admin.admin.isEmpty()) {
        return Optional.empty(); // somebody else's sidecar: the log is enough
      }
      throw problem;
    }
  }

  private void print(Found found, Optional<JsonNode> judgement) {
    Replay.Numbers numbers = exact ? Replay.Numbers.EXACT : Replay.Numbers.ROUNDED;
    if (Replay.of(found.decision(), numbers)
        instanceof Replay.Result.Explained(Explanation explanation)) {
      terminal.println(
          "%s",
          TerminalEscaper.block(
              explanation.text(
                  equations ? Explanation.Equations.TOLD : Explanation.Equations.LEFT_OUT)));
    }
    judgement.ifPresent(drafts -> {
      JsonNode draft = drafts.path("drafts").path(drafts.path("drafts").size() - 1);
      terminal.println("%s", "  Words      what the evidence has nowhere is marked:");
      MarkedText.of(terminal, draft)
          .lines()
          .forEach(line -> terminal.println("%s", "    | " + line));
    });
    JsonNode reason = Json.MAPPER.readTree(found.decision()).path("reasons").path(0);
    ReasonTable.Row row = ReasonTable.rows().get(reason.asString(""));
    if (row != null && !row.fault().equals("none")) {
      terminal.line("  Helps      " + row.remedy());
    }
    for (String line : found.related()) {
      JsonNode entry = Json.MAPPER.readTree(line);
      terminal.line("  Later      " + SidecarClient.firstText(entry, "ts") + " " + sentence(entry));
    }
  }

  private static String sentence(JsonNode entry) {
    return switch (SidecarClient.firstText(entry, "type")) {
      case "repair" -> "the author was asked again: " + SidecarClient.firstText(entry, "outcome");
      case "decision" ->
          "decision %s: %s, %s"
              .formatted(
                  SidecarClient.firstText(entry, "id"),
                  SidecarClient.firstText(entry, "route"),
                  SidecarClient.firstText(entry, "action"));
      case "rejection" ->
          "%s: %s %s"
              .formatted(
                  SidecarClient.firstText(entry, "layer"),
                  SidecarClient.firstText(entry, "code"),
                  SidecarClient.firstText(entry, "detail"))
              .stripTrailing();
      default -> act(entry);
    };
  }

  private static String act(JsonNode entry) {
    String who = SidecarClient.firstText(entry, "who");
    String note = SidecarClient.firstText(entry, "note");
    return SidecarClient.firstText(entry, "what")
        + (who.isEmpty() ? "" : " by " + who)
        + (note.isEmpty() ? "" : ": " + note);
  }

  private static ObjectNode json(Explanation explanation, Found found) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("explanation", Json.MAPPER.readTree(explanation.json()));
    json.set("decision", Json.MAPPER.readTree(found.decision()));
    ArrayNode related = json.putArray("related");
    found.related().forEach(line -> related.add(Json.MAPPER.readTree(line)));
    return json;
  }

  /**
   * Decision log files, read while a sidecar may be writing them: a torn or foreign line is passed
   * over.
   */
  static final class DecisionFiles {
    private static final Pattern NAME = Pattern.compile("decisions(?:-(\\d{1,9}))?\\.jsonl");
    private static final int LINE_BYTES_MAX = 1 << 20;
    private static final int RELATED_MAX = 200;

    private final List<Path> oldestFirst;

    private DecisionFiles(List<Path> oldestFirst) {
      this.oldestFirst = oldestFirst;
    }

    /** One file. */
    static DecisionFiles of(Path file) {
      return new DecisionFiles(List.of(file));
    }

    /** The files of a data folder: in it, or in one folder below. */
    static DecisionFiles in(Path dataDir) throws IOException {
      try (Stream<Path> paths = Files.walk(dataDir, 2)) {
        return new DecisionFiles(
            paths
                .filter(path -> NAME.matcher(path.getFileName().toString()).matches())
                .sorted(Comparator.comparingInt(DecisionFiles::age).reversed())
                .toList());
      }
    }

    private static int age(Path file) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      return name.matches() && name.group(1) != null ? Integer.parseInt(name.group(1)) : 0;
    }

    boolean isEmpty() {
      return oldestFirst.isEmpty();
    }

    /**
     * The decision with this id, or the one by which the message with this id in the review queue
     * was held. Later decisions about the same held message, such as its delivery, are among the
     * related.
     */
    Optional<Found> find(String id) throws IOException {
      Optional<String> decision = Optional.empty();
      Set<String> ids = new HashSet<>();
      List<String> related = new ArrayList<>();
      LoggedProfiles profiles = new LoggedProfiles();
      for (Path file : oldestFirst) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          var lines = new LineReader(in, LINE_BYTES_MAX, () -> {});
          LineReader.Line line = lines.next();
          while (!(line instanceof LineReader.Line.End)) {
            if (line instanceof LineReader.Line.Whole(byte[] bytes)) {
              String text = new String(bytes, StandardCharsets.UTF_8);
              profiles.read(text);
              if (text.contains(id) || ids.stream().anyMatch(text::contains)) {
                Optional<JsonNode> entry = parse(text);
                if (entry.isPresent() && isDecision(entry.get(), id, decision.isEmpty())) {
                  decision = Optional.of(text);
                  ids = idsOf(entry.get());
                  related.clear();
                } else if (entry.isPresent()
                    && related.size() < RELATED_MAX
                    && isAbout(entry.get(), ids)) {
                  related.add(text);
                }
              }
            }
            line = lines.next();
          }
        }
      }
      return decision.map(text -> new Found(profiles.whole(text), related));
    }

    private static Optional<JsonNode> parse(String line) {
      try {
        JsonNode node = Json.MAPPER.readTree(line);
        return node.isObject() ? Optional.of(node) : Optional.empty();
      } catch (JacksonException e) {
        return Optional.empty(); // torn by a crash, or being written at this moment
      }
    }

    private static boolean isDecision(JsonNode line, String id, boolean first) {
      return SidecarClient.firstText(line, "type").equals("decision")
          && (SidecarClient.firstText(line, "id").equals(id)
              || (first && SidecarClient.firstText(line, "reviewId").equals(id)));
    }

    private static boolean isAbout(JsonNode line, Set<String> ids) {
      return ids.contains(SidecarClient.firstText(line, "decisionId"))
          || ids.contains(SidecarClient.firstText(line, "reviewId"));
    }

    private static Set<String> idsOf(JsonNode decision) {
      Set<String> ids = new HashSet<>();
      ids.add(SidecarClient.firstText(decision, "id"));
      ids.add(SidecarClient.firstText(decision, "reviewId"));
      ids.remove("");
      return ids;
    }
  }
}
