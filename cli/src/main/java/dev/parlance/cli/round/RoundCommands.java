package dev.parlance.cli.round;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** {@code parlance round}. */
public final class RoundCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("round", RoundCommand.class);
  }
}
