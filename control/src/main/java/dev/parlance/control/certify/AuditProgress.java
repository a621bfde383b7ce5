package dev.parlance.control.certify;

import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.ledger.record.AuditState;
import dev.parlance.proto.v1.Audit;

/** How far an audit is, from the ledger. */
final class AuditProgress {
  private AuditProgress() {}

  /** The shown form of an audit without its results. */
  static Audit.Builder document(AuditContext context, AuditRow row, long epoch) {
    Audit.Builder document = Audit.newBuilder().setReplica(context.replica()).setEpoch(epoch);
    context
        .view()
        .tell(state ->
            state
                .audit(row.id())
                .ifPresent(audit ->
                    document
                        .setQuestions(questions(audit))
                        .setAnswered((int) audit.answered())
                        .setUnanswered((int) audit.unanswered())));
    return document;
  }

  private static int questions(AuditState audit) {
    if (audit.isClosed() || !audit.isDrawn()) {
      return (int) (audit.answered() + audit.unanswered());
    }
    return (int)
        audit.terms().stream()
            .filter(audit::isTested)
            .mapToLong(term -> (long) audit.drawn(term).size() * audit.plan().agents().size())
            .sum();
  }
}
