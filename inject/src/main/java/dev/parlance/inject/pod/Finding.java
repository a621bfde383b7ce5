package dev.parlance.inject.pod;

/**
 * One thing to say about a pod.
 *
 * @param reason the stable code
 * @param message what was found, and what helps
 */
public record Finding(Reason reason, String message) {
  @Override
  public String toString() {
    return reason.code() + ": " + message;
  }
}
