package dev.parlance.cli.simulate;

import dev.parlance.cli.CommandGroup;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs the papers' simulations. */
@Command(
    name = "simulate",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {SimulateCertificationCommand.class, SimulateFinalityCommand.class})
public final class SimulateCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("simulate", SimulateCommand.class);
  }
}
