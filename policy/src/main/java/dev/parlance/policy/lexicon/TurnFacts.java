package dev.parlance.policy.lexicon;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a turn is to a board, read from its text with that board: everything but the text. Nobody
 * who applies it needs to see what was said.
 *
 * @param speaker who
 * @param channel to whom
 * @param tokens of the whole turn
 * @param checkpoint true if an interval ends behind it in which a term's use is looked for
 * @param uses in the order of their first occurrence, each term once
 * @param directives in the order of their lines
 * @param coinages in the order of their lines
 */
public record TurnFacts(
    String speaker,
    Channel channel,
    int tokens,
    boolean checkpoint,
    List<Use> uses,
    List<Directed> directives,
    List<Coined> coinages) {
  /**
   * A term of a board: within one visibility a key is coined once.
   *
   * @param visibility who sees it
   * @param key in what terms are compared
   */
  public record TermRef(Channel visibility, String key) {}

  /**
   * A term is used.
   *
   * @param term which
   * @param times how often it stands in what is said, from 1
   */
  public record Use(TermRef term, int times) {
    /** Refuses a use that is none. */
    public Use {
      if (times < 1) {
        throw new IllegalArgumentException("expected a use, got " + times);
      }
    }
  }

  /**
   * A term is challenged or repaired.
   *
   * @param line the number of its line, from 0
   * @param request which
   * @param written the term as it was written
   * @param term the term that is meant; empty if the speaker sees none of that key
   * @param body the reason or the new definition; empty if it is missing or none
   */
  public record Directed(
      int line,
      TurnText.Request request,
      String written,
      Optional<TermRef> term,
      Optional<String> body) {}

  /**
   * A line among the definitions.
   *
   * @param line its number, from 0
   * @param term as it was written
   * @param key in what it is compared; empty if it has no token
   * @param definition empty if there is none
   * @param refusal why it coins nothing, as far as its reader could tell
   */
  public record Coined(
      int line, String term, String key, String definition, Optional<CoinRefusal.Reason> refusal) {
    /** Refuses another term's key. */
    public Coined {
      if (!key.equals(BoardRules.key(term))) {
        throw new IllegalArgumentException("not the key of " + term + ": " + key);
      }
    }

    Coined refused(Optional<CoinRefusal.Reason> reason) {
      return new Coined(line, term, key, definition, reason);
    }
  }

  /** Copies the lists; refuses a turn of nobody. */
  public TurnFacts {
    uses = List.copyOf(uses);
    directives = List.copyOf(directives);
    coinages = List.copyOf(coinages);
    if (speaker.isEmpty() || tokens < 0) {
      throw new IllegalArgumentException("a turn needs a speaker and a number of tokens");
    }
  }

  /** The same turn, which coins a term as well. */
  TurnFacts and(Coined line) {
    return with(directives, and(coinages, line));
  }

  /** The same turn, which challenges or repairs a term as well. */
  TurnFacts and(Directed line) {
    return with(and(directives, line), coinages);
  }

  private static <T> List<T> and(List<T> lines, T line) {
    return Stream.concat(lines.stream(), Stream.of(line)).toList();
  }

  private TurnFacts with(List<Directed> otherDirectives, List<Coined> otherCoinages) {
    return new TurnFacts(
        speaker, channel, tokens, checkpoint, uses, otherDirectives, otherCoinages);
  }

  /**
   * The same turn, which coins no term that has its meaning from elsewhere: its definition would
   * give it another one.
   *
   * @param governed true for the key of such a term
   */
  public TurnFacts refusing(Predicate<String> governed) {
    if (coinages.stream().noneMatch(line -> governed.test(line.key()))) {
      return this;
    }
    List<Coined> refused =
        coinages.stream()
            .map(line ->
                line.refusal().isEmpty() && governed.test(line.key())
                    ? line.refused(Optional.of(CoinRefusal.Reason.BLOCKED))
                    : line)
            .toList();
    return with(directives, refused);
  }
}
