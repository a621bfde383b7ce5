package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/**
 * How messages that have to do with rounds are dealt with (key {@code control.rounds}).
 *
 * @param timeoutMs longest wait for the control plane's first response, 100 to 60,000
 * @param maxWaitMs longest that an answer is kept back for an outcome, 0 to 600,000
 * @param onUnavailable what a proposal or claim gets when the control plane cannot be asked
 */
public record RoundSettings(int timeoutMs, int maxWaitMs, OnUnavailable onUnavailable) {
  /** What happens when nobody can be asked. */
  public enum OnUnavailable implements Coded {
    /** A typed error; the sender may try again. */
    REFUSE,
    /** Held for a person. */
    HOLD
  }

  /** What holds where nothing is configured. */
  public static final RoundSettings DEFAULTS =
      new RoundSettings(3_000, 60_000, OnUnavailable.REFUSE);

  /** Refuses impossible values. */
  public RoundSettings {
    if (timeoutMs < 100 || timeoutMs > 60_000 || maxWaitMs < 0 || maxWaitMs > 600_000) {
      throw new IllegalArgumentException(
          "expected timeoutMs in 100..60000 and maxWaitMs in 0..600000, got "
              + timeoutMs
              + ", "
              + maxWaitMs);
    }
  }
}
