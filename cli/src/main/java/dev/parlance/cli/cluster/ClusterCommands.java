package dev.parlance.cli.cluster;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.Terminal;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** Commands for Kubernetes. */
public final class ClusterCommands implements CommandGroup {
  @Override
  public Map<String, Function<Terminal, CommandLine>> commands() {
    return Map.of(
        "inject", terminal -> new CommandLine(new InjectCommand(terminal)),
        "uninject", terminal -> new CommandLine(new UninjectCommand(terminal)),
        "injector", terminal -> new CommandLine(new InjectorCommand(terminal)),
        "install", terminal -> new CommandLine(new InstallCommand(terminal)),
        "check", terminal -> new CommandLine(new CheckCommand(terminal)),
        "reach", terminal -> new CommandLine(new ReachCommand(terminal)),
        "intercept", InterceptCommand::commandLine);
  }
}
