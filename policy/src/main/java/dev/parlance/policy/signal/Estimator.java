package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;

/**
 * Turns a message into features (ASP paper, section 3.3: the protocol says what a signal means, not
 * how it is estimated). An implementation may keep scratch, so each thread has its own; it never
 * throws on any message, and keeps nothing of it.
 */
public interface Estimator {
  /** Measures {@code message}; citations are scored as in the paper (1.0, 0.4, 0.0). */
  Measurement measure(AgentMessage message);

  /**
   * True if the answer of {@code message} has any token outside its citation markers: what {@code
   * measure(message).counts().tokens() > 0} says, for which an implementation need not read the
   * whole.
   */
  default boolean hasToken(AgentMessage message) {
    return measure(message).counts().tokens() > 0;
  }
}
