package dev.parlance.policy.claim.change;

import java.util.function.ToLongFunction;

/**
 * The table of words by which a sentence allows, forbids or demands something ({@code
 * norm-words.txt}). Immutable.
 */
public final class NormWords extends RoleWords<NormWords.Role> {
  /** What a word does in such a sentence. */
  enum Role {
    /** Nothing of this. */
    NONE,
    /** May, allowed: not so if it is denied. */
    ALLOWS,
    /** Forbidden. */
    FORBIDS,
    /** Avoid: forbids, also where it must be done. */
    AVOIDS,
    /** Must: denied it forbids. */
    MUST,
    /** Required: denied it frees. */
    NEEDS,
    /** Optional. */
    FREES,
    /** Have, need: with "to" it demands. */
    HAVE,
    TO,
    /** Do, never: with a negation at the beginning it forbids. */
    ORDERS,
    /** May stand before what orders. */
    POLITE,
    CONDITION,
    WITHOUT,
    EXCEPTION,
    /** Parts what is said of different things. */
    PARTS,
    OR,
    /** Says little of what is done. */
    LIGHT;

    private static final Role[] ALL = values();

    /** True of a word that forbids or frees without any other. */
    boolean denies() {
      return this == FORBIDS || this == AVOIDS || this == FREES;
    }
  }

  /**
   * Loads the table.
   *
   * @param keyOf gives a word the key under which it will be asked for
   */
  public NormWords(ToLongFunction<String> keyOf) {
    super("norm-words.txt", Role.class, keyOf);
  }

  /** True of a word that forbids or frees without any other. */
  public boolean denies(long key) {
    return role(key).denies();
  }

  /** The role of a word. */
  Role role(long key) {
    return Role.ALL[first(key)];
  }
}
