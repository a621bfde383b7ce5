package dev.parlance.policy.core;

import java.util.Optional;

/** What a message gets that uses a governed term outside V*. */
public enum OnUncertified {
  /** Its author is asked again, until the budget is spent. */
  REGENERATE("regenerate"),
  /** It goes on with a warning. */
  WARN("warn"),
  /** It goes on, and is counted. */
  COUNT("count");

  private final String code;

  OnUncertified(String code) {
    this.code = code;
  }

  /** The stable name in configuration and logs. */
  public String code() {
    return code;
  }

  /** The one with this code. */
  public static Optional<OnUncertified> ofCode(String code) {
    for (OnUncertified one : values()) {
      if (one.code.equals(code)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
