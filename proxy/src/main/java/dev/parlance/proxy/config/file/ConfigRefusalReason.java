package dev.parlance.proxy.config.file;

import dev.parlance.policy.text.Coded;

/** Why a configuration file did not become the configuration; a metric label. */
public enum ConfigRefusalReason implements Coded {
  /** There is no such file, or it cannot be read. */
  UNREADABLE,
  /** More than {@link ConfigLoader#MAX_BYTES}. */
  TOO_LARGE,
  /** No YAML, or YAML that is not read here (aliases, tags, duplicate keys). */
  SYNTAX,
  /** YAML, but not a valid configuration. */
  INVALID,
  /** Valid, but it changes what is fixed while the sidecar runs. */
  NEEDS_RESTART
}
