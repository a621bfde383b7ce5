package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs other programs of the build; what they print goes into one log. */
record Program(Path log) {
  /** Whether a program of this name is on the PATH. */
  static boolean isThere(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }

  /**
   * Runs it in the folder.
   *
   * @return its exit status
   * @throws IOException if it cannot be started or runs for more than ten minutes
   */
  int run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(command.getFirst() + " does not end");
    }
    return process.exitValue();
  }

  /** Runs it and says no to every exit status but 0. */
  void mustRun(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    int status = run(folder, environment, command);
    if (status != 0) {
      throw new IOException(
          "%s ended with %d; see %s".formatted(String.join(" ", command), status, log));
    }
  }
}
