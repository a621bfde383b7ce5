package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** How much of a verdict travels with the message that it is about. */
public enum Annotate implements Coded {
  /** Nothing; it stands in the log, in metrics and in {@code tap}. */
  OFF,
  /** Header fields. */
  HEADERS,
  /** Header fields, and the body where its protocol has a place for it. */
  FULL;

  /** What holds where nobody says it. */
  public static Annotate byDefault(Mode mode) {
    return mode == Mode.OBSERVE ? OFF : FULL;
  }
}
