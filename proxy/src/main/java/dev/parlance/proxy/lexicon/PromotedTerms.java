package dev.parlance.proxy.lexicon;

import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.core.TermMatcher;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import io.netty.util.concurrent.FastThreadLocal;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The terms of boards that are in plans: governed words, of which a core says something only once
 * an audit has decided. Found as governed terms are found. Immutable; the scratch is the thread's.
 */
final class PromotedTerms {
  /** Secret of this process, so that nobody can prepare words that collide. */
  private static final long HASH_SEED = new SecureRandom().nextLong();

  private record Scratch(NormalizedText text, TermHits hits) {}

  private static final FastThreadLocal<Scratch> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected Scratch initialValue() {
          return new Scratch(new NormalizedText(), new TermHits());
        }
      };

  /**
   * A term in a plan.
   *
   * @param isRepaired true if it has another meaning since
   */
  record InPlan(String key, String domain, boolean isRepaired) {}

  private final List<InPlan> terms;
  private final List<String> keys;
  private final TermMatcher matcher;

  /** Of any number of boards. */
  PromotedTerms(List<InPlan> terms) {
    this.terms = terms;
    this.keys = terms.stream().map(InPlan::key).distinct().toList();
    this.matcher = TermMatcher.compile(keys, HASH_SEED);
  }

  /** Those of a board. */
  static List<InPlan> of(BoardDocument board) {
    return board.terms().stream()
        .flatMap(term ->
            term.domain().stream().map(domain -> new InPlan(term.key(), domain, term.repaired())))
        .toList();
  }

  /** The domain of the plan that the only term of this key is in, whoever sees it. */
  static Optional<String> domain(BoardDocument board, String key) {
    List<BoardDocument.Term> named =
        board.terms().stream().filter(term -> term.key().equals(key)).toList();
    return named.size() == 1 ? named.getFirst().domain() : Optional.empty();
  }

  /**
   * Keys of those that are used and untested: in a plan of the domain, and unknown to its core, or
   * repaired since.
   */
  Set<String> untested(String domain, Predicate<String> governed, Utf8Span said, Utf8Span beside) {
    if (keys.isEmpty()) {
      return Set.of();
    }
    Scratch scratch = SCRATCH.get();
    scratch.hits().clear();
    scan(said, scratch);
    scan(beside, scratch);
    Set<String> used = new HashSet<>();
    for (int i = 0; i < scratch.hits().distinct(); i++) {
      used.add(keys.get(scratch.hits().term(i)));
    }
    return terms.stream()
        .filter(term -> used.contains(term.key()) && term.domain().equals(domain))
        .filter(term -> term.isRepaired() || !governed.test(term.key()))
        .map(InPlan::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void scan(Utf8Span words, Scratch scratch) {
    if (!words.isEmpty()) {
      scratch.text().setVisible(words);
      matcher.scan(scratch.text(), scratch.hits());
      scratch.text().release();
    }
  }
}
