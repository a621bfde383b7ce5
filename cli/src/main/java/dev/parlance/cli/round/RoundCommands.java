package dev.parlance.cli.round;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code parlance round}. */
public final class RoundCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of("round", RoundCommand::commandLine);
  }
}
