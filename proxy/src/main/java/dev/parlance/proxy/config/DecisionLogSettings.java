package dev.parlance.proxy.config;

/**
 * Bounds of the decision log.
 *
 * @param fileBytes size at which a new file begins, 1 or more
 * @param files most files that are kept, 1 or more
 * @param queue most lines that wait to be written, 1 or more
 * @param stdout whether lines go to standard output, too
 */
public record DecisionLogSettings(long fileBytes, int files, int queue, boolean stdout) {
  /** Refuses bounds below 1. */
  public DecisionLogSettings {
    if (fileBytes < 1 || files < 1 || queue < 1) {
      throw new IllegalArgumentException(
          "expected bounds of at least 1, got " + fileBytes + ", " + files + ", " + queue);
    }
  }
}
