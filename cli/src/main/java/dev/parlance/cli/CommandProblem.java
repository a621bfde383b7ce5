package dev.parlance.cli;

/** Why a command cannot go on, in one line for the person at the terminal. */
public class CommandProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  protected CommandProblem(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** The command line is wrong. */
  public static CommandProblem usage(String message) {
    return new CommandProblem(ExitStatus.USAGE, message);
  }

  /** Something failed. */
  public static CommandProblem failed(String message) {
    return new CommandProblem(ExitStatus.FAILED, message);
  }

  /** Refuses a number that is out of bounds. */
  public static void checkRange(String option, long number, long min, long max) {
    if (number < min || number > max) {
      throw usage(
          "%s: expected a number from %d to %d, got %d".formatted(option, min, max, number));
    }
  }

  /** The exit status. */
  public int status() {
    return status;
  }
}
