package dev.parlance.cli;

/** Exit statuses of every command. */
public final class ExitStatus {
  /** Everything went well. */
  public static final int OK = 0;

  /**
   * A check failed, an input line was malformed, a thing was not found, a sidecar did not answer.
   */
  public static final int FAILED = 1;

  /** The command line itself is wrong: an unknown option, profile or file. */
  public static final int USAGE = 2;

  private ExitStatus() {}
}
