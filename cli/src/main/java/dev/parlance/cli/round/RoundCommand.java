package dev.parlance.cli.round;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.RoundInfo;
import dev.parlance.cli.api.RoundServiceCalls;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Everything about rounds that a control plane is asked for. */
@Command(
    name = "round",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RoundOpenCommand.class,
      RoundCommand.RoundShowCommand.class,
      RoundCommand.RoundListCommand.class,
      RoundCommand.RoundWatchCommand.class,
      RoundCommand.RoundExportCommand.class
    },
    description = {
      "Opens rounds of proposals at a control plane, and shows what came of them.",
      "A round ends in a semantic commit, a verdict commit or an abort with a reason."
    },
    footer = {
      "",
      "Examples:",
      "  parlance round open release/7 -m a1,a2,a3,a4 --faults 1 --deadline 60000",
      "  parlance round watch release/7",
      "  parlance round show release/7 --texts",
      "  parlance round export | parlance commit"
    })
public final class RoundCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("round", RoundCommand.class);
  }

  @Command(
      name = "list",
      description = "Lists rounds, newest first.",
      footer = {"", "Example:", "  parlance round list --unfinished -o json"})
  static final class RoundListCommand extends ControlPlaneCommand<List<RoundInfo>> {
    @Option(names = "--unfinished", description = "only rounds that have not ended")
    boolean unfinished;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    int limit = 100;

    @Override
    protected void check() {
      CommandProblem.checkRange("--limit", limit, 1, 1000);
    }

    @Override
    protected List<RoundInfo> ask(ControlClient client) {
      return RoundServiceCalls.list(client, limit, unfinished);
    }

    @Override
    protected void text(List<RoundInfo> rounds) {
      new RoundText(terminal).printList(rounds, System.currentTimeMillis());
    }
  }

  /** Which round, and which epoch of it. */
  static final class RoundName {
    @Parameters(paramLabel = "ROUND", description = "name of the round")
    String name = "";

    @Option(
        names = "--epoch",
        paramLabel = "N",
        description = "this attempt at it (default: the newest)")
    long epoch;

    /** Refuses what names no round. */
    void check() {
      check(name);
      if (epoch < 0) {
        throw CommandProblem.usage("--epoch: expected 1 or more, got " + epoch);
      }
    }

    /** Refuses what is no name of a round. */
    static void check(String name) {
      if (!RoundNames.isName(name) || name.length() > RoundId.MAX_ROUND_LENGTH) {
        throw CommandProblem.usage(
            "expected the name of a round, at most %s letters, digits and ._:/-, got %s"
                .formatted(RoundId.MAX_ROUND_LENGTH, TerminalEscaper.shortened(name, 80)));
      }
    }
  }

  /** A command that shows one round, checked; exit status 1 if something speaks against it. */
  abstract static class OneRound extends ControlPlaneCommand<RoundInfo> {
    @Mixin RoundName round = new RoundName();
    @Mixin ControlOptions.VerifyKeyOption verify = new ControlOptions.VerifyKeyOption();

    @Override
    protected void check() {
      round.check();
      verify.check();
    }

    @Override
    protected void text(RoundInfo found) {
      new RoundText(terminal).print(found);
    }

    @Override
    protected int status(RoundInfo found) {
      return found.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  @Command(
      name = "show",
      description = {
        "Shows a round: who has proposed, and once it has ended what came of it, how far",
        "each meaning lies from the core, and whether the outcome is signed and follows",
        "from the proposals. Exit status 1 if it is not or does not."
      },
      footer = {"", "Example:", "  parlance round show release/7 --texts"})
  static final class RoundShowCommand extends OneRound {
    @Option(names = "--texts", description = "also the words of the proposals")
    boolean texts;

    @Override
    protected RoundInfo ask(ControlClient client) throws IOException {
      return RoundServiceCalls.get(client, round.name, round.epoch, texts, verify.keys(control));
    }
  }

  @Command(
      name = "watch",
      description = {
        "Follows a round until it has ended, and shows it then.",
        "Each change is a line on standard error. A replica that goes away in between is",
        "waited for, because another one ends the round."
      },
      footer = {"", "Example:", "  parlance round watch release/7 -o json"})
  static final class RoundWatchCommand extends OneRound {
    @Override
    protected RoundInfo ask(ControlClient client) throws IOException {
      return RoundServiceCalls.watch(
          client,
          round.name,
          round.epoch,
          verify.keys(control),
          now -> terminal.note("  %s, %s proposed", now.state(), now.progress()));
    }
  }

  @Command(
      name = "export",
      description = {
        "Writes ended rounds as JSON Lines, oldest first: what `parlance commit` reads.",
        "Each proposal has its quantised vector (q) and, where it is still stored, its",
        "text, so that a third party can encode it once more. The member `decided` has",
        "what the control plane says came of it."
      },
      footer = {"", "Example:", "  parlance round export release/7 | parlance commit"})
  static final class RoundExportCommand extends TerminalCommand {
    private static final int MOST = 1_000;

    @Mixin ControlOptions control = new ControlOptions();

    @Parameters(
        paramLabel = "ROUND",
        arity = "0..*",
        description = "rounds, the newest epoch of each (default: the newest rounds, all epochs)")
    List<String> names = new ArrayList<>();

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "without names: how many at most, 1 to 1000 (default: 1000)")
    int limit = MOST;

    @Override
    public Integer call() throws IOException {
      names.forEach(RoundCommand.RoundName::check);
      CommandProblem.checkRange("--limit", limit, 1, MOST);
      try (var client = new ControlClient(control.find())) {
        return export(client);
      }
    }

    private int export(ControlClient client) {
      record Wanted(String round, long epoch) {}
      List<Wanted> wanted =
          new ArrayList<>(names.stream().map(name -> new Wanted(name, 0)).toList());
      if (names.isEmpty()) {
        RoundServiceCalls.list(client, limit, false).reversed().stream()
            .filter(round -> round.result() != null)
            .forEach(round -> wanted.add(new Wanted(round.round(), round.epoch())));
      }
      int status = ExitStatus.OK;
      for (Wanted one : wanted) {
        try {
          Optional<ObjectNode> line = RoundServiceCalls.export(client, one.round(), one.epoch());
          if (line.isPresent()) {
            terminal.println(Json.text(line.get()));
          } else {
            status = terminal.fail("round " + one.round() + " has not ended");
          }
        } catch (ControlClient.Refused e) {
          status = terminal.fail(String.valueOf(e.getMessage()));
        }
      }
      return status;
    }
  }
}
