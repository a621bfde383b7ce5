package dev.parlance.cli.core;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** {@code parlance core}. */
public final class CoreCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("core", CoreCommand.class);
  }
}
