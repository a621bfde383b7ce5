package dev.parlance.proxy.gate;

/** The half of an exchange that a message belongs to. */
public enum Leg {
  /** What the caller says. */
  REQUEST("request"),
  /** What the asked agent answers. */
  RESPONSE("response");

  private final String code;

  Leg(String code) {
    this.code = code;
  }

  /** The stable name in logs and metrics. */
  public String code() {
    return code;
  }
}
