package dev.parlance.cli.round;

import dev.parlance.cli.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Everything about rounds that a control plane is asked for. */
@Command(
    name = "round",
    synopsisSubcommandLabel = "COMMAND",
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
final class RoundCommand implements Runnable {
  private final CommandLine self;

  private RoundCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine round = new RoundCommand().self;
    round.addSubcommand(new RoundOpenCommand(terminal));
    round.addSubcommand(new RoundShowCommand(terminal));
    round.addSubcommand(new RoundListCommand(terminal));
    round.addSubcommand(new RoundWatchCommand(terminal));
    round.addSubcommand(new RoundExportCommand(terminal));
    return round;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        self, "a command is missing: open, show, list, watch or export");
  }
}
