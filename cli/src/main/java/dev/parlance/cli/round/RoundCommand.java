package dev.parlance.cli.round;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.RoundInfo;
import dev.parlance.cli.api.RoundServiceCalls;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Everything about rounds that a control plane is asked for. */
@Command(
    name = "round",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RoundOpenCommand.class,
      RoundShowCommand.class,
      RoundCommand.RoundListCommand.class,
      RoundWatchCommand.class,
      RoundExportCommand.class
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
final class RoundCommand {

  @Command(
      name = "list",
      description = "Lists rounds, newest first.",
      footer = {"", "Example:", "  parlance round list --unfinished -o json"})
  static final class RoundListCommand extends ControlPlaneCommand<List<RoundInfo>> {
    private static final int MOST = 1_000;

    @Option(names = "--unfinished", description = "only rounds that have not ended")
    boolean unfinished;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "how many at most, 1 to 1000 (default: 100)")
    int limit = 100;

    RoundListCommand(Terminal terminal) {
      super(terminal);
    }

    @Override
    protected Optional<String> problem() {
      return limit < 1 || limit > MOST
          ? Optional.of("--limit: expected a number from 1 to 1000, got " + limit)
          : Optional.empty();
    }

    @Override
    protected ControlReply<List<RoundInfo>> ask(ControlClient client) {
      return RoundServiceCalls.list(client, limit, unfinished);
    }

    @Override
    protected void text(List<RoundInfo> rounds) {
      new RoundText(terminal).printList(rounds, System.currentTimeMillis());
    }
  }
}
