package dev.parlance.cli.review;

import dev.parlance.cli.AdminClient;
import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TimeText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists and decides the messages that a sidecar holds for a person. */
@Command(
    name = "review",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ReviewCommand.ListItems.class,
      ReviewCommand.Show.class,
      ReviewCommand.Decide.Release.class,
      ReviewCommand.Decide.Reject.class
    },
    description = "Lists, shows and decides the messages that wait for a person.",
    footer = {
      "",
      "Examples:",
      "  parlance review list --data-dir parlance-data",
      "  parlance review show ID",
      "  parlance review release ID --note 'checked against the contract'"
    })
final class ReviewCommand {
  /** What is common to the four: find the sidecar, ask it, complain or print. */
  abstract static class Asking extends TerminalCommand {
    @Mixin AdminOptions admin = new AdminOptions();
    @Mixin OutputOption output = new OutputOption();

    abstract JsonNode ask(AdminClient client) throws IOException;

    abstract void print(JsonNode body);

    /** Refuses arguments that cannot be. */
    void check() {}

    @Override
    public Integer call() throws IOException {
      check();
      try (var client = new AdminClient(admin.find())) {
        JsonNode body = ask(client);
        output.print(terminal, body, () -> print(body));
        return ExitStatus.OK;
      }
    }

    static void checkId(String id) {
      if (!AdminOptions.isId(id)) {
        throw CommandProblem.usage(
            "not an id of the review queue: " + TerminalEscaper.shortened(id, 80));
      }
    }
  }

  @Command(
      name = "list",
      description = "Lists the held messages, oldest first.",
      footer = {"", "Example:", "  parlance review list --state all -o json"})
  static final class ListItems extends Asking {
    @Option(
        names = "--state",
        paramLabel = "STATE",
        description = "pending (default), released, rejected, delivered, expired or all")
    ReviewFilter state = ReviewFilter.PENDING;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    int limit = 100;

    @Override
    void check() {
      CommandProblem.checkRange("--limit", limit, 1, 1000);
    }

    @Override
    JsonNode ask(AdminClient client) throws IOException {
      return client.get("/review?limit=" + limit + state.query());
    }

    @Override
    void print(JsonNode body) {
      ReviewText.printList(terminal.out(), body, System.currentTimeMillis());
    }
  }

  @Command(
      name = "show",
      description = "Shows one held message: the question, the answer, and why it is held.",
      footer = {"", "Example:", "  parlance review show ID --full"})
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
    JsonNode ask(AdminClient client) throws IOException {
      return client.get("/review/" + id);
    }

    @Override
    void print(JsonNode body) {
      ReviewText.printItem(
          terminal.out(), body, full, System.currentTimeMillis(), admin.asArguments());
    }
  }

  /** A decision of a person. */
  abstract static class Decide extends Asking {
    private static final int NOTE_BYTES_MAX = 2_000;

    @Parameters(paramLabel = "ID", description = "id from `parlance review list`")
    String id = "";

    @Option(
        names = "--who",
        paramLabel = "NAME",
        description = "who decides (default: the user's name)")
    Optional<String> who = Optional.empty();

    @Option(names = "--note", paramLabel = "TEXT", description = "why; goes into the decision log")
    String note = "";

    private final String verb;

    Decide(String verb) {
      this.verb = verb;
    }

    private String person() {
      return who.orElse(terminal.environment().getOrDefault("USER", "")).strip();
    }

    @Override
    void check() {
      if (person().isEmpty()) {
        throw CommandProblem.usage("who decides? $USER is empty; name the person with --who");
      }
      if (note.getBytes(StandardCharsets.UTF_8).length > NOTE_BYTES_MAX) {
        throw CommandProblem.usage("the note is longer than " + NOTE_BYTES_MAX + " bytes");
      }
      checkId(id);
    }

    @Override
    JsonNode ask(AdminClient client) throws IOException {
      return client.post("/review/" + id + "/" + verb, Map.of("who", person(), "note", note));
    }

    @Override
    void print(JsonNode body) {
      ReviewText.printDecided(terminal.out(), id, verb, person());
    }

    @Command(
        name = "release",
        description = {
          "Lets a held message pass.",
          "Its sender collects it by sending the same message again."
        },
        footer = {"", "Example:", "  parlance review release ID --note 'checked by hand'"})
    static final class Release extends Decide {
      Release() {
        super("release");
      }
    }

    @Command(
        name = "reject",
        description = "Refuses a held message for good.",
        footer = {"", "Example:", "  parlance review reject ID --note 'invented clause'"})
    static final class Reject extends Decide {
      Reject() {
        super("reject");
      }
    }
  }

  /** Which held messages to list. */
  enum ReviewFilter {
    PENDING,
    RELEASED,
    REJECTED,
    DELIVERED,
    EXPIRED,
    ALL;

    /** The parameter of the admin API. */
    String query() {
      return this == ALL ? "" : "&state=" + name().toLowerCase(Locale.ROOT);
    }
  }

  /** Held messages for a person. Everything that comes from agents is made inert first. */
  static final class ReviewText {
    private static final int BLOCK_CHARACTERS_MAX = 4_000;
    private static final String[] COLUMNS = {
      "ID", "STATE", "AGE", "ROUTE", "REASONS", "ASP", "QUESTION"
    };

    private ReviewText() {}

    static void printList(PrintStream out, JsonNode body, long nowMs) {
      JsonNode items = body.isArray() ? body : body.path("items");
      if (!items.isArray() || items.isEmpty()) {
        out.println("nothing is held");
        return;
      }
      List<String[]> rows = new ArrayList<>();
      rows.add(COLUMNS);
      for (JsonNode item : items) {
        rows.add(
            new String[] {
              shown(item, "id", 40),
              shown(item, "state", 10),
              age(item, nowMs),
              shown(item, "routeRule", 20),
              TerminalEscaper.shortened(reasons(item), 30),
              shown(item, "asp", 40),
              shown(item, "question", 50)
            });
      }
      int[] widths = new int[COLUMNS.length];
      for (String[] row : rows) {
        for (int i = 0; i < row.length; i++) {
          widths[i] = Math.max(widths[i], row[i].length());
        }
      }
      for (String[] row : rows) {
        var line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
          line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
        }
        out.println(line.toString().stripTrailing());
      }
    }

    /** One item; {@code arguments} are repeated in the commands that are suggested. */
    static void printItem(
        PrintStream out, JsonNode item, boolean full, long nowMs, String arguments) {
      fact(out, "id", shown(item, "id", 128));
      fact(out, "state", shown(item, "state", 20));
      fact(out, "held", age(item, nowMs) + " ago");
      fact(out, "reasons", TerminalEscaper.line(reasons(item)));
      fact(out, "header", shown(item, "asp", 400));
      fact(out, "attempts", item.path("attempts").asString(""));
      fact(
          out,
          "what",
          "%s %s, %s"
              .formatted(
                  shown(item, "direction", 20),
                  shown(item, "kind", 20),
                  shown(item, "protocol", 20))
              .strip());
      fact(out, "route", shown(item, "routeRule", 40));
      fact(out, "from", shown(item, "caller", 200));
      fact(out, "to", shown(item, "destination", 200));
      fact(out, "flow", shown(item, "flow", 200));
      fact(out, "decision", shown(item, "decisionId", 128));
      JsonNode decision = item.path("decision");
      if (decision.isObject()) {
        fact(out, "decided by", shown(decision, "who", 200));
        fact(out, "note", shown(decision, "note", 2_000));
      }
      block(out, "question", AdminClient.firstText(item, "question"), full);
      block(out, "answer", AdminClient.firstText(item, "answer"), full);
      String id = shown(item, "id", 128);
      if (AdminClient.firstText(item, "state").equals("pending")) {
        out.println();
        out.println("let it pass:  parlance review release " + id + arguments);
        out.println("refuse it:    parlance review reject " + id + arguments);
      }
      String decisionId = shown(item, "decisionId", 128);
      if (!decisionId.isEmpty()) {
        out.println("why:          parlance explain " + decisionId + arguments);
      }
    }

    static void printDecided(PrintStream out, String id, String verb, String who) {
      out.println(
          TerminalEscaper.line(
              id + (verb.equals("release") ? " released by " : " rejected by ") + who));
      if (verb.equals("release")) {
        out.println("it is delivered when its sender sends the same message again");
      }
    }

    private static void fact(PrintStream out, String name, String value) {
      if (!value.isBlank()) {
        out.println(String.format(Locale.ROOT, "%-11s %s", name, value));
      }
    }

    private static void block(PrintStream out, String name, String text, boolean full) {
      if (text.isEmpty()) {
        return;
      }
      boolean cut = !full && text.length() > BLOCK_CHARACTERS_MAX;
      String shown =
          cut
              ? text.substring(
                  0, text.offsetByCodePoints(0, text.codePointCount(0, BLOCK_CHARACTERS_MAX)))
              : text;
      out.println();
      out.println(name + ":");
      TerminalEscaper.block(shown).lines().forEach(line -> out.println("  | " + line));
      if (cut) {
        out.println(
            "  (" + (text.length() - shown.length()) + " more characters; --full prints them)");
      }
    }

    private static String shown(JsonNode object, String name, int maxCodePoints) {
      return TerminalEscaper.shortened(AdminClient.firstText(object, name), maxCodePoints);
    }

    private static String reasons(JsonNode item) {
      List<String> reasons = new ArrayList<>();
      for (JsonNode reason : item.path("reasons")) {
        reasons.add(reason.asString(""));
      }
      return String.join(", ", reasons);
    }

    private static String age(JsonNode item, long nowMs) {
      if (!item.path("heldAtMs").isIntegralNumber()) {
        return "";
      }
      return TimeText.since(item.path("heldAtMs").longValue(), nowMs);
    }
  }
}
