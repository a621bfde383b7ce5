package dev.parlance.proxy.config;

/**
 * What the sidecar does before it says that it is ready.
 *
 * @param warmUpMessages fewest messages of its own that it sends through its pipeline; 0 for none
 * @param warmUpMs shortest time for that, 1 or more; {@value #MOST_TIMES} times as long it may take
 */
public record StartupSettings(int warmUpMessages, int warmUpMs) {
  /** So much longer than wanted a warm-up may take. */
  static final int MOST_TIMES = 4;

  /** Longest warm-up, in milliseconds. */
  public long mostMs() {
    return (long) MOST_TIMES * warmUpMs;
  }

  /** Refuses bounds that mean nothing. */
  public StartupSettings {
    if (warmUpMessages < 0 || warmUpMs < 1) {
      throw new IllegalArgumentException(
          "expected warmUpMessages >= 0 and warmUpMs >= 1, got "
              + warmUpMessages
              + " and "
              + warmUpMs);
    }
  }
}
