package dev.parlance.proxy.lexicon;

import dev.parlance.policy.core.CoinedTermMatcher;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import io.netty.util.concurrent.FastThreadLocal;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;

/**
 * The terms of a board that a speaker sees, as they are looked for in what is judged. Immutable;
 * the scratch is the thread's.
 */
final class CoinedWords {
  /** Secret of this process, so that nobody can prepare words that collide. */
  private static final long HASH_SEED = new SecureRandom().nextLong();

  private record Scratch(NormalizedText text, TermHits governed, TermHits coined) {}

  private static final FastThreadLocal<Scratch> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected Scratch initialValue() {
          return new Scratch(new NormalizedText(), new TermHits(), new TermHits());
        }
      };

  private final List<String> keys;
  private final CoinedTermMatcher matcher;

  private CoinedWords(List<String> keys) {
    this.keys = keys;
    this.matcher = CoinedTermMatcher.compile(List.of(), keys, HASH_SEED);
  }

  /**
   * Those of a board that this speaker sees.
   *
   * @param made some that were made before: making a thousand terms ready costs a thousand times
   *     what looking for them in a message does
   */
  static CoinedWords of(Board board, String speaker, Collection<CoinedWords> made) {
    List<String> seen =
        board.entries().stream()
            .filter(entry -> entry.leaked() || board.rules().hears(speaker, entry.visibility()))
            .map(BoardEntry::key)
            .distinct()
            .toList();
    return made.stream()
        .filter(one -> one.keys.equals(seen))
        .findAny()
        .orElseGet(() -> new CoinedWords(seen));
  }

  /**
   * The terms that a text uses, each once. Without those that have a digit: no number is supported
   * because somebody has coined it.
   */
  Utf8Span in(Utf8Span text) {
    if (keys.isEmpty() || text.isEmpty()) {
      return Utf8Span.EMPTY;
    }
    Scratch scratch = SCRATCH.get();
    TermHits found = scratch.coined();
    found.clear();
    scratch.text().set(text);
    matcher.scan(scratch.text(), scratch.governed(), found);
    scratch.text().release();
    if (found.distinct() == 0) {
      return Utf8Span.EMPTY;
    }
    StringJoiner used = new StringJoiner(" ");
    for (int i = 0; i < found.distinct(); i++) {
      String key = keys.get(found.term(i));
      if (key.codePoints().noneMatch(Character::isDigit)) {
        used.add(key);
      }
    }
    return Utf8Span.of(used.toString());
  }
}
