package dev.parlance.cli.lexicon;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.ListCommand;
import dev.parlance.cli.OutputOption.OutputFormat;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.CallRefused;
import dev.parlance.client.ControlClient;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.proto.v1.BoardChange;
import dev.parlance.proto.v1.BoardSummary;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.ListBoardsRequest;
import dev.parlance.proto.v1.PromoteRequest;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.TermView;
import dev.parlance.proto.v1.WatchBoardsRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

  private static GetBoardRequest named(String board) {
    return GetBoardRequest.newBuilder().setBoard(board).build();
  }

  /** A board for programs: its summary and what it has, in one. */
  private static ObjectNode view(BoardView board) {
    ObjectNode view = Json.MAPPER.valueToTree(board.getSummary());
    view.set("terms", Json.MAPPER.valueToTree(board.getTermsList()));
    view.set("metrics", Json.MAPPER.valueToTree(new TreeMap<>(board.getMetricsMap())));
    return view;
  }

  private static void show(Terminal terminal, BoardView view) {
    BoardSummary board = view.getSummary();
    terminal.fact("board", board.getBoard());
    terminal.fact(
        "uptake",
        "%d turns, %d uses%s"
            .formatted(
                board.getTurns(),
                board.getReuse(),
                board.getWaiting() == 0 ? "" : ", " + board.getWaiting() + " wait to be shared"));
    terminal.fact("changed", TimeText.time(board.getChangedAtMs()));
    terminal.out().println();
    var table =
        new TextTable("  ", "term, status, by, seen by, >uses, speakers, plan, >v, definition");
    for (TermView term : view.getTermsList()) {
      table.add(
          term.getTerm(),
          new TextTable.Cell(term.getStatus(), colour(terminal, term.getStatus())),
          term.getBy(),
          term.getVisibility() + (term.getLeaked() ? ", leaked" : ""),
          term.getReuse(),
          String.join(" ", term.getSpeakersList()),
          term.getPlan().isEmpty() ? "" : term.getPlan() + ", " + term.getStanding(),
          term.getVersion(),
          TerminalEscaper.shortened(term.getDefinition(), DEFINITION_MAX));
    }
    table.print(terminal.out());
    terminal.out().println();
    var metrics = new TextTable("  ", "measure, >value");
    new TreeMap<>(view.getMetricsMap()).forEach((name, value) -> metrics.add(name, number(value)));
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

  @Command(name = "list")
  static final class BoardListCommand extends ListCommand.Limited<BoardSummary> {
    BoardListCommand() {
      super(
          "board, >terms, >waiting, >uses, >turns, >changed",
          "no boards (routes with `lexicon: {coin: on}` make them)");
    }

    @Override
    protected List<BoardSummary> ask(ControlClient client) throws IOException {
      return list(client, limit);
    }

    static List<BoardSummary> list(ControlClient client, int limit) throws IOException {
      var request = ListBoardsRequest.newBuilder().setLimit(limit).build();
      return client.lexicon().ask(stub -> stub.listBoards(request)).getBoardsList();
    }

    @Override
    protected Object[] row(BoardSummary board) {
      return new Object[] {
        board.getBoard(),
        board.getTerms(),
        board.getWaiting(),
        board.getReuse(),
        board.getTurns(),
        TimeText.since(board.getChangedAtMs(), nowMs)
      };
    }
  }

  /** A command that shows a board in the end. */
  abstract static class OneBoard extends ControlPlaneCommand<BoardView> {
    @Parameters(index = "0", paramLabel = "BOARD", description = "id of the board")
    String board = "";

    @Override
    protected void check() {
      checkBoard(board);
    }

    @Override
    protected Object json(BoardView found) {
      return view(found);
    }

    @Override
    protected void text(BoardView found) {
      show(terminal, found);
    }
  }

  @Command(name = "show")
  static final class BoardShowCommand extends OneBoard {
    @Override
    protected BoardView ask(ControlClient client) throws IOException {
      return client.lexicon().ask(stub -> stub.showBoard(named(board)));
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
    protected BoardView ask(ControlClient client) throws IOException {
      var name =
          TermRequest.newBuilder()
              .setBoard(board)
              .setVisibility(visibility)
              .setKey(BoardRules.key(term))
              .build();
      return client.lexicon().ask(stub -> decide(stub, name));
    }

    abstract BoardView decide(LexiconServiceBlockingStub stub, TermRequest name);
  }

  @Command(name = "share")
  static final class TermShareCommand extends OneTerm {
    @Override
    BoardView decide(LexiconServiceBlockingStub stub, TermRequest name) {
      return stub.share(name);
    }
  }

  @Command(name = "retire")
  static final class TermRetireCommand extends OneTerm {
    @Override
    BoardView decide(LexiconServiceBlockingStub stub, TermRequest name) {
      return stub.retire(name);
    }
  }

  @Command(name = "promote")
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
    BoardView decide(LexiconServiceBlockingStub stub, TermRequest name) {
      return stub.promote(
          PromoteRequest.newBuilder().setTerm(name).setPlan(plan).setInstead(instead).build());
    }
  }

  @Command(name = "watch")
  static final class BoardWatchCommand extends ControlPlaneCommand<List<BoardChange>> {
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
    protected List<BoardChange> ask(ControlClient client) throws IOException {
      var request = WatchBoardsRequest.newBuilder().setBoard(board).build();
      int[] left = {limit};
      var _ =
          client
              .lexicon()
              .<BoardChange>follow(
                  "boards",
                  (stub, _) -> stub.watchBoards(request),
                  change -> {
                    line(change);
                    left[0]--;
                    return left[0] == 0;
                  });
      return List.of();
    }

    private void line(BoardChange change) {
      if (output.format == OutputFormat.JSON) {
        terminal.println(Json.text(change));
      } else {
        terminal.println(
            "%s  %-9s  %s  by %s  on %s",
            TimeText.time(change.getAtMs()),
            change.getType(),
            TerminalEscaper.line(change.getTerm()),
            change.getBy(),
            change.getBoard());
      }
      terminal.out().flush();
    }

    /** Every change was printed when it came. */
    @Override
    protected int print(List<BoardChange> none) {
      return ExitStatus.OK;
    }

    @Override
    protected void text(List<BoardChange> none) {}
  }

  @Command(name = "export")
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
              BoardListCommand.list(client, limit).stream().map(BoardSummary::getBoard).toList();
        }
        int status = ExitStatus.OK;
        for (String board : wanted) {
          try {
            BoardView found = client.lexicon().ask(stub -> stub.showBoard(named(board)));
            terminal.println(Json.text(line(found)));
          } catch (CallRefused e) {
            status = terminal.fail("%s", String.valueOf(e.getMessage()));
          }
        }
        return status;
      }
    }

    private static ObjectNode line(BoardView board) {
      ObjectNode line = Json.MAPPER.createObjectNode();
      line.put("id", board.getSummary().getBoard());
      ArrayNode terms = line.putArray("board");
      ArrayNode waiting = line.putArray("waiting");
      ArrayNode retired = line.putArray("retired");
      for (TermView term : board.getTermsList()) {
        switch (term.getStatus()) {
          case "waiting" -> waiting.add(term.getKey());
          case "retired" -> retired.add(term.getKey());
          default -> write(term, terms.addObject());
        }
      }
      ObjectNode metrics = line.putObject("metrics");
      Map<String, Double> known = board.getMetricsMap();
      for (String name : METRICS) {
        if (known.containsKey(name)) {
          metrics.put(name, known.get(name));
        } else {
          metrics.putNull(name);
        }
      }
      return line;
    }

    private static void write(TermView term, ObjectNode node) {
      node.put("term", term.getTerm())
          .put("key", term.getKey())
          .put("definition", term.getDefinition())
          .put("version", term.getVersion())
          .put("status", term.getStatus())
          .put("by", term.getBy())
          .put("turn", term.getTurn())
          .put("visibility", term.getVisibility())
          .put("leaked", term.getLeaked())
          .put("reuse", term.getReuse())
          .put("occ", term.getOccurrences());
      term.getSpeakersList().forEach(node.putArray("speakers")::add);
      node.put("plan", term.hasPlan() ? term.getPlan() : null)
          .put("standing", term.hasStanding() ? term.getStanding() : null);
    }
  }
}
