package dev.parlance.cli.run;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** Commands that run or configure a process. */
public final class RunCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of(
        "demo",
        terminal -> new CommandLine(new DemoCommand(terminal)),
        "proxy",
        terminal -> new CommandLine(new ProxyCommand(terminal)),
        "control",
        ControlCommand::commandLine,
        "config",
        ConfigCommand::commandLine);
  }
}
