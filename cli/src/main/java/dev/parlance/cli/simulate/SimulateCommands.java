package dev.parlance.cli.simulate;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** {@code parlance simulate}. */
public final class SimulateCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("simulate", SimulateCommand.class);
  }
}
