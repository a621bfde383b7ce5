package dev.parlance.policy.route;

import dev.parlance.policy.text.Coded;

/** What a route asks of messages that come without evidence. */
public enum Grounding implements Coded {
  /** No evidence: the author is asked again. */
  REQUIRED,
  /** No evidence: delivered, and the receiver is told that nothing was checked. */
  OPTIONAL
}
