package dev.parlance.policy.route;

/** What a route asks of messages that come without evidence. */
public enum Grounding {
  /** No evidence: the author is asked again. */
  REQUIRED("required"),
  /** No evidence: delivered, and the receiver is told that nothing was checked. */
  OPTIONAL("optional");

  private final String code;

  Grounding(String code) {
    this.code = code;
  }

  /** The stable name in configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
