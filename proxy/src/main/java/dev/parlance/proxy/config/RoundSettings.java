package dev.parlance.proxy.config;

import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.text.Coded;

/**
 * How messages that have to do with rounds are dealt with (key {@code control.rounds}).
 *
 * @param timeoutMs longest wait for the control plane's first response, 100 to 60,000
 * @param maxWaitMs longest that an answer is kept back for an outcome, 0 to 600,000
 * @param onUnavailable what a proposal or claim gets when the control plane cannot be asked
 * @param signatures whether a commit is believed only with the signatures of members whose keys are
 *     configured, or also by the control plane's word
 * @param faults where they are required: how many of the members may be faulty, 0 to 5
 */
public record RoundSettings(
    int timeoutMs,
    int maxWaitMs,
    OnUnavailable onUnavailable,
    SignatureRule signatures,
    int faults) {
  /** What happens when nobody can be asked. */
  public enum OnUnavailable implements Coded {
    /** A typed error; the sender may try again. */
    REFUSE,
    /** Held for a person. */
    HOLD
  }

  private static final int MAX_FAULTS = (RoundSpec.MAX_MEMBERS - 1) / 3;

  /** What holds where nothing is configured. */
  public static final RoundSettings DEFAULTS =
      new RoundSettings(3_000, 60_000, OnUnavailable.REFUSE, SignatureRule.OFFERED, 1);

  /** Refuses impossible values. */
  public RoundSettings {
    if (timeoutMs < 100 || timeoutMs > 60_000 || maxWaitMs < 0 || maxWaitMs > 600_000) {
      throw new IllegalArgumentException(
          "expected timeoutMs in 100..60000 and maxWaitMs in 0..600000, got "
              + timeoutMs
              + ", "
              + maxWaitMs);
    }
    if (faults < 0 || faults > MAX_FAULTS) {
      throw new IllegalArgumentException("expected faults in 0..5, got " + faults);
    }
  }
}
