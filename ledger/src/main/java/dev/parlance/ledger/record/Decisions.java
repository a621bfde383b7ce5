package dev.parlance.ledger.record;

import dev.parlance.ledger.record.Settling.CoreHistory;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermDecision;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.TermWatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What follows from an audit's tests for one term and pair. Needs the draw. */
final class Decisions {
  private final AuditState audit;
  private final CoreHistory core;
  private final CertificationParams params;

  Decisions(AuditState audit, CoreHistory core) {
    this.audit = audit;
    this.core = core;
    this.params = audit.plan().perTerm();
  }

  /**
   * A decision and what stays of it.
   *
   * @param decided as it belongs on the ledger
   * @param after state of the pair's term after it
   */
  record Decision(Entry.Decided decided, CoreHistory.PairTerm after) {}

  /** An event that both agents gave a verdict on. */
  private record Comparison(long later, TermVerdict first, TermVerdict second) {}

  /** The decision for a pair on a term, if the audit completes. */
  Decision decide(List<String> pair, String term, long atMs) {
    List<Comparison> comparisons = comparisons(pair, term);
    int drawn = audit.drawn(term).size();
    int unanswered = drawn - comparisons.size();
    Optional<CoreHistory.PairTerm> before = core.of(pair, term);
    TermDecision decision;
    TermWatch watch = TermWatch.NEW;
    OptionalDouble cusum = OptionalDouble.empty();
    if (params.bound() == Bound.ANYTIME) {
      TermWatch fed = fed(pair, term, comparisons);
      decision = fed.decide(unanswered, drawn, params);
      watch = fed.step(new TermWatch.Event.AuditEnded(unanswered, drawn), params);
      cusum = OptionalDouble.of(watch.cusum());
    } else {
      Tally tally = Tally.NONE;
      for (Comparison comparison : comparisons) {
        tally = tally.plus(comparison.first(), comparison.second());
      }
      decision = Certifier.decide(tally, unanswered, drawn, params);
    }
    boolean wasCertified = before.isPresent() && before.get().isCertified();
    Entry.Outcome outcome = outcome(decision.isCertified(), wasCertified);
    Entry.Decided decided =
        new Entry.Decided(
            audit.id(),
            audit.epoch(),
            pair,
            term,
            decision.tally().audited(),
            decision.tally().eligible(),
            decision.tally().contradictions(),
            unanswered,
            decision.upper(),
            decision.tally().coverage(),
            cusum,
            outcome,
            reason(decision),
            atMs);
    return new Decision(
        decided,
        new CoreHistory.PairTerm(Optional.of(outcome), watch, audit.plan().plan().params()));
  }

  /** State of the pair's term if the audit ends without decisions: what was seen stays seen. */
  Optional<CoreHistory.PairTerm> failed(List<String> pair, String term) {
    if (params.bound() != Bound.ANYTIME) {
      return Optional.empty();
    }
    Optional<Entry.Outcome> outcome = core.of(pair, term).flatMap(CoreHistory.PairTerm::outcome);
    TermWatch fed = fed(pair, term, comparisons(pair, term));
    return Optional.of(new CoreHistory.PairTerm(outcome, fed, audit.plan().plan().params()));
  }

  private TermWatch fed(List<String> pair, String term, List<Comparison> comparisons) {
    TermWatch watch =
        core.of(pair, term)
            .map(state -> state.watch(audit.plan().plan().params()))
            .orElse(TermWatch.NEW);
    if (isNewUse(pair, term)) {
      watch = watch.step(new TermWatch.Event.Reset(), params);
    }
    for (Comparison comparison : comparisons) {
      watch =
          watch.step(new TermWatch.Event.Compared(comparison.first(), comparison.second()), params);
    }
    return watch;
  }

  /** Whether one of the two has adopted another use of the term in this audit. */
  private boolean isNewUse(List<String> pair, String term) {
    return audit.offers(term).values().stream()
        .anyMatch(offer -> AuditState.isAdopted(offer) && pair.contains(offer.other()));
  }

  private List<Comparison> comparisons(List<String> pair, String term) {
    int first = audit.plan().agent(pair.get(0));
    int second = audit.plan().agent(pair.get(1));
    List<Comparison> comparisons = new ArrayList<>();
    for (String event : audit.drawn(term)) {
      long[] row = audit.row(term, event);
      Optional<TermVerdict> one = AuditState.verdict(row[first]);
      Optional<TermVerdict> other = AuditState.verdict(row[second]);
      if (one.isPresent() && other.isPresent()) {
        long later = Math.max(AuditState.entry(row[first]), AuditState.entry(row[second]));
        comparisons.add(new Comparison(later, one.get(), other.get()));
      }
    }
    comparisons.sort(Comparator.comparingLong(Comparison::later));
    return comparisons;
  }

  private Entry.Outcome outcome(boolean passes, boolean wasCertified) {
    return switch (audit.kind()) {
      case CERTIFY -> {
        if (passes) {
          yield Entry.Outcome.CERTIFIED;
        }
        yield wasCertified ? Entry.Outcome.REVOKED : Entry.Outcome.REFUSED;
      }
      case RECERTIFY -> passes ? Entry.Outcome.KEPT : Entry.Outcome.REVOKED;
      case RENEGOTIATE -> passes ? Entry.Outcome.RESTORED : Entry.Outcome.REFUSED;
    };
  }

  private static Optional<RefusalReason> reason(TermDecision decision) {
    return switch (decision) {
      case TermDecision.Certified certified -> Optional.empty();
      case TermDecision.Refused refused -> Optional.of(refused.reason());
    };
  }
}
