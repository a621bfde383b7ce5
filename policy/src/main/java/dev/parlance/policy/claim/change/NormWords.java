package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.TableFile;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The table of words by which a sentence allows, forbids or demands something ({@code
 * norm-words.txt}). Immutable.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "StringSplitter"
}) // index of an array that never leaves this process; lines of our own file
public final class NormWords {
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

  private static final int SLOTS = 1 << 10;

  private final long[] keys = new long[SLOTS];
  private final byte[] roles = new byte[SLOTS];

  private NormWords() {}

  /**
   * Loads the table.
   *
   * @param keyOf gives a word the key under which it will be asked for
   */
  public static NormWords load(ToLongFunction<String> keyOf) {
    NormWords table = new NormWords();
    String text =
        new String(TableFile.bytes(NormWords.class, "norm-words.txt"), StandardCharsets.UTF_8);
    for (String line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split(" ");
      Role role = Role.valueOf(words[0].toUpperCase(Locale.ROOT));
      for (int i = 1; i < words.length; i++) {
        table.put(keyOf.applyAsLong(words[i]), role);
      }
    }
    return table;
  }

  private void put(long key, Role role) {
    int slot = slot(key);
    if (roles[slot] == 0) {
      keys[slot] = key;
      roles[slot] = (byte) role.ordinal();
    }
  }

  private int slot(long key) {
    int slot = (int) (key >>> 7) & SLOTS - 1;
    while (roles[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & SLOTS - 1;
    }
    return slot;
  }

  /** True of a word that forbids or frees without any other. */
  public boolean denies(long key) {
    return role(key).denies();
  }

  /** The role of a word. */
  Role role(long key) {
    return Role.ALL[roles[slot(key)]];
  }
}
