package dev.parlance.cli;

/** Exit statuses of every command. */
final class ExitStatus {
  /** Everything went well. */
  static final int OK = 0;

  /**
   * A check failed, an input line was malformed, a thing was not found, a sidecar did not answer.
   */
  static final int FAILED = 1;

  /** The command line itself is wrong: an unknown option, profile or file. */
  static final int USAGE = 2;

  private ExitStatus() {}
}
