package dev.parlance.cli.lexicon;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption.OutputFormat;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.BoardInfo;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.LexiconServiceCalls;
import dev.parlance.cli.api.LexiconServiceCalls.TermName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about boards of a control plane. */
final class BoardCommands {
  private static final Pattern BOARD = Pattern.compile("b-[0-9a-f]{32}");
  private static final int MOST = 1_000;
  private static final int DEFINITION_MAX = 72;

  private BoardCommands() {}

  private static void checkBoard(String board) {
    if (!BOARD.matcher(board).matches()) {
      throw CommandProblem.usage(
          "expected the id of a board, b- and 32 hex digits, got "
              + TerminalEscaper.shortened(board, 80));
    }
  }

  private static void show(Terminal terminal, BoardInfo board) {
    terminal.fact("board", board.board());
    terminal.fact(
        "uptake",
        "%d turns, %d uses%s"
            .formatted(
                board.turns(),
                board.reuse(),
                board.waiting() == 0 ? "" : ", " + board.waiting() + " wait to be shared"));
    terminal.fact("changed", TimeText.time(board.changedAtMs()));
    terminal.out().println();
    var table =
        new TextTable("  ", "term, status, by, seen by, >uses, speakers, plan, >v, definition");
    for (BoardInfo.TermInfo term : board.terms()) {
      table.add(
          term.term(),
          new TextTable.Cell(term.status(), colour(terminal, term.status())),
          term.by(),
          term.visibility() + (term.leaked() ? ", leaked" : ""),
          term.reuse(),
          String.join(" ", term.speakers()),
          term.plan() == null ? "" : term.plan() + ", " + term.standing(),
          term.version(),
          TerminalEscaper.shortened(term.definition(), DEFINITION_MAX));
    }
    table.print(terminal.out());
    terminal.out().println();
    var metrics = new TextTable("  ", "measure, >value");
    board.metrics().forEach((name, value) -> metrics.add(name, number(value)));
    metrics.print(terminal.out());
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }

  private static UnaryOperator<String> colour(Terminal terminal, String status) {
    return switch (status) {
      case "active" -> terminal::good;
      case "contested", "waiting" -> terminal::warning;
      default -> terminal::faint;
    };
  }

  @Command(
      name = "list",
      description = "Lists the boards of a control plane, the last changed first.",
      footer = {"", "Example:", "  parlance lexicon list -o json"})
  static final class BoardListCommand extends ControlPlaneCommand<List<BoardInfo.Listed>> {
    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    int limit = 100;

    @Override
    protected void check() {
      CommandProblem.checkRange("--limit", limit, 1, MOST);
    }

    @Override
    protected List<BoardInfo.Listed> ask(ControlClient client) {
      return LexiconServiceCalls.list(client, limit);
    }

    @Override
    protected void text(List<BoardInfo.Listed> boards) {
      if (boards.isEmpty()) {
        terminal.println("no boards (routes with `lexicon: {coin: on}` make them)");
        return;
      }
      long nowMs = System.currentTimeMillis();
      var table = new TextTable("", "board, >terms, >waiting, >uses, >turns, >changed");
      for (BoardInfo.Listed board : boards) {
        table.add(
            board.board(),
            board.terms(),
            board.waiting(),
            board.reuse(),
            board.turns(),
            TimeText.since(board.changedAtMs(), nowMs));
      }
      table.print(terminal.out());
    }
  }

  /** A command that shows a board in the end. */
  abstract static class OneBoard extends ControlPlaneCommand<BoardInfo> {
    @Parameters(index = "0", paramLabel = "BOARD", description = "id of the board")
    String board = "";

    @Override
    protected void check() {
      checkBoard(board);
    }

    @Override
    protected void text(BoardInfo found) {
      show(terminal, found);
    }
  }

  @Command(
      name = "show",
      description = {
        "Shows a board: its terms, how they are taken up, in which plan they are and how",
        "they stand there, and the measures of docs/lexicon.md."
      },
      footer = {"", "Example:", "  parlance lexicon show b-2c1743a391305fbf367df8e4f069f9f9"})
  static final class BoardShowCommand extends OneBoard {
    @Override
    protected BoardInfo ask(ControlClient client) {
      return LexiconServiceCalls.get(client, board);
    }
  }

  /** A command that decides about one term. */
  abstract static class OneTerm extends OneBoard {
    @Parameters(index = "1", paramLabel = "TERM", description = "the term, as it is written")
    String term = "";

    @Option(
        names = "--visibility",
        paramLabel = "CHANNEL",
        description = "public (default) or faction:NAME: one key can be coined on each")
    String visibility = "public";

    @Override
    protected BoardInfo ask(ControlClient client) {
      return ask(client, new TermName(board, visibility, term));
    }

    abstract BoardInfo ask(ControlClient client, TermName name);
  }

  @Command(
      name = "share",
      description = {
        "Lets a term be seen that waits for a person (`lexicon.share: reviewed`).",
        "Its definition is then read by the agents of its channel."
      },
      footer = {"", "Example:", "  parlance lexicon share b-2c17... \"open gap\""})
  static final class TermShareCommand extends OneTerm {
    @Override
    BoardInfo ask(ControlClient client, TermName name) {
      return LexiconServiceCalls.share(client, name);
    }
  }

  @Command(
      name = "retire",
      description = {
        "Takes a term off its board: it is shown to nobody, its use is no use of it, and",
        "nobody coins it again there. A plan that has it keeps it."
      },
      footer = {"", "Example:", "  parlance lexicon retire b-2c17... \"open gap\""})
  static final class TermRetireCommand extends OneTerm {
    @Override
    BoardInfo ask(ControlClient client, TermName name) {
      return LexiconServiceCalls.retire(client, name);
    }
  }

  @Command(
      name = "promote",
      description = {
        "Puts a term that was used often enough (`lexicon.promote`) into a plan, as an",
        "untested governed term with its definition as gloss; `core audit` tests it then.",
        "Of one that was repaired the plan gets the new meaning, which is to be tested."
      },
      footer = {"", "Example:", "  parlance lexicon promote b-2c17... \"open gap\" --plan license"})
  static final class TermPromoteCommand extends OneTerm {
    @Option(
        names = "--plan",
        required = true,
        paramLabel = "PLAN",
        description = "name of the plan")
    String plan = "";

    @Option(
        names = "--instead",
        paramLabel = "TERM",
        description = "a term of the plan: where that one is refused, this one is offered")
    String instead = "";

    @Override
    BoardInfo ask(ControlClient client, TermName name) {
      return LexiconServiceCalls.promote(client, name, plan, instead);
    }
  }

  @Command(
      name = "watch",
      description = {
        "Follows what happens on boards, a line a change, until it is interrupted: coin,",
        "reuse, leak, echo, challenge, repair, share, promote, retire."
      },
      footer = {"", "Example:", "  parlance lexicon watch -o json"})
  static final class BoardWatchCommand extends ControlPlaneCommand<List<BoardInfo.Happening>> {
    @Parameters(
        paramLabel = "BOARD",
        arity = "0..1",
        description = "only this board (default: all)")
    String board = "";

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "ends after so many changes (default: never)")
    int limit = Integer.MAX_VALUE;

    @Override
    protected void check() {
      CommandProblem.checkRange("--limit", limit, 1, Integer.MAX_VALUE);
      if (!board.isEmpty()) {
        checkBoard(board);
      }
    }

    @Override
    protected List<BoardInfo.Happening> ask(ControlClient client) {
      int[] left = {limit};
      LexiconServiceCalls.watch(
          client,
          board,
          change -> {
            line(change);
            left[0]--;
            return left[0] > 0;
          });
      return List.of();
    }

    private void line(BoardInfo.Happening change) {
      if (output.format == OutputFormat.JSON) {
        terminal.println(Json.text(change));
      } else {
        terminal.println(
            "%s  %-9s  %s  by %s  on %s",
            TimeText.time(change.atMs()),
            change.type(),
            TerminalEscaper.line(change.term()),
            change.by(),
            change.board());
      }
      terminal.out().flush();
    }

    /** Every change was printed when it came. */
    @Override
    protected int print(List<BoardInfo.Happening> none) {
      return ExitStatus.OK;
    }

    @Override
    protected void text(List<BoardInfo.Happening> none) {}
  }

  @Command(
      name = "export",
      description = {
        "Writes boards as JSON Lines: board and metrics as `lexicon replay` has them, with",
        "plan and standing, so that `lexicon wire` reads them; the keys of terms that wait",
        "and of retired ones stand in lists of their own."
      },
      footer = {"", "Example:", "  parlance lexicon export | parlance lexicon wire"})
  static final class BoardExportCommand extends TerminalCommand {
    private static final List<String> METRICS =
        List.of(
            "terms",
            "public_terms",
            "private_terms",
            "reuse",
            "occurrences",
            "uptake",
            "public_reuse",
            "private_reuse",
            "public_reuse_share",
            "public_entry_share",
            "public_advantage",
            "cross_speaker",
            "used_in_public",
            "mean_public_speakers",
            "lexicon_tokens",
            "reuse_per_100_lexicon_tokens",
            "public_log_tokens",
            "footprint",
            "persistence");

    @Mixin ControlOptions control = new ControlOptions();

    @Parameters(
        paramLabel = "BOARD",
        arity = "0..*",
        description = "which boards (default: the last changed)")
    List<String> boards = new ArrayList<>();

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "without boards: how many at most, 1 to 1000 (default: 1000)")
    int limit = MOST;

    @Override
    public Integer call() throws IOException {
      boards.forEach(BoardCommands::checkBoard);
      CommandProblem.checkRange("--limit", limit, 1, MOST);
      try (var client = new ControlClient(control.find())) {
        List<String> wanted = boards;
        if (boards.isEmpty()) {
          wanted =
              LexiconServiceCalls.list(client, limit).stream()
                  .map(BoardInfo.Listed::board)
                  .toList();
        }
        int status = ExitStatus.OK;
        for (String board : wanted) {
          try {
            terminal.println(Json.text(line(LexiconServiceCalls.get(client, board))));
          } catch (ControlClient.Refused e) {
            status = terminal.fail("%s", String.valueOf(e.getMessage()));
          }
        }
        return status;
      }
    }

    private static ObjectNode line(BoardInfo board) {
      ObjectNode line = Json.MAPPER.createObjectNode();
      line.put("id", board.board());
      ArrayNode terms = line.putArray("board");
      ArrayNode waiting = line.putArray("waiting");
      ArrayNode retired = line.putArray("retired");
      for (BoardInfo.TermInfo term : board.terms()) {
        switch (term.status()) {
          case "waiting" -> waiting.add(term.key());
          case "retired" -> retired.add(term.key());
          default -> write(term, terms.addObject());
        }
      }
      ObjectNode metrics = line.putObject("metrics");
      Map<String, Double> known = board.metrics();
      for (String name : METRICS) {
        if (known.containsKey(name)) {
          metrics.put(name, known.get(name));
        } else {
          metrics.putNull(name);
        }
      }
      return line;
    }

    private static void write(BoardInfo.TermInfo term, ObjectNode node) {
      node.put("term", term.term())
          .put("key", term.key())
          .put("definition", term.definition())
          .put("version", term.version())
          .put("status", term.status())
          .put("by", term.by())
          .put("turn", term.turn())
          .put("visibility", term.visibility())
          .put("leaked", term.leaked())
          .put("reuse", term.reuse())
          .put("occ", term.occurrences());
      term.speakers().forEach(node.putArray("speakers")::add);
      node.put("plan", term.plan()).put("standing", term.standing());
    }
  }
}
