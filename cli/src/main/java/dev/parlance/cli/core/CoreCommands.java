package dev.parlance.cli.core;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code parlance core}. */
public final class CoreCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of("core", CoreCommand::commandLine);
  }
}
