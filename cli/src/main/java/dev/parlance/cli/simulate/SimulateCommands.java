package dev.parlance.cli.simulate;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code parlance simulate}. */
public final class SimulateCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of("simulate", SimulateCommand::commandLine);
  }
}
