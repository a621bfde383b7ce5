package dev.parlance.cli.local;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** Commands that run agents on this machine. */
public final class LocalCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("run", RunCommand.class);
  }
}
