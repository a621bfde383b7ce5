package dev.parlance.cli.review;

import dev.parlance.cli.AdminClient;
import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        switch (output.format) {
          case JSON -> terminal.json(body);
          case TEXT -> print(body);
        }
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
}
