package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

/** How much a core can be relied on now. */
public enum CoreState implements Coded {
  /** There is one, and it was confirmed recently enough. */
  FRESH,
  /** There is one, and it was last confirmed longer ago than the configured staleness. */
  STALE,
  /** There is none: nothing is known to be governed. */
  ABSENT;

  /** The state with this code. */
  public static Optional<CoreState> ofCode(String code) {
    return Coded.find(values(), code);
  }
}
