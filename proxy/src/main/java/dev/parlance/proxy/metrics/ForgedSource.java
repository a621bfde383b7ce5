package dev.parlance.proxy.metrics;

/** Who sent a field that only sidecars may send. */
public enum ForgedSource {
  /** The local agent. */
  AGENT("agent"),
  /** Anybody else. */
  PEER("peer");

  private final String code;

  ForgedSource(String code) {
    this.code = code;
  }

  /** The stable name in metrics. */
  public String code() {
    return code;
  }
}
