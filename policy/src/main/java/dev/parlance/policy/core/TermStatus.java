package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

/** Where a governed term stands in a core. Only {@link #CERTIFIED} is in V*. */
public enum TermStatus implements Coded {
  /** In V*. */
  CERTIFIED,
  /** Tested, and not certified. */
  REFUSED,
  /** Was in V*, until a later audit. */
  REVOKED,
  /** In the vocabulary, and no decision yet. */
  UNTESTED;

  /** The status with this code. */
  public static Optional<TermStatus> ofCode(String code) {
    return Coded.find(values(), code);
  }
}
