package dev.parlance.cli.run;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** Commands that run or configure a process. */
public final class RunCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of(
        "demo",
        DemoCommand.class,
        "proxy",
        ProxyCommand.class,
        "control",
        ControlCommand.class,
        "config",
        ConfigCommand.class);
  }
}
