package dev.parlance.policy.lexicon;

import java.util.Locale;
import java.util.Optional;

/**
 * What a turn did to a board.
 *
 * @param turn the number of the turn, from 0
 * @param type what was done
 * @param term the term as it stands on the board, as it was written if it is on none; empty for a
 *     turn that was denied
 * @param by who spoke
 */
public record BoardEvent(int turn, Type type, Optional<String> term, String by) {
  /** What can be done to a board. */
  public enum Type {
    /** A new term stands on it. */
    COIN,
    /** A term was used, once a turn however often it stands in it. */
    REUSE,
    /** A member used a term of the faction in public, for the first time. */
    LEAK,
    /** Somebody else used a leaked term. */
    ECHO,
    /** A term is contested. */
    CHALLENGE,
    /** A challenge of a term that the speaker does not see. */
    CHALLENGE_UNKNOWN,
    /** A challenge without reason, or with too long a one. */
    CHALLENGE_INVALID,
    /** A term has a new definition. */
    REPAIR,
    /** A repair of a term that the speaker does not see. */
    REPAIR_UNKNOWN,
    /** A repair without definition, or with too long a one. */
    REPAIR_INVALID,
    /** Who is not of a faction spoke on its channel; the turn has no effect. */
    DENIED;

    /** The code in files and metrics. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
