package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** Which of the two listeners a message came in through. */
public enum Direction implements Coded {
  /** Requests of others to the local agent. */
  INBOUND,
  /** Requests of the local agent to others. */
  OUTBOUND
}
