package dev.parlance.proxy.metrics;

import dev.parlance.policy.text.Coded;

/** Values of labels that the sidecar chooses itself. */
public final class MetricLabel {
  private MetricLabel() {}

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

  /** What became of a held message. */
  public enum ReviewDecision implements Coded {
    /** A person let it pass. */
    RELEASED,
    /** A person refused it. */
    REJECTED,
    /** A person refused it, and its author is asked for another one. */
    SENT_BACK,
    /** It was released, and nobody came for it in time. */
    EXPIRED
  }

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

  /** What a message has to do with a round. */
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

  /** Who sent a field that only sidecars may send. */
  public enum ForgedSource implements Coded {
    /** The local agent. */
    AGENT,
    /** Anybody else. */
    PEER
  }
}
