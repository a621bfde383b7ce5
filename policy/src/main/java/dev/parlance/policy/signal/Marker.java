package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;

/** An estimator that can also say where in the texts it found what it counts. */
public interface Marker {
  /**
   * Measures {@code message} as {@link Estimator#measure} does, with the places. Time is linear in
   * the sum of all lengths, the number of marks bounded. Allocates for each word: not for the
   * message path.
   */
  MarkedAnswer mark(AgentMessage message);
}
