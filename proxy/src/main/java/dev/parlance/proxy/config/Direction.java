package dev.parlance.proxy.config;

/** Which of the two listeners a message came in through. */
public enum Direction {
  /** Requests of others to the local agent. */
  INBOUND("inbound"),
  /** Requests of the local agent to others. */
  OUTBOUND("outbound");

  private final String code;

  Direction(String code) {
    this.code = code;
  }

  /** The stable name in configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
