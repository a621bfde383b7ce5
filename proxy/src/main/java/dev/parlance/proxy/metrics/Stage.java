package dev.parlance.proxy.metrics;

import dev.parlance.policy.text.Coded;

/** A part of the sidecar's own work on one message. */
public enum Stage implements Coded {
  /** Bytes to message. */
  READ,
  /** Message to verdict. */
  JUDGE,
  /** Into the review queue, until it is on disk. */
  HOLD,
  /** Asking the control plane about a round, where a message waited for it. */
  ROUND,
  /** All of the sidecar's own work on one exchange. */
  TOTAL
}
