package dev.parlance.ledger.record;

import dev.parlance.policy.core.TermVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the end of an audit leaves behind. */
final class Settling {
  private Settling() {}

  /** Removes tests whose event was not drawn; their indexes. */
  static List<Long> dropNotDrawn(AuditState audit) {
    List<Long> dropped = new ArrayList<>();
    for (String term : audit.touchedTerms()) {
      Set<String> drawn = Set.copyOf(audit.drawn(term));
      Map<String, long[]> rows = audit.rows(term);
      rows.forEach((event, row) -> {
        for (long cell : row) {
          if (AuditState.isFilled(cell) && !drawn.contains(event)) {
            dropped.add(AuditState.entry(cell));
          }
        }
      });
      rows.keySet().retainAll(drawn);
    }
    dropped.sort(Long::compare);
    return dropped;
  }

  /** The decisions due: of every tested term and pair, or none if the audit has failed. */
  static List<Decisions.Decision> decisions(
      AuditState audit, CoreHistory core, Entry.Closed closed) {
    return closed.failure().isPresent()
        ? new ArrayList<>()
        : Auditor.decisions(audit, core, closed.atMs());
  }

  /** Takes over what was decided, or seen where it failed, and counts the decided verdicts. */
  static void settle(
      AuditState audit,
      CoreHistory core,
      List<Decisions.Decision> due,
      Entry.Closed closed,
      VerdictCounts verdicts) {
    for (Decisions.Decision decision : due) {
      core.put(decision.decided().agents(), decision.decided().term(), decision.after());
    }
    if (closed.failure().isPresent()) {
      Decisions failed = new Decisions(audit, core);
      for (String term : audit.terms()) {
        if (!audit.isTested(term)) {
          continue;
        }
        for (List<String> pair : audit.plan().pairs()) {
          failed.failed(pair, term).ifPresent(state -> core.put(pair, term, state));
        }
      }
    }
    List<String> agents = audit.plan().agents();
    for (String term : audit.touchedTerms()) {
      for (long[] row : audit.rows(term).values()) {
        for (int agent = 0; agent < row.length; agent++) {
          Optional<TermVerdict> verdict = AuditState.verdict(row[agent]);
          if (verdict.isPresent() && verdict.get().isDecided()) {
            verdicts.add(audit.plan().core().domain(), agents.get(agent), term);
          }
        }
      }
    }
  }

  /** Events that anybody was asked about are no longer fresh. */
  static void useUp(AuditState audit, PlanHistory history) {
    for (String term : audit.touchedTerms()) {
      audit.rows(term).keySet().forEach(event -> history.use(term, event));
    }
  }
}
