package dev.parlance.loadtest;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of every command that starts sidecars. */
final class SidecarOptions {
  @Option(
      names = "--parlance-command",
      paramLabel = "COMMAND",
      description = "Starts a sidecar; {config} is its configuration (default: ${DEFAULT-VALUE}).")
  private String command =
      System.getProperty("parlance.root", ".") + "/bin/parlance proxy --config {config}";

  @Option(
      names = "--start-timeout",
      paramLabel = "SECONDS",
      description = "For a sidecar to answer, its build included (default: ${DEFAULT-VALUE}).")
  private int startTimeout = 300;

  String command() {
    return command;
  }

  /** At least a second. */
  Duration startTimeout() {
    if (startTimeout < 1) {
      throw new IllegalArgumentException(
          "expected a start timeout of at least 1 second, got " + startTimeout);
    }
    return Duration.ofSeconds(startTimeout);
  }
}
