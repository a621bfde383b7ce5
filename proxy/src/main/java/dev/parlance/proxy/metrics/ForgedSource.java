package dev.parlance.proxy.metrics;

import dev.parlance.policy.text.Coded;

/** Who sent a field that only sidecars may send. */
public enum ForgedSource implements Coded {
  /** The local agent. */
  AGENT,
  /** Anybody else. */
  PEER
}
