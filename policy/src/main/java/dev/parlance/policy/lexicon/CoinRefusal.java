package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Coded;

/**
 * Why a definition coins nothing.
 *
 * @param turn the number of the turn, from 0
 * @param term as it was written
 * @param reason the first check that it failed
 */
public record CoinRefusal(int turn, String term, Reason reason) {
  /** The checks, in their order. */
  public enum Reason implements Coded {
    /** No {@code =}, or a term or definition without a token. */
    SYNTAX,
    /** The turn gives its final answer. */
    FINAL_MARKER,
    /** More than four words or 48 characters, or a definition of more than 280. */
    TOO_LONG,
    /** A word of answers. */
    BLOCKED,
    /** Another line of this turn coins it. */
    DUPLICATE_IN_TURN,
    /** It is on a board that the speaker sees. */
    NOT_NOVEL,
    /** The turn does not use it. */
    NOT_USED;

    /**
     * True if the line coins nothing wherever it stands, so that it is no other line's duplicate.
     */
    boolean isOfTheLine() {
      return switch (this) {
        case SYNTAX, FINAL_MARKER, TOO_LONG, BLOCKED -> true;
        case DUPLICATE_IN_TURN, NOT_NOVEL, NOT_USED -> false;
      };
    }
  }
}
