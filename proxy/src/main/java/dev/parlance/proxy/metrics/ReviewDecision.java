package dev.parlance.proxy.metrics;

import dev.parlance.policy.text.Coded;

/** What became of a held message. */
public enum ReviewDecision implements Coded {
  /** A person let it pass. */
  RELEASED,
  /** A person refused it. */
  REJECTED,
  /** It was released, and nobody came for it in time. */
  EXPIRED
}
