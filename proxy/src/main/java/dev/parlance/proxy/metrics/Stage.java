package dev.parlance.proxy.metrics;

/** A part of the sidecar's own work on one message. */
public enum Stage {
  /** Bytes to message. */
  READ("read"),
  /** Message to verdict. */
  JUDGE("judge"),
  /** Into the review queue, until it is on disk. */
  HOLD("hold"),
  /** Asking the control plane about a round, where a message waited for it. */
  ROUND("round"),
  /** All of the sidecar's own work on one exchange. */
  TOTAL("total");

  private final String code;

  Stage(String code) {
    this.code = code;
  }

  /** The stable name in metrics. */
  public String code() {
    return code;
  }
}
