package dev.parlance.policy.route;

/** Where a message goes (ASP paper, Eq. 6). */
public enum Route {
  /** The original bytes go on. */
  EXECUTE("execute"),
  /** The original bytes go on and the receiver is told. */
  WARN("warn"),
  /** The author is asked again. */
  REGENERATE("regenerate"),
  /** The message is held for a person. */
  YIELD("yield");

  private final String code;

  Route(String code) {
    this.code = code;
  }

  /** The stable name in logs, metrics and on the wire. */
  public String code() {
    return code;
  }
}
