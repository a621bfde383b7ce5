package dev.parlance.cli.cluster;

import dev.parlance.cli.Terminal;
import dev.parlance.inject.manifest.ManifestInjector;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What {@code inject} did, taken back. */
@Command(
    name = "uninject",
    description = {
      "Takes the sidecars out of a manifest that parlance inject put in, and prints it.",
      "Probes, environment and annotations are as they were before."
    },
    footer = {"", "Example:", "  parlance uninject injected.yaml > agents.yaml"})
final class UninjectCommand implements Callable<Integer> {
  @Mixin InjectOptions options = new InjectOptions();

  private final Terminal terminal;

  UninjectCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    return options.run(terminal, "uninject", ManifestInjector::uninject);
  }
}
