package dev.parlance.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster {@code kubectl} speaks with. */
public final class KubectlOptions {
  @Option(names = "--context", paramLabel = "NAME", description = "context of kubectl")
  public Optional<String> context = Optional.empty();

  @Option(names = "--kubeconfig", paramLabel = "FILE", description = "configuration of kubectl")
  public Optional<String> kubeconfig = Optional.empty();

  @Option(
      names = "--kubectl",
      paramLabel = "PROGRAM",
      description = "the program (default: kubectl on the PATH)")
  public String program = "kubectl";
}
