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
 * The terms of a board that are in plans: governed words, of which a core says something only once
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

  /** Of a conversation without a board. */
  static final PromotedTerms NONE = new PromotedTerms(0, List.of());

  private final long revision;
  private final List<BoardDocument.Term> all;
  private final List<BoardDocument.Term> terms;
  private final List<String> keys;
  private final TermMatcher matcher;

  private PromotedTerms(long revision, List<BoardDocument.Term> all) {
    this.revision = revision;
    this.all = all;
    this.terms = all.stream().filter(term -> term.domain().isPresent()).toList();
    this.keys = terms.stream().map(BoardDocument.Term::key).distinct().toList();
    this.matcher = TermMatcher.compile(keys, HASH_SEED);
  }

  /** Those of a board. */
  static PromotedTerms of(BoardDocument board) {
    return new PromotedTerms(board.revision(), board.terms());
  }

  /** Of which revision. */
  long revision() {
    return revision;
  }

  /** The domain of the plan that the only term of this key is in, whoever sees it. */
  Optional<String> domain(String key) {
    List<BoardDocument.Term> named = all.stream().filter(term -> term.key().equals(key)).toList();
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
        .filter(term -> used.contains(term.key()) && term.domain().orElseThrow().equals(domain))
        .filter(term -> term.repaired() || !governed.test(term.key()))
        .map(BoardDocument.Term::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void scan(Utf8Span words, Scratch scratch) {
    if (!words.isEmpty()) {
      scratch.text().set(words);
      matcher.scan(scratch.text(), scratch.hits());
      scratch.text().release();
    }
  }
}
