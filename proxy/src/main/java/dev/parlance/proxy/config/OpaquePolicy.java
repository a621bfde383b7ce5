package dev.parlance.proxy.config;

/** What a redirected connection gets that does not begin like HTTP. */
public enum OpaquePolicy {
  /** It is closed. */
  REFUSE("refuse"),
  /** Its bytes go on unread, and it is counted. */
  PASS("pass");

  private final String code;

  OpaquePolicy(String code) {
    this.code = code;
  }

  /** The stable name in configuration. */
  public String code() {
    return code;
  }
}
