package dev.parlance.proxy.review;

/**
 * Bounds of the review queue; every one is always on.
 *
 * @param capacity most messages that wait for a person, counting those still being written
 * @param bytes most memory of everything the queue keeps: waiting and released messages, and what
 *     is remembered of decided ones (which gives way first)
 * @param releaseTtlMs how long a released message may be collected; after that it expires
 * @param approvedForMs how long a decision holds for the same text in the same conversation
 * @param keepDecidedMs how long a decided message can be read
 */
public record ReviewLimits(
    int capacity, long bytes, long releaseTtlMs, long approvedForMs, long keepDecidedMs) {
  private static final long DAY_MS = 24L * 60 * 60 * 1000;

  /** The defaults of docs/limits.md. */
  public static final ReviewLimits DEFAULT =
      new ReviewLimits(1000, 64L * 1024 * 1024, DAY_MS, DAY_MS, 30 * DAY_MS);

  private static final int SHARE_OF_HEAP = 4;

  /** The same, with at most a quarter of a heap of this size. */
  public ReviewLimits within(long heapBytes) {
    return new ReviewLimits(
        capacity,
        Math.clamp(heapBytes / SHARE_OF_HEAP, 1, bytes),
        releaseTtlMs,
        approvedForMs,
        keepDecidedMs);
  }

  /** Refuses bounds that would hold nothing. */
  public ReviewLimits {
    if (capacity < 1 || bytes < 1 || releaseTtlMs < 1 || approvedForMs < 1 || keepDecidedMs < 1) {
      throw new IllegalArgumentException(
          "review limits must be at least 1, got capacity "
              + capacity
              + ", bytes "
              + bytes
              + ", releaseTtlMs "
              + releaseTtlMs
              + ", approvedForMs "
              + approvedForMs
              + ", keepDecidedMs "
              + keepDecidedMs);
    }
  }
}
