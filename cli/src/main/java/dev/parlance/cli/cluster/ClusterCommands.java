package dev.parlance.cli.cluster;

import dev.parlance.cli.CommandGroup;
import java.util.Map;

/** Commands for Kubernetes. */
public final class ClusterCommands implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of(
        "inject", InjectCommand.class,
        "uninject", InjectCommand.UninjectCommand.class,
        "injector", InjectorCommand.class,
        "install", InstallCommand.class,
        "check", CheckCommand.class,
        "reach", ReachCommand.class,
        "intercept", InterceptCommand.class);
  }
}
