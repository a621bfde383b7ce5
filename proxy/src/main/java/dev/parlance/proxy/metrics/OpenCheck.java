package dev.parlance.proxy.metrics;

import dev.parlance.policy.text.Coded;

/** A check that did not stop a message although it could not be made. */
public enum OpenCheck implements Coded {
  /** No codec could read the message. */
  UNJUDGED,
  /** The core was not confirmed for too long, and the message uses governed terms. */
  CORE_STALE,
  /** There was no core. */
  CORE_ABSENT,
  /** The gate itself failed. */
  INTERNAL_ERROR
}
