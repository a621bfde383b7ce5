package dev.parlance.proxy.config;

/**
 * Bounds of streamed answers; every one is always on.
 *
 * @param holdBytes most bytes of one stream that wait for a verdict, 1 or more
 * @param holdMs longest time that anything waits for a verdict, 1 or more
 * @param heartbeatMs longest silence towards the caller while something waits, 1 or more
 * @param windowBytes least new text between two verdicts of mode window, and the text that is held
 *     back behind the last one, 1 or more
 * @param segmentBytes text after which a verdict is final and judging begins anew, 1 or more
 * @param eventBytes largest event, 1 or more
 */
public record StreamSettings(
    int holdBytes, int holdMs, int heartbeatMs, int windowBytes, int segmentBytes, int eventBytes) {
  /** Refuses bounds below 1, and a window that no segment can hold. */
  public StreamSettings {
    if (Math.min(
            Math.min(Math.min(holdBytes, holdMs), Math.min(heartbeatMs, windowBytes)),
            Math.min(segmentBytes, eventBytes))
        < 1) {
      throw new IllegalArgumentException("expected bounds of at least 1");
    }
    if (windowBytes > segmentBytes) {
      throw new IllegalArgumentException(
          "expected windowBytes <= segmentBytes, got " + windowBytes + " > " + segmentBytes);
    }
  }
}
