package dev.parlance.control.certify;

import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PlanState;
import dev.parlance.policy.core.TermStatus;
import java.util.List;

/** Which terms an audit is about. */
final class AuditScope {
  private AuditScope() {}

  /**
   * The terms, sorted; empty if there is nothing to audit.
   *
   * @param asked only these; empty: all that the kind is about
   */
  static List<String> terms(
      LedgerState state, PlanState plan, Entry.Kind kind, List<String> asked) {
    List<String> candidates = asked.isEmpty() ? plan.plan().terms() : asked;
    return candidates.stream()
        .filter(plan::hasTerm)
        .filter(term -> isAbout(kind, state.status(plan, term)))
        .sorted()
        .toList();
  }

  private static boolean isAbout(Entry.Kind kind, TermStatus status) {
    return switch (kind) {
      case CERTIFY -> true;
      case RECERTIFY -> status == TermStatus.CERTIFIED;
      case RENEGOTIATE -> status == TermStatus.REFUSED || status == TermStatus.REVOKED;
    };
  }
}
