package dev.parlance.cli.simulate;

import dev.parlance.cli.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs the papers' simulations. */
@Command(
    name = "simulate",
    synopsisSubcommandLabel = "COMMAND",
    description = "Runs the papers' simulations and prints their numbers beside ours.",
    footer = {
      "",
      "Examples:",
      "  parlance simulate certification --runs 100 --seed 1",
      "  parlance simulate finality --rounds 10000 --seed 1"
    })
final class SimulateCommand implements Runnable {
  private final CommandLine self;

  private SimulateCommand() {
    this.self = new CommandLine(this);
  }

  /** The command with its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine simulate = new SimulateCommand().self;
    simulate.addSubcommand(new SimulateCertificationCommand(terminal));
    simulate.addSubcommand(new SimulateFinalityCommand(terminal));
    return simulate;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        self, "a command is missing: certification or finality");
  }
}
