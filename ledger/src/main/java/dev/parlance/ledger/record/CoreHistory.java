package dev.parlance.ledger.record;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.core.TermWatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What closed audits have decided for one core: per pair and term. */
final class CoreHistory {
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
