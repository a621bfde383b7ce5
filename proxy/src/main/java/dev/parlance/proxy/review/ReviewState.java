package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;

/** Where a held message stands; {@link ReviewItem} has the transition table. */
public enum ReviewState implements Coded {
  /** It waits for a person. */
  PENDING,
  /** A person let it pass; it waits to be collected. */
  RELEASED,
  /** A person refused it. */
  REJECTED,
  /** It was released and collected. */
  DELIVERED,
  /** It was released and nobody collected it in time. */
  EXPIRED;

  /** True if nothing can happen to the message any more; its content is gone then. */
  public boolean isSettled() {
    return switch (this) {
      case PENDING, RELEASED -> false;
      case REJECTED, DELIVERED, EXPIRED -> true;
    };
  }
}
