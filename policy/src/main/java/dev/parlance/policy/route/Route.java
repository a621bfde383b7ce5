package dev.parlance.policy.route;

import dev.parlance.policy.text.Coded;

/** Where a message goes (ASP paper, Eq. 6). */
public enum Route implements Coded {
  /** The original bytes go on. */
  EXECUTE,
  /** The original bytes go on and the receiver is told. */
  WARN,
  /** The author is asked again. */
  REGENERATE,
  /** The message is held for a person. */
  YIELD
}
