package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/**
 * Bounds of the decision log, and what its lines say.
 *
 * @param fileBytes size at which a new file begins, 1 or more
 * @param files most files that are kept, 1 or more
 * @param queue most lines that wait to be written, 1 or more
 * @param stdout whether lines go to standard output, too
 * @param bodyDigest which digest of a body its line has
 */
public record DecisionLogSettings(
    long fileBytes, int files, int queue, boolean stdout, BodyDigest bodyDigest) {
  /** The digest of a message's body in its line, by which the bytes are known again later. */
  public enum BodyDigest implements Coded {
    /** SHA-256. */
    SHA256,
    /** None: lines are joined with messages by their ids alone. */
    OFF
  }

  /** Refuses bounds below 1. */
  public DecisionLogSettings {
    if (fileBytes < 1 || files < 1 || queue < 1) {
      throw new IllegalArgumentException(
          "expected bounds of at least 1, got " + fileBytes + ", " + files + ", " + queue);
    }
  }
}
