package dev.parlance.policy.claim.change;

import java.util.function.ToLongFunction;

/**
 * The table of words by which a sentence says of a clause whether it is so ({@code
 * frame-words.txt}). Immutable.
 */
public final class FrameWords extends RoleWords<FrameWords.Role> {
  /** What a word does to the clause. */
  enum Role {
    /** Stands before it. */
    THAT,
    /** Says that it is so, or not if it is denied. */
    ASSERTS,
    /** Says that it is not so, or that nobody knows, unless it is denied. */
    DISOWNS,
    /** Stands in the clause for somebody whom the frame names. */
    PRONOUN,
    /** Makes what follows less than so, without a negation: fail, refuse, only, without. */
    WITHHOLDS
  }

  /**
   * Loads the table.
   *
   * @param keyOf gives a word the key under which it will be asked for
   */
  public FrameWords(ToLongFunction<String> keyOf) {
    super("frame-words.txt", Role.class, keyOf);
  }
}
