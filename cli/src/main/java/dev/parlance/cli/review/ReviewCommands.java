package dev.parlance.cli.review;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** Commands that ask running sidecars. */
public final class ReviewCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of(
        "review", ReviewCommand::commandLine,
        "explain", terminal -> new CommandLine(new ExplainCommand(terminal)),
        "tap", terminal -> new CommandLine(new TapCommand(terminal)),
        "top", terminal -> new CommandLine(new TopCommand(terminal)),
        "diagnostics", DiagnosticsCommand::commandLine,
        "proxy-status", terminal -> new CommandLine(new ProxyStatusCommand(terminal)));
  }
}
