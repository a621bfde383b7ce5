package dev.parlance.control.certify;

import dev.parlance.control.certify.api.AuditRows.Report;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.evidence.AuditState;

/** How far an audit is, from the ledger. */
final class AuditProgress {
  private AuditProgress() {}

  /** What is shown of an audit without its results. */
  static Report report(AuditContext context, AuditRow row, long epoch) {
    return context
        .view()
        .read(state ->
            state
                .audit(row.id())
                .map(audit ->
                    Report.of(
                        context.replica(),
                        epoch,
                        questions(audit),
                        (int) audit.answered(),
                        (int) audit.unanswered()))
                .orElseGet(() -> Report.of(context.replica(), epoch, 0, 0, 0)));
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
