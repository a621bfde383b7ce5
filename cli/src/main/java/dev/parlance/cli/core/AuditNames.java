package dev.parlance.cli.core;

import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;

/** Names of enumerated values as people and JSON see them. */
final class AuditNames {
  private AuditNames() {}

  static String of(AuditKind kind) {
    return switch (kind) {
      case AUDIT_KIND_CERTIFY -> "certify";
      case AUDIT_KIND_RECERTIFY -> "recertify";
      case AUDIT_KIND_RENEGOTIATE -> "renegotiate";
      case AUDIT_KIND_UNSPECIFIED, UNRECOGNIZED -> "unknown";
    };
  }

  static String of(AuditState state) {
    return switch (state) {
      case AUDIT_STATE_OPEN -> "open";
      case AUDIT_STATE_RUNNING -> "running";
      case AUDIT_STATE_COMPLETED -> "completed";
      case AUDIT_STATE_ABANDONED -> "abandoned";
      case AUDIT_STATE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
    };
  }

  /** True if nothing more comes of it. */
  static boolean hasEnded(AuditState state) {
    return state == AuditState.AUDIT_STATE_COMPLETED || state == AuditState.AUDIT_STATE_ABANDONED;
  }
}
