package dev.parlance.cli.simulate;

import dev.parlance.cli.CommandGroup;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs the papers' simulations. */
@Command(
    name = "simulate",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {SimulateCertificationCommand.class, SimulateFinalityCommand.class},
    description = "Runs the papers' simulations and prints their numbers beside ours.",
    footer = {
      "",
      "Examples:",
      "  parlance simulate certification --runs 100 --seed 1",
      "  parlance simulate finality --rounds 10000 --seed 1"
    })
public final class SimulateCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("simulate", SimulateCommand.class);
  }
}
