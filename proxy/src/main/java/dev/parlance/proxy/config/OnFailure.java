package dev.parlance.proxy.config;

/** What happens to a message that was not judged. */
public enum OnFailure {
  /** It is refused. */
  BLOCK("block"),
  /** It goes on with a warning. */
  WARN("warn"),
  /** It goes on untouched, and is counted. */
  ALLOW("allow");

  private final String code;

  OnFailure(String code) {
    this.code = code;
  }

  /** The stable name in configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
