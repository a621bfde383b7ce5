package dev.parlance.proxy.gate;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Grounding;

/**
 * A message that waits for a ruling.
 *
 * @param leg which half of the exchange it is
 * @param message what it says
 * @param grounding what is asked of it where it has no evidence
 * @param key whose budget it draws on
 * @param attempt which draft this is within one exchange, from 1
 */
public record Draft(Leg leg, AgentMessage message, Grounding grounding, FlowKey key, int attempt) {
  /** Refuses an attempt below 1. */
  public Draft {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts count from 1, got " + attempt);
    }
  }
}
