package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/**
 * What a route does with coined terms.
 *
 * @param coin whether its messages coin terms, and uses are counted
 * @param inject how the local agent is shown the terms of a conversation
 */
public record LexiconRule(Coin coin, Inject inject) {
  /** Whether messages coin. */
  public enum Coin implements Coded {
    /** Coinages are read, uses are counted. */
    ON,
    /** All of a message is text. */
    OFF
  }

  /** Where the known terms are put. */
  public enum Inject implements Coded {
    /** Nowhere. */
    OFF,
    /** Into the metadata of a request. */
    METADATA,
    /** Into a text part of its own. */
    PART,
    /** Into both. */
    BOTH
  }

  /** True if turns are read. */
  public boolean coins() {
    return coin == Coin.ON;
  }

  /** True if the route has anything to do with coined terms. */
  public boolean isOn() {
    return coin == Coin.ON || inject != Inject.OFF;
  }
}
