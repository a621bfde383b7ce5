package dev.parlance.demo;

import dev.parlance.demo.api.AuditResult;
import java.util.List;
import java.util.Map;

/**
 * What came of the second act, named as in the report.
 *
 * @param audits the audits in order
 * @param orders the orders in order
 * @param disagreement how often the agents disagree, moment by moment
 * @param ledger what the recomputation of the ledger says
 * @param tookMs the whole act, without the start of the processes
 * @param differences what was not as expected, in words
 */
record SecondActReport(
    List<Audited> audits,
    List<Map<String, Object>> orders,
    List<Phase> disagreement,
    Recomputed ledger,
    long tookMs,
    List<String> differences) {
  SecondActReport {
    audits = List.copyOf(audits);
    orders = List.copyOf(orders);
    disagreement = List.copyOf(disagreement);
    differences = List.copyOf(differences);
  }

  /**
   * An audit and how fast its core came into force.
   *
   * @param id of the audit
   * @param kind its kind
   * @param questions planned
   * @param answered questions
   * @param tookMs from its start to its end
   * @param coreVersion version of the core that it issued
   * @param enforcedAfterMs by agent: from the core's issue until the sidecar beside it held
   *     messages against it
   * @param terms the decisions
   */
  record Audited(
      String id,
      String kind,
      int questions,
      int answered,
      long tookMs,
      long coreVersion,
      Map<String, Long> enforcedAfterMs,
      List<AuditResult.Term> terms) {
    Audited {
      enforcedAfterMs = Map.copyOf(enforcedAfterMs);
      terms = List.copyOf(terms);
    }

    static Audited of(AuditResult audit, long tookMs, Map<String, Long> enforcedAfterMs) {
      return new Audited(
          audit.id(),
          audit.kind(),
          audit.questions(),
          audit.answered(),
          tookMs,
          audit.coreVersion(),
          enforcedAfterMs,
          audit.terms());
    }

    /** The terms in the core, as far as this audit decided about them. */
    List<String> certified() {
      return terms.stream().filter(AuditResult.Term::inCore).map(AuditResult.Term::term).toList();
    }

    /** What was decided about a term. */
    String outcome(String term) {
      return terms.stream()
          .filter(result -> result.term().equals(term))
          .map(AuditResult.Term::outcome)
          .findFirst()
          .orElse("not decided");
    }
  }

  /**
   * A moment of the act.
   *
   * @param phase what has just happened
   * @param coreTerms how many terms the core has
   * @param allComparisons comparisons over the whole vocabulary
   * @param allContradictions contradictions among them
   * @param coreComparisons comparisons over the core's terms
   * @param coreContradictions contradictions among them
   */
  record Phase(
      String phase,
      int coreTerms,
      int allComparisons,
      int allContradictions,
      int coreComparisons,
      int coreContradictions) {
    static Phase of(
        String phase, int coreTerms, Survey.Disagreement all, Survey.Disagreement core) {
      return new Phase(
          phase,
          coreTerms,
          all.comparisons(),
          all.contradictions(),
          core.comparisons(),
          core.contradictions());
    }
  }

  /**
   * The recomputation of the ledger.
   *
   * @param sound true if the tree and every decision hold
   * @param entries entries of the ledger
   * @param decisions decisions recomputed from the entries alone
   * @param cores cores recomputed
   */
  record Recomputed(boolean sound, long entries, long decisions, long cores) {}
}
