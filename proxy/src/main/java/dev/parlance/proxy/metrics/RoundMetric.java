package dev.parlance.proxy.metrics;

import dev.parlance.policy.text.Coded;

/** The ways in which a message has to do with a round, as they are counted. */
public enum RoundMetric implements Coded {
  /** Its author proposes. */
  PROPOSAL,
  /** It says how a round ended. */
  CLAIM,
  /** Its route asks for the outcome of a round. */
  FINALITY,
  /** It says something of a round that cannot be read. */
  MARK,
  /** An answer was kept back for an outcome. */
  WAIT
}
