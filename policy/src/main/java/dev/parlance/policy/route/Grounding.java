package dev.parlance.policy.route;

/** What a readable message without evidence gets. */
public enum Grounding {
  /** It is asked for again. */
  REQUIRED("required"),
  /** It goes on with a warning. */
  OPTIONAL("optional");

  private final String code;

  Grounding(String code) {
    this.code = code;
  }

  /** The stable name in configuration and logs. */
  public String code() {
    return code;
  }
}
