package dev.parlance.policy.core;

import java.util.Optional;

/** What a message gets whose terms cannot be held against a fresh core. */
public enum OnCoreGap {
  /** It is held for a person. */
  YIELD("yield"),
  /** It goes on with a warning, if nothing else stands against it. */
  WARN("warn"),
  /** It goes on if nothing else stands against it, and is counted. */
  ALLOW("allow");

  private final String code;

  OnCoreGap(String code) {
    this.code = code;
  }

  /** The stable name in configuration and logs. */
  public String code() {
    return code;
  }

  /** The one with this code. */
  public static Optional<OnCoreGap> ofCode(String code) {
    for (OnCoreGap one : values()) {
      if (one.code.equals(code)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
