package dev.parlance.ledger.record;

import dev.parlance.ledger.record.Settling.CoreHistory;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.Entrenchment;
import dev.parlance.policy.core.TermStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What follows from the state of the ledger: the decisions of an audit, the core after it, and who
 * is entrenched. Pure; used by whoever runs audits and by whoever checks them.
 */
public final class Auditor {
  private static final double TOLERANCE = 1e-9;

  private Auditor() {}

  /**
   * The decisions of an audit that are not on the ledger yet, in the order of terms and pairs. The
   * seed must be known ({@link LedgerState#reveal}).
   *
   * @param atMs time to write into them
   */
  public static List<Entry.Decided> decide(LedgerState state, String auditId, long atMs) {
    AuditState audit = audit(state, auditId);
    List<Entry.Decided> missing = new ArrayList<>();
    for (Decisions.Decision decision : decisions(audit, state.core(audit.plan().core()), atMs)) {
      if (!audit.isDecided(decision.decided().agents(), decision.decided().term())) {
        missing.add(decision.decided());
      }
    }
    return missing;
  }

  /**
   * The core after an audit, whether its end is on the ledger already or not: the vocabulary of its
   * plan, each term as the pairs' last outcomes have it. While the audit runs its seed must be
   * known.
   *
   * @param version one more than {@link LedgerState#coreVersion}
   * @param issuedAtMs the time in the entry {@link Entry.CoreIssued}
   * @param ledgerSize size of a ledger that has the audit's decisions
   */
  public static CertifiedCore core(
      LedgerState state, String auditId, long version, long issuedAtMs, long ledgerSize) {
    AuditState audit = audit(state, auditId);
    PlanState plan = audit.plan();
    CoreHistory history = state.core(plan.core());
    Map<String, Map<List<String>, Entry.Outcome>> fresh = new HashMap<>();
    if (!audit.isClosed()) {
      for (Decisions.Decision decision : decisions(audit, history, issuedAtMs)) {
        Entry.Decided decided = decision.decided();
        fresh
            .computeIfAbsent(decided.term(), _ -> new HashMap<>(2))
            .put(decided.agents(), decided.outcome());
      }
    }
    List<GovernedTerm> terms = new ArrayList<>(plan.plan().terms().size());
    for (String term : plan.plan().terms()) {
      Map<List<String>, Entry.Outcome> now = fresh.getOrDefault(term, Map.of());
      List<Optional<Entry.Outcome>> outcomes = new ArrayList<>();
      for (List<String> pair : plan.pairs()) {
        outcomes.add(
            Optional.ofNullable(now.get(pair))
                .or(() -> history.of(pair, term).flatMap(CoreHistory.PairTerm::outcome)));
      }
      terms.add(
          new GovernedTerm(
              term,
              CoreHistory.status(outcomes),
              Optional.ofNullable(plan.plan().alternatives().get(term))));
    }
    return new CertifiedCore(
        plan.agents(),
        plan.core().domain(),
        version,
        issuedAtMs,
        plan.perTerm(),
        terms,
        ledgerSize);
  }

  /** The entry that a core is issued with. */
  public static Entry.CoreIssued issued(String auditId, long epoch, CertifiedCore core) {
    StringBuilder keys = new StringBuilder();
    int certified = 0;
    for (GovernedTerm term : core.terms()) {
      if (term.status() == TermStatus.CERTIFIED) {
        keys.append(term.key()).append('\n');
        certified++;
      }
    }
    return new Entry.CoreIssued(
        auditId,
        epoch,
        core.id(),
        core.version(),
        core.ledgerSize(),
        certified,
        Digest.of(keys.toString()),
        CoreNote.documentSha256(core),
        core.issuedAtMs());
  }

  /**
   * Who is entrenched in its use of a term: who has more decided verdicts on it in the domain, over
   * all closed audits; with equally many the first by id.
   */
  public static Entrenchment entrenchment(
      LedgerState state, String domain, String term, String agent, String another) {
    return Entrenchment.of(
        agent,
        state.decidedVerdicts(domain, agent, term),
        another,
        state.decidedVerdicts(domain, another, term));
  }

  /** All decisions due if the audit completes. */
  static List<Decisions.Decision> decisions(AuditState audit, CoreHistory core, long atMs) {
    Decisions decisions = new Decisions(audit, core);
    List<Decisions.Decision> due = new ArrayList<>();
    for (String term : audit.terms()) {
      if (!audit.isTested(term)) {
        continue;
      }
      for (List<String> pair : audit.plan().pairs()) {
        due.add(decisions.decide(pair, term, atMs));
      }
    }
    return due;
  }

  /**
   * Whether two decisions say the same. Epoch and time do not matter, and numbers may differ by a
   * relative 1e-9, as they do where somebody sums in another order.
   */
  static boolean isSame(Entry.Decided first, Entry.Decided second) {
    return first.audit().equals(second.audit())
        && first.agents().equals(second.agents())
        && first.term().equals(second.term())
        && first.tally().equals(second.tally())
        && first.unanswered() == second.unanswered()
        && isNear(first.upper(), second.upper())
        && isNear(first.coverage(), second.coverage())
        && first.cusum().isPresent() == second.cusum().isPresent()
        && isNear(first.cusum().orElse(0.0), second.cusum().orElse(0.0))
        && first.outcome() == second.outcome()
        && first.reason().equals(second.reason());
  }

  private static boolean isNear(double first, double second) {
    return Math.abs(first - second) <= TOLERANCE * Math.max(Math.abs(first), Math.abs(second));
  }

  private static AuditState audit(LedgerState state, String id) {
    return state
        .audit(id)
        .orElseThrow(() -> new IllegalArgumentException("audit " + id + " is not on the ledger"));
  }
}
