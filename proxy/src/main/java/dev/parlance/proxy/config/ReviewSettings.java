package dev.parlance.proxy.config;

/**
 * Bounds of the review queue.
 *
 * @param capacity most messages that wait at a time, 1 or more
 * @param bytes most bytes of messages that wait, 1 or more
 * @param releaseTtlMs how long a release lets the same message pass, 1 or more
 */
public record ReviewSettings(int capacity, long bytes, long releaseTtlMs) {
  /** The defaults of docs/limits.md. */
  public static final ReviewSettings DEFAULT = new ReviewSettings(1_000, 67_108_864, 86_400_000);

  /** Refuses bounds below 1. */
  public ReviewSettings {
    if (capacity < 1 || bytes < 1 || releaseTtlMs < 1) {
      throw new IllegalArgumentException(
          "expected bounds of at least 1, got " + capacity + ", " + bytes + ", " + releaseTtlMs);
    }
  }
}
