package dev.parlance.proxy.lexicon;

import dev.parlance.policy.core.CoinedTermMatcher;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Lexicons.Used;
import dev.parlance.proxy.gate.ScannedText;
import io.netty.util.concurrent.FastThreadLocal;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * The terms of a board that a speaker sees, as they are looked for in what is judged: alone, or
 * together with those of the core that it is held against. The scratch is the thread's.
 */
final class CoinedWords {
  /** Secret of this process, so that nobody can prepare words that collide. */
  private static final long HASH_SEED = new SecureRandom().nextLong();

  /** Most cores that are remembered; a conversation has one for each other agent. */
  private static final int MAX_CORES = 4;

  private record Scratch(NormalizedText text, TermHits governed, TermHits coined) {}

  private static final FastThreadLocal<Scratch> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected Scratch initialValue() {
          return new Scratch(new NormalizedText(), new TermHits(), new TermHits());
        }
      };

  private final List<String> keys;

  /** Of these alone. */
  private final CoinedTermMatcher matcher;

  /** With the cores that messages were held against lately, the last new one first. */
  private volatile List<JointMatchers.Pair> pairs = List.of();

  /** These keys, distinct. */
  CoinedWords(List<String> keys) {
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
   *
   * @param core whose terms are looked for in the same pass, once there is a matcher for both
   */
  Used in(Utf8Span text, Optional<CompiledCore> core, JointMatchers joint) {
    if (keys.isEmpty() || text.isEmpty()) {
      return Used.NOTHING;
    }
    Optional<CoinedTermMatcher> both =
        core.isEmpty() ? Optional.empty() : joint.matcher(pair(core.get()));
    Scratch scratch = SCRATCH.get();
    scratch.governed().clear();
    scratch.coined().clear();
    scratch.text().setVisible(text);
    both.orElse(matcher).scan(scratch.text(), scratch.governed(), scratch.coined());
    scratch.text().release();
    Utf8Span coined = used(scratch.coined());
    return both.isEmpty()
        ? coined.isEmpty() ? Used.NOTHING : new Used(coined, Optional.empty())
        : new Used(
            coined,
            Optional.of(new ScannedText(core.orElseThrow(), text, scratch.governed().found())));
  }

  private JointMatchers.Pair pair(CompiledCore core) {
    List<JointMatchers.Pair> known = pairs;
    for (JointMatchers.Pair one : known) {
      if (one.isOf(core)) {
        return one;
      }
    }
    // Two threads may do so at once: then one counts anew.
    JointMatchers.Pair pair = new JointMatchers.Pair(core, keys);
    pairs = Stream.concat(Stream.of(pair), known.stream().limit(MAX_CORES - 1L)).toList();
    return pair;
  }

  private Utf8Span used(TermHits found) {
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
