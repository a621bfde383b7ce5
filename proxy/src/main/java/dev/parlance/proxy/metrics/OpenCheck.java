package dev.parlance.proxy.metrics;

/** A check that did not stop a message although it could not be made. */
public enum OpenCheck {
  /** No codec could read the message. */
  UNJUDGED("unjudged"),
  /** The core was not confirmed for too long, and the message uses governed terms. */
  CORE_STALE("core_stale"),
  /** There was no core. */
  CORE_ABSENT("core_absent"),
  /** The gate itself failed. */
  INTERNAL_ERROR("internal_error");

  private final String code;

  OpenCheck(String code) {
    this.code = code;
  }

  /** The stable name in metrics. */
  public String code() {
    return code;
  }
}
