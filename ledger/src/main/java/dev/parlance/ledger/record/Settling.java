package dev.parlance.ledger.record;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.TermWatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
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

  /** How often closed audits have had an agent decided on a term, by domain, agent and term. */
  static final class VerdictCounts {
    private final Map<String, Map<String, Map<String, Integer>>> counts = new HashMap<>();

    void add(String domain, String agent, String term) {
      counts
          .computeIfAbsent(domain, _ -> new HashMap<>())
          .computeIfAbsent(agent, _ -> new HashMap<>())
          .merge(term, 1, Integer::sum);
    }

    int of(String domain, String agent, String term) {
      return counts
          .getOrDefault(domain, Map.of())
          .getOrDefault(agent, Map.of())
          .getOrDefault(term, 0);
    }
  }

  /** What the revisions of one plan have in common: which events are used up for which term. */
  static final class PlanHistory {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> events = new ArrayList<>();
    private final Map<String, BitSet> used = new HashMap<>();
    private Optional<PlanState> latest = Optional.empty();

    Optional<PlanState> latest() {
      return latest;
    }

    void revise(PlanState plan) {
      latest = Optional.of(plan);
    }

    void use(String term, String event) {
      Integer number = numbers.get(event);
      if (number == null) {
        number = events.size();
        numbers.put(event, number);
        events.add(event);
      }
      used.computeIfAbsent(term, _ -> new BitSet()).set(number);
    }

    /** The events that closed audits of the plan have asked about with this term. */
    Set<String> used(String term) {
      BitSet bits = used.get(term);
      if (bits == null) {
        return Set.of();
      }
      Set<String> names = HashSet.newHashSet(bits.cardinality());
      bits.stream().forEach(number -> names.add(events.get(number)));
      return names;
    }

    /** Whether the pool has too few fresh events for one of the terms. */
    boolean exhausted(PlanState plan, List<String> terms) {
      int enough = plan.plan().eventsPerTerm();
      for (String term : terms) {
        Set<String> gone = used(term);
        // Events of older revisions may be gone from the pool, so that only counting tells.
        long fresh =
            plan.pool().stream().filter(event -> !gone.contains(event)).limit(enough).count();
        if (fresh < enough) {
          return true;
        }
      }
      return false;
    }
  }

  /** What closed audits have decided for one core: per pair and term. */
  static final class CoreHistory {
    private final Map<String, Map<List<String>, PairTerm>> terms = new HashMap<>();
    private long version;

    /**
     * A term of a pair.
     *
     * @param outcome of the last decision; empty while there is none
     * @param watch evidence of the anytime bound
     * @param params what the watch was fed under
     */
    record PairTerm(Optional<Entry.Outcome> outcome, TermWatch watch, CertificationParams params) {
      /** Whether this pair has the term certified. */
      boolean isCertified() {
        return outcome.isPresent() && isCertifying(outcome.get());
      }

      /** The evidence, if it was gathered under these constants; else none. */
      TermWatch watch(CertificationParams now) {
        return params.equals(now) ? watch : TermWatch.NEW;
      }
    }

    static boolean isCertifying(Entry.Outcome outcome) {
      return switch (outcome) {
        case CERTIFIED, KEPT, RESTORED -> true;
        case REFUSED, REVOKED -> false;
      };
    }

    long version() {
      return version;
    }

    void issued(long newer) {
      version = Math.max(version, newer);
    }

    Optional<PairTerm> of(List<String> pair, String term) {
      Map<List<String>, PairTerm> pairs = terms.get(term);
      return pairs == null ? Optional.empty() : Optional.ofNullable(pairs.get(pair));
    }

    /** The term has another meaning now: nothing that was decided is about it. */
    void forget(String term) {
      terms.remove(term);
    }

    void put(List<String> pair, String term, PairTerm state) {
      // Most terms have one pair or a few.
      terms.computeIfAbsent(term, _ -> new HashMap<>(2)).put(pair, state);
    }

    /** Where a term stands when its pairs' last outcomes are these. */
    static TermStatus status(List<Optional<Entry.Outcome>> outcomes) {
      if (outcomes.contains(Optional.of(Entry.Outcome.REVOKED))) {
        return TermStatus.REVOKED;
      }
      if (outcomes.contains(Optional.of(Entry.Outcome.REFUSED))) {
        return TermStatus.REFUSED;
      }
      return outcomes.contains(Optional.<Entry.Outcome>empty())
          ? TermStatus.UNTESTED
          : TermStatus.CERTIFIED;
    }
  }
}
