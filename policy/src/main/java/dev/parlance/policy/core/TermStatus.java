package dev.parlance.policy.core;

import java.util.Arrays;
import java.util.Optional;

/** Where a governed term stands in a core. Only {@link #CERTIFIED} is in V*. */
public enum TermStatus {
  /** In V*. */
  CERTIFIED("certified"),
  /** Tested, and not certified. */
  REFUSED("refused"),
  /** Was in V*, until a later audit. */
  REVOKED("revoked"),
  /** In the vocabulary, and no decision yet. */
  UNTESTED("untested");

  private final String code;

  TermStatus(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }

  /** The status with this code. */
  public static Optional<TermStatus> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
  }
}
