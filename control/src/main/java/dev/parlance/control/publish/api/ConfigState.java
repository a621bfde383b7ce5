package dev.parlance.control.publish.api;

import dev.parlance.proto.v1.ConfigStatus;

/**
 * What a sidecar says of its configuration file.
 *
 * @param revision of the one in force
 * @param refusedReason stable code; empty if the newest file is in force
 * @param refusedDetail line, column and what is wrong
 */
public record ConfigState(String revision, String refusedReason, String refusedDetail) {
  /** Before anything was said. */
  public static final ConfigState UNSAID = new ConfigState("", "", "");

  static ConfigState of(ConfigStatus status) {
    return new ConfigState(
        status.getRevision(), status.getRefusedReason(), status.getRefusedDetail());
  }

  /** True if the newest file is not in force. */
  public boolean isRefused() {
    return !refusedReason.isEmpty();
  }
}
