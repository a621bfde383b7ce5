package dev.parlance.demo;

import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.TermResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of the second act.
 *
 * @param audits the audits in order
 * @param orders the orders in order
 * @param phases how often the agents disagree, in order
 * @param ledger what the recomputation of the ledger says
 * @param tookMs the whole act, without the start of the processes
 * @param problems what was not as expected, in words
 */
record SecondActReport(
    List<Audited> audits,
    List<Order.Outcome> orders,
    List<Phase> phases,
    Ledger ledger,
    long tookMs,
    List<String> problems) {
  SecondActReport {
    audits = List.copyOf(audits);
    orders = List.copyOf(orders);
    phases = List.copyOf(phases);
    problems = List.copyOf(problems);
  }

  /**
   * An audit and how fast its core came into force.
   *
   * @param audit as the control plane tells it
   * @param tookMs from its start to its end
   * @param enforcedMs by agent: from the core's issue until the sidecar beside it held messages
   *     against it
   */
  record Audited(Audit audit, long tookMs, Map<String, Long> enforcedMs) {
    Audited {
      enforcedMs = Map.copyOf(enforcedMs);
    }

    /** The terms in the core, as far as this audit decided about them. */
    List<String> certified() {
      return audit.getResultsList().stream()
          .filter(CoreTable::isCertified)
          .map(TermResult::getTerm)
          .toList();
    }

    private Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("id", audit.getId());
      members.put("kind", audit.getKind().name());
      members.put("questions", audit.getQuestions());
      members.put("answered", audit.getAnswered());
      members.put("tookMs", tookMs);
      members.put("coreVersion", audit.getCoreVersion());
      members.put("enforcedAfterMs", enforcedMs);
      members.put("terms", audit.getResultsList().stream().map(Audited::term).toList());
      return members;
    }

    private static Map<String, Object> term(TermResult result) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("term", result.getTerm());
      members.put("eligible", result.getEligible());
      members.put("contradictions", result.getContradictions());
      members.put("upper", result.getUpper());
      members.put("coverage", result.getCoverage());
      members.put("outcome", result.getOutcome());
      members.put("reason", result.getReason());
      return members;
    }
  }

  /**
   * A moment of the act.
   *
   * @param name what has just happened
   * @param coreTerms how many terms the core has
   * @param all disagreement over the whole vocabulary
   * @param core disagreement over the core's terms
   */
  record Phase(String name, int coreTerms, Survey.Disagreement all, Survey.Disagreement core) {
    private Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("phase", name);
      members.put("coreTerms", coreTerms);
      members.put("allComparisons", all.comparisons());
      members.put("allContradictions", all.contradictions());
      members.put("coreComparisons", core.comparisons());
      members.put("coreContradictions", core.contradictions());
      return members;
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
  record Ledger(boolean sound, long entries, long decisions, long cores) {}

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("audits", audits.stream().map(Audited::toMap).toList());
    members.put("orders", orders.stream().map(Order.Outcome::toMap).toList());
    members.put("disagreement", phases.stream().map(Phase::toMap).toList());
    members.put(
        "ledger",
        Map.of(
            "sound", ledger.sound(),
            "entries", ledger.entries(),
            "decisions", ledger.decisions(),
            "cores", ledger.cores()));
    members.put("tookMs", tookMs);
    members.put("differences", problems);
    return members;
  }
}
