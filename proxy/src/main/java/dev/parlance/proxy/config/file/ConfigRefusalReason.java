package dev.parlance.proxy.config.file;

/** Why a configuration file did not become the configuration; a metric label. */
public enum ConfigRefusalReason {
  /** There is no such file, or it cannot be read. */
  UNREADABLE("unreadable"),
  /** More than {@link ConfigLoader#MAX_BYTES}. */
  TOO_LARGE("too_large"),
  /** No YAML, or YAML that is not read here (aliases, tags, duplicate keys). */
  SYNTAX("syntax"),
  /** YAML, but not a valid configuration. */
  INVALID("invalid"),
  /** Valid, but it changes what is fixed while the sidecar runs. */
  NEEDS_RESTART("needs_restart");

  private final String code;

  ConfigRefusalReason(String code) {
    this.code = code;
  }

  /** The stable name in logs and metrics. */
  public String code() {
    return code;
  }
}
