package dev.parlance.proxy.config;

/**
 * What the sidecar does before it says that it is ready.
 *
 * @param warmUpMessages most messages of its own that it sends through its pipeline; 0 for none
 * @param warmUpMs longest time for that, 1 or more
 */
public record StartupSettings(int warmUpMessages, int warmUpMs) {
  /** The defaults of docs/limits.md; docs/decisions/0011-runtime.md says why these. */
  public static final StartupSettings DEFAULT = new StartupSettings(1_500, 500);

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
