package dev.parlance.cli.local;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ends what a run has started should this process end without doing it itself, as SIGKILL has it: a
 * shell that holds one end of a pipe, whose other end the system closes then. It knows the
 * processes by the mark in their environment, as {@link AgentProcess} does, so it needs {@code
 * /proc}.
 */
final class RunGuard implements AutoCloseable {
  private static final Duration ENDS = Duration.ofSeconds(5);

  /** {@code $1} is the mark, {@code $2} a folder that goes with the run, or nothing. */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP QUIT PIPE
      if read -r word && [ "$word" = done ]; then exit 0; fi
      marked() {
        for file in $(grep -lszxF -e "$1" /proc/[0-9]*/environ); do
          file=${file#/proc/}
          echo "${file%/environ}"
        done
      }
      kill -TERM $(marked "$1") 2>/dev/null
      tries=0
      while [ -n "$(marked "$1")" ] && [ "$tries" -lt 50 ]; do
        sleep 0.1
        tries=$((tries + 1))
      done
      kill -KILL $(marked "$1") 2>/dev/null
      [ -z "$2" ] || rm -rf -- "$2"
      """;

  private final Optional<Process> shell;

  private RunGuard(Optional<Process> shell) {
    this.shell = shell;
  }

  /**
   * Begins to watch.
   *
   * @param run the mark of what is started, see {@link AgentEnvironment#RUN}
   * @param temporary what is removed with the run
   * @param say told where there is no shell to do it
   */
  static RunGuard start(String run, Optional<Path> temporary, Consumer<String> say) {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    "/bin/sh",
                    "-c",
                    SCRIPT,
                    "parlance-run-guard",
                    AgentEnvironment.RUN + "=" + run,
                    temporary.map(Path::toString).orElse("")))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove(AgentEnvironment.RUN); // of a run around this one
    try {
      return new RunGuard(Optional.of(builder.start()));
    } catch (IOException e) {
      say.accept("if this process is killed its agents go on: " + e.getMessage());
      return new RunGuard(Optional.empty());
    }
  }

  /** Nothing is left to be ended. */
  @Override
  public void close() {
    if (shell.isEmpty()) {
      return;
    }
    try (Writer told = shell.get().outputWriter()) {
      told.write("done\n");
    } catch (IOException _) {
      // it has gone already, which is all that is wanted
    }
    try {
      shell.get().waitFor(ENDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
