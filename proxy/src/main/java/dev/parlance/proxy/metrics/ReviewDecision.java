package dev.parlance.proxy.metrics;

/** What became of a held message. */
public enum ReviewDecision {
  /** A person let it pass. */
  RELEASED("released"),
  /** A person refused it. */
  REJECTED("rejected"),
  /** It was released, and nobody came for it in time. */
  EXPIRED("expired");

  private final String code;

  ReviewDecision(String code) {
    this.code = code;
  }

  /** The stable name in metrics. */
  public String code() {
    return code;
  }
}
