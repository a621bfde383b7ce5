package dev.parlance.control.certify;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.ledger.record.Entry;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.TermResult;
import java.util.List;
import java.util.Optional;

/** Between rows of audits and what is shown of them. */
final class AuditRows {
  static final String OPEN = "open";
  static final String RUNNING = "running";
  static final String COMPLETED = "completed";
  static final String ABANDONED = "abandoned";

  private AuditRows() {}

  /** The audit as it is shown. */
  static Audit shown(AuditRow row) {
    Audit document;
    try {
      document = Audit.parseFrom(row.document());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the store holds no audit under " + row.id(), e);
    }
    return document.toBuilder()
        .setId(row.id())
        .setPlan(row.plan())
        .setPlanRevision(row.planRevision())
        .setKind(kind(row.kind()))
        .setState(state(row.state()))
        .setStartedAtMs(row.startedAtMs())
        .setEndedAtMs(row.endedAtMs())
        .build();
  }

  /** The row with another state and document. */
  static AuditRow with(AuditRow row, String state, long endedAtMs, Audit document) {
    return new AuditRow(
        row.id(),
        row.plan(),
        row.planRevision(),
        row.kind(),
        row.terms(),
        row.seed(),
        state,
        row.startedAtMs(),
        endedAtMs,
        document.toByteArray());
  }

  static boolean isFinished(AuditRow row) {
    return row.state().equals(COMPLETED) || row.state().equals(ABANDONED);
  }

  private static AuditState state(String state) {
    return switch (state) {
      case OPEN -> AuditState.AUDIT_STATE_OPEN;
      case RUNNING -> AuditState.AUDIT_STATE_RUNNING;
      case COMPLETED -> AuditState.AUDIT_STATE_COMPLETED;
      case ABANDONED -> AuditState.AUDIT_STATE_ABANDONED;
      default -> throw new IllegalStateException("no state of an audit: " + state);
    };
  }

  private static AuditKind kind(String code) {
    return switch (ledgerKind(code)) {
      case CERTIFY -> AuditKind.AUDIT_KIND_CERTIFY;
      case RECERTIFY -> AuditKind.AUDIT_KIND_RECERTIFY;
      case RENEGOTIATE -> AuditKind.AUDIT_KIND_RENEGOTIATE;
    };
  }

  static Entry.Kind ledgerKind(String code) {
    return Entry.Kind.ofCode(code)
        .orElseThrow(() -> new IllegalStateException("no kind of an audit: " + code));
  }

  /** The kind that is asked for; empty if none is. */
  static Optional<Entry.Kind> ledgerKind(AuditKind kind) {
    return switch (kind) {
      case AUDIT_KIND_CERTIFY -> Optional.of(Entry.Kind.CERTIFY);
      case AUDIT_KIND_RECERTIFY -> Optional.of(Entry.Kind.RECERTIFY);
      case AUDIT_KIND_RENEGOTIATE -> Optional.of(Entry.Kind.RENEGOTIATE);
      case AUDIT_KIND_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  /** Decisions as they are shown. */
  static List<TermResult> results(List<Entry.Decided> decided, CertificationParams perTerm) {
    return decided.stream().map(decision -> result(decision, perTerm)).toList();
  }

  private static TermResult result(Entry.Decided decided, CertificationParams perTerm) {
    boolean isCertified = decided.reason().isEmpty();
    return TermResult.newBuilder()
        .setTerm(decided.term())
        .addAllAgents(decided.agents())
        .setAudited(decided.audited())
        .setEligible(decided.eligible())
        .setContradictions(decided.contradictions())
        .setUnanswered(decided.unanswered())
        .setUpper(decided.upper())
        .setCoverage(decided.coverage())
        .setOutcome(decided.outcome().code())
        .setReason(decided.reason().map(RefusalReason::code).orElse(""))
        .setNeeded(isCertified ? 0 : SampleSize.furtherNeeded(decided.tally(), perTerm))
        .build();
  }
}
