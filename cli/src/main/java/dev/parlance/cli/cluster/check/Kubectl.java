package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.List;

/** The program {@code kubectl}, which knows how to reach the cluster. */
@FunctionalInterface
public interface Kubectl {
  /**
   * What it said.
   *
   * @param status its exit status
   * @param out standard output
   * @param err standard error
   */
  record Reply(int status, String out, String err) {
    /** The last line that the program wrote, which is the one that says why it failed. */
    String reason() {
      List<String> lines = err.lines().filter(line -> !line.isBlank()).toList();
      return lines.isEmpty() ? "kubectl ended with status " + status : lines.getLast();
    }
  }

  /**
   * Runs it once.
   *
   * @param input standard input
   * @param arguments without the program's name
   * @throws IOException if it cannot be started or does not end in time
   */
  Reply run(String input, List<String> arguments) throws IOException;
}
