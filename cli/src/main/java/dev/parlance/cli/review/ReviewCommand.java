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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists and decides the messages that a sidecar holds for a person. */
@Command(
    name = "review",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ReviewCommand.ListItems.class,
      ReviewCommand.Show.class,
      ReviewCommand.Decide.Release.class,
      ReviewCommand.Decide.Reject.class,
      ReviewCommand.Decide.SendBack.class,
      ReviewActs.Claim.class,
      ReviewActs.Unclaim.class,
      ReviewActs.Undo.class,
      ReviewActs.Link.class,
      ReviewActs.Stats.class
    })
final class ReviewCommand {
  /** What is common to all: find the sidecar, ask it, complain or print. */
  abstract static class Asking extends TerminalCommand {
    @Mixin AdminOptions admin = new AdminOptions();
    @Mixin OutputOption output = new OutputOption();

    abstract JsonNode ask(SidecarClient client) throws IOException;

    abstract void print(JsonNode body);

    int status(JsonNode body) {
      return ExitStatus.OK;
    }

    /** Refuses arguments that cannot be. */
    void check() {}

    @Override
    public Integer call() throws IOException {
      check();
      try (var client = admin.client()) {
        JsonNode body = ask(client);
        output.print(terminal, body, () -> print(body));
        return status(body);
      }
    }

    static void checkId(String id) {
      if (!AdminOptions.isId(id)) {
        throw CommandProblem.usage(
            "not an id of the review queue: " + TerminalEscaper.shortened(id, 80));
      }
    }
  }

  @Command(name = "list")
  static final class ListItems extends Asking {
    @Mixin ReviewSelection selection = new ReviewSelection();

    @Option(
        names = "--state",
        paramLabel = "STATE",
        description = "pending (default), released, rejected, sent_back, delivered, expired or all")
    ReviewState state = ReviewState.PENDING;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many on a page, 1 to 1000 (default: 100)")
    int limit = 100;

    @Option(names = "--after", paramLabel = "CURSOR", description = "the page behind this one")
    Optional<String> after = Optional.empty();

    @Option(names = "--all", description = "all pages")
    boolean all;

    @Option(
        names = "--facets",
        description = "how many fit of each route, reason and queue, and their grounding")
    boolean facets;

    private String query() {
      return state.query() + (facets ? "&facets=true" : "");
    }

    @Override
    void check() {
      CommandProblem.checkRange("--limit", limit, 1, 1000);
      selection.check();
    }

    @Override
    JsonNode ask(SidecarClient client) throws IOException {
      return all ? selection.all(client, query()) : selection.page(client, query(), limit, after);
    }

    @Override
    void print(JsonNode body) {
      String arguments =
          (state == ReviewState.PENDING ? "" : " --state " + state.code())
              + selection.asArguments()
              + admin.asArguments();
      ReviewText.printList(terminal.out(), body, System.currentTimeMillis(), arguments);
    }
  }

  @Command(name = "show")
  static final class Show extends Asking {
    @Parameters(paramLabel = "ID", description = "id from `parlance review list`")
    String id = "";

    @Option(names = "--full", description = "print long texts whole")
    boolean full;

    @Override
    void check() {
      checkId(id);
    }

    @Override
    JsonNode ask(SidecarClient client) throws IOException {
      String who = terminal.environment().getOrDefault("USER", "");
      JsonNode item =
          client.get("/review/" + id + (who.isEmpty() ? "" : "?for=" + ReviewActs.encoded(who)));
      try {
        ((ObjectNode) item)
            .set("judged", client.get("/review/" + id + "/judgement").path("drafts"));
      } catch (CallRefused refused) {
        if (!refused.isNotFound()) {
          throw refused; // a sidecar of an older version does not know the path
        }
      }
      return item;
    }

    @Override
    void print(JsonNode body) {
      ReviewText.printItem(
          terminal,
          body,
          full,
          System.currentTimeMillis(),
          admin.asArguments(),
          terminal.environment().getOrDefault("USER", ""));
    }
  }

  /** A decision of a person, about one message or about all that wait and fit. */
  abstract static class Decide extends Asking {
    private static final int NOTE_BYTES_MAX = 2_000;

    @Parameters(paramLabel = "ID", arity = "0..1", description = "id from `parlance review list`")
    Optional<String> id = Optional.empty();

    @Mixin ReviewSelection selection = new ReviewSelection();

    @Option(names = "--all", description = "in place of an ID: all that wait")
    boolean all;

    @Option(
        names = "--yes",
        description = "decide about several without asking for their number, for scripts")
    boolean yes;

    @Mixin PersonOptions who = new PersonOptions();

    @Option(names = "--note", paramLabel = "TEXT", description = "why; goes into the decision log")
    String note = "";

    @Option(names = "--now", description = "it counts at once, and cannot be undone")
    boolean now;

    @Option(
        names = "--identical",
        description = "with an ID: about all that wait and say the same, too")
    boolean identical;

    private final String verb;

    Decide(String verb) {
      this.verb = verb;
    }

    private String person() {
      return who.name(terminal);
    }

    private boolean isOfSeveral() {
      return id.isEmpty();
    }

    @Override
    void check() {
      who.check(terminal);
      if (note.getBytes(StandardCharsets.UTF_8).length > NOTE_BYTES_MAX) {
        throw CommandProblem.usage("the note is longer than " + NOTE_BYTES_MAX + " bytes");
      }
      boolean selects = all || !selection.isEmpty();
      if (id.isPresent() == selects) {
        throw CommandProblem.usage(
            "which messages? Give one ID, or --all, or what the messages have in common"
                + " (--route, --peer, --reason, --since, --text)");
      }
      if (identical && id.isEmpty()) {
        throw CommandProblem.usage("--identical goes with one ID");
      }
      selection.check();
      id.ifPresent(Asking::checkId);
    }

    @Override
    JsonNode ask(SidecarClient client) throws IOException {
      return isOfSeveral() ? several(client) : decide(client, id.orElseThrow());
    }

    private JsonNode decide(SidecarClient client, String one) throws IOException {
      Map<String, Object> body = new LinkedHashMap<>();
      who.fill(terminal, body);
      body.put("note", note);
      if (now) {
        body.put("undoMs", 0);
      }
      if (identical) {
        body.put("identical", true);
      }
      return client.post("/review/" + one + "/" + verb, body);
    }

    /** Decides about exactly those that were counted: what comes meanwhile waits. */
    private JsonNode several(SidecarClient client) throws IOException {
      JsonNode found = selection.all(client, ReviewState.PENDING.query());
      int count = found.path("items").size();
      if (count > 0 && !yes) {
        confirm(count);
      }
      List<String> decided = new ArrayList<>();
      List<Map<String, String>> failed = new ArrayList<>();
      for (JsonNode item : found.path("items")) {
        String one = SidecarClient.firstText(item, "id");
        try {
          decide(client, one);
          decided.add(one);
        } catch (CallRefused problem) {
          failed.add(Map.of("id", one, "message", String.valueOf(problem.getMessage())));
        }
      }
      return Json.MAPPER.valueToTree(Map.of("decided", decided, "failed", failed));
    }

    private void confirm(int count) throws IOException {
      terminal.note(
          "%d %s would be %s. Type %d to go on:",
          count, count == 1 ? "message" : "messages", past(), count);
      boolean typed =
          new LineReader(terminal.in(), 64, () -> {}).next()
                  instanceof LineReader.Line.Whole(byte[] line)
              && new String(line, StandardCharsets.UTF_8).strip().equals(Integer.toString(count));
      if (!typed) {
        throw CommandProblem.failed(
            "nothing was decided; type the number, or give --yes in a script");
      }
    }

    private String past() {
      return ReviewText.past(verb);
    }

    @Override
    int status(JsonNode body) {
      return body.path("failed").isEmpty() && body.path("identical").path("failed").isEmpty()
          ? ExitStatus.OK
          : ExitStatus.FAILED;
    }

    @Override
    void print(JsonNode body) {
      if (isOfSeveral()) {
        ReviewText.printDecided(terminal.out(), body, verb, person());
      } else {
        ReviewText.printDecided(
            terminal.out(), body, id.orElseThrow(), verb, person(), admin.asArguments());
      }
    }

    @Command(name = "release")
    static final class Release extends Decide {
      Release() {
        super("release");
      }
    }

    @Command(name = "reject")
    static final class Reject extends Decide {
      Reject() {
        super("reject");
      }
    }

    @Command(name = "send-back")
    static final class SendBack extends Decide {
      SendBack() {
        super("send-back");
      }
    }
  }

  /** In which state messages are listed. */
  enum ReviewState {
    PENDING,
    RELEASED,
    REJECTED,
    SENT_BACK,
    DELIVERED,
    EXPIRED,
    ALL;

    String code() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The parameter of the admin API. */
    String query() {
      return this == ALL ? "" : "&state=" + code();
    }
  }
}
