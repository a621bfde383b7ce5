package dev.parlance.proxy.config;

/** Whether a decision is carried out or only recorded. */
public enum Mode {
  /** Everything is scored and recorded, nothing is held back. */
  OBSERVE("observe"),
  /** Decisions are carried out. */
  ENFORCE("enforce");

  private final String code;

  Mode(String code) {
    this.code = code;
  }

  /** The stable name in configuration, logs and metrics. */
  public String code() {
    return code;
  }
}
