package dev.parlance.cli;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What a failed command says. */
public final class FailureText {
  private FailureText() {}

  /**
   * One line about a failure.
   *
   * @param command which command failed, without {@code parlance}
   * @param verbose whether a stack trace was asked for
   * @return the exit status
   */
  public static int complain(
      Terminal terminal, String command, Exception problem, boolean verbose) {
    return switch (problem) {
      case IOException io -> terminal.fail(command + ": " + describe(io));
      case UncheckedIOException io -> terminal.fail(command + ": " + describe(io));
      default ->
          terminal.fail(
              "%s: this is a bug in Parlance: %s%s",
              command, problem, verbose ? "" : " (--verbose prints where)");
    };
  }

  private static String describe(Exception problem) {
    String message = problem.getMessage();
    String kind = problem.getClass().getSimpleName();
    if (message == null) {
      return kind;
    }
    // a bare IOException is one of ours and says everything
    return problem.getClass() == IOException.class ? message : kind + ": " + message;
  }
}
