package dev.parlance.wire.api;

import dev.parlance.policy.lexicon.TurnText;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.MemberName;
import java.util.List;

/**
 * What a message coins, challenges and repairs in the member {@link #URI} of its metadata, beside
 * what its text does.
 */
public sealed interface LexiconMark {
  /** Name of the member. */
  String URI = MemberName.LEXICON.text();

  /** Nothing. */
  record None() implements LexiconMark {}

  /**
   * A term and what is said of it: a reason, a definition.
   *
   * @param term one line without blanks at its ends
   * @param body one line
   */
  record Line(String term, String body) {}

  /**
   * A statement. Nobody has looked at a board: what it says may be accepted there or not.
   *
   * @param coin terms and their definitions
   * @param challenge terms and reasons
   * @param repair terms and their new definitions
   * @param beside the text of the message without the strings of the statement, which are in {@link
   *     MessageView#message()} too
   */
  record Statement(List<Line> coin, List<Line> challenge, List<Line> repair, Utf8Span beside)
      implements LexiconMark {
    /** Keeps copies. */
    public Statement {
      coin = List.copyOf(coin);
      challenge = List.copyOf(challenge);
      repair = List.copyOf(repair);
      if (coin.isEmpty() && challenge.isEmpty() && repair.isEmpty()) {
        throw new IllegalArgumentException("a statement says something");
      }
    }

    /**
     * The text of a turn that says all of it: directives, the message, definitions. {@link
     * TurnText} reads in it what the message says, line by line; a line that no board accepts is
     * judged like any other.
     */
    public String turn() {
      StringBuilder turn = new StringBuilder();
      challenge.forEach(one ->
          turn.append("CHALLENGE ")
              .append(one.term())
              .append(": ")
              .append(one.body())
              .append('\n'));
      repair.forEach(one ->
          turn.append("REPAIR ").append(one.term()).append(" = ").append(one.body()).append('\n'));
      turn.append(beside);
      if (!coin.isEmpty()) {
        turn.append("\n[PART 2]");
        coin.forEach(one -> turn.append('\n').append(one.term()).append(" = ").append(one.body()));
      }
      return turn.toString();
    }
  }

  /**
   * Something that is no such statement; its strings are text.
   *
   * @param detail for people
   */
  record Unreadable(String detail) implements LexiconMark {}

  /** The one {@link None}. */
  LexiconMark NONE = new None();
}
