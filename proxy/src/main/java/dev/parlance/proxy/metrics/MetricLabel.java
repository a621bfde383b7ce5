package dev.parlance.proxy.metrics;

import java.util.Locale;

/** Values of labels that the sidecar chooses itself. */
public final class MetricLabel {
  private MetricLabel() {}

  /** A part of the sidecar's own work on one message. */
  public enum Stage {
    /** Bytes to message. */
    READ,
    /** Message to verdict. */
    JUDGE,
    /** Into the review queue, until it is on disk. */
    HOLD,
    /** Asking the control plane about a round, where a message waited for it. */
    ROUND,
    /** All of the sidecar's own work on one exchange. */
    TOTAL;

    private final String code = MetricLabel.code(this);

    /** The stable name in metrics. */
    public String code() {
      return code;
    }
  }

  /** What became of a held message. */
  public enum ReviewDecision {
    /** A person let it pass. */
    RELEASED,
    /** A person refused it. */
    REJECTED,
    /** It was released, and nobody came for it in time. */
    EXPIRED;

    /** The stable name in metrics. */
    public String code() {
      return MetricLabel.code(this);
    }
  }

  /** A check that did not stop a message although it could not be made. */
  public enum OpenCheck {
    /** No codec could read the message. */
    UNJUDGED,
    /** The core was not confirmed for too long, and the message uses governed terms. */
    CORE_STALE,
    /** There was no core. */
    CORE_ABSENT,
    /** The gate itself failed. */
    INTERNAL_ERROR;

    /** The stable name in metrics. */
    public String code() {
      return MetricLabel.code(this);
    }
  }

  /** What a message has to do with a round. */
  public enum RoundMetric {
    /** Its author proposes. */
    PROPOSAL,
    /** It says how a round ended. */
    CLAIM,
    /** Its route asks for the outcome of a round. */
    FINALITY,
    /** It says something of a round that cannot be read. */
    MARK,
    /** An answer was kept back for an outcome. */
    WAIT;

    private final String code = MetricLabel.code(this);

    /** The stable name in metrics and in the decision log. */
    public String code() {
      return code;
    }
  }

  /** Who sent a field that only sidecars may send. */
  public enum ForgedSource {
    /** The local agent. */
    AGENT,
    /** Anybody else. */
    PEER;

    /** The stable name in metrics. */
    public String code() {
      return MetricLabel.code(this);
    }
  }

  private static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
