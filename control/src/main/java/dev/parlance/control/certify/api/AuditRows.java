package dev.parlance.control.certify.api;

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
public final class AuditRows {
  /** A state. */
  public static final String OPEN = "open";

  /** A state. */
  public static final String RUNNING = "running";

  /** A state. */
  public static final String COMPLETED = "completed";

  /** A state. */
  public static final String ABANDONED = "abandoned";

  private AuditRows() {}

  /** The audit as it is shown. */
  public static Audit shown(AuditRow row) {
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
  public static AuditRow with(AuditRow row, String state, long endedAtMs, Report report) {
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
        report.document());
  }

  /** True if nothing changes any more. */
  public static boolean isFinished(AuditRow row) {
    return row.state().equals(COMPLETED) || row.state().equals(ABANDONED);
  }

  /** True if it has come to a decision on the term. */
  public static boolean hasDecided(AuditRow row, String term) {
    return shown(row).getResultsList().stream().anyMatch(result -> result.getTerm().equals(term));
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

  /** The kind that a row names. */
  public static Entry.Kind ledgerKind(String code) {
    return Entry.Kind.ofCode(code)
        .orElseThrow(() -> new IllegalStateException("no kind of an audit: " + code));
  }

  /** The kind that is asked for; empty if none is. */
  public static Optional<Entry.Kind> ledgerKind(AuditKind kind) {
    return switch (kind) {
      case AUDIT_KIND_CERTIFY -> Optional.of(Entry.Kind.CERTIFY);
      case AUDIT_KIND_RECERTIFY -> Optional.of(Entry.Kind.RECERTIFY);
      case AUDIT_KIND_RENEGOTIATE -> Optional.of(Entry.Kind.RENEGOTIATE);
      case AUDIT_KIND_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  /** What is shown of an audit beside its row. */
  public record Report(Audit message) {
    /** As the store keeps it. */
    public byte[] document() {
      return message.toByteArray();
    }

    /** Of an audit that was not run yet. */
    public static final Report NONE = new Report(Audit.getDefaultInstance());

    /** Of one that this replica works on, and how many questions it has. */
    public static Report of(
        String replica, long epoch, int questions, int answered, int unanswered) {
      return new Report(
          Audit.newBuilder()
              .setReplica(replica)
              .setEpoch(epoch)
              .setQuestions(questions)
              .setAnswered(answered)
              .setUnanswered(unanswered)
              .build());
    }

    /** With what was decided. */
    public Report decided(List<Entry.Decided> decided, CertificationParams perTerm) {
      List<TermResult> results = decided.stream().map(one -> result(one, perTerm)).toList();
      return new Report(message.toBuilder().addAllResults(results).build());
    }

    /** With the version of the core that came of it. */
    public Report issued(long coreVersion) {
      return new Report(message.toBuilder().setCoreVersion(coreVersion).build());
    }

    /** With why it failed. */
    public Report failed(String failure) {
      return new Report(message.toBuilder().setFailure(failure).build());
    }
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
