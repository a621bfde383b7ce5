package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.TableFile;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The table of words by which a sentence says of a clause whether it is so ({@code
 * frame-words.txt}). Immutable.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "StringSplitter"
}) // bits of a table that never leaves this process; lines of our own file
public final class FrameWords {
  /** What a word does to the clause. */
  enum Role {
    /** Stands before it. */
    THAT,
    /** Says that it is so, or not if it is denied. */
    ASSERTS,
    /** Says that it is not so, or that nobody knows, unless it is denied. */
    DISOWNS,
    /** Stands in the clause for somebody whom the frame names. */
    PRONOUN
  }

  private static final int SLOTS = 1 << 10;

  private final long[] keys = new long[SLOTS];
  private final byte[] roles = new byte[SLOTS];

  private FrameWords() {}

  /**
   * Loads the table.
   *
   * @param keyOf gives a word the key under which it will be asked for
   */
  public static FrameWords load(ToLongFunction<String> keyOf) {
    FrameWords table = new FrameWords();
    String text =
        new String(TableFile.bytes(FrameWords.class, "frame-words.txt"), StandardCharsets.UTF_8);
    for (String line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split(" ");
      int bit = 1 << Role.valueOf(words[0].toUpperCase(Locale.ROOT)).ordinal();
      for (int i = 1; i < words.length; i++) {
        long key = keyOf.applyAsLong(words[i]);
        int slot = table.slot(key);
        table.keys[slot] = key;
        table.roles[slot] |= (byte) bit;
      }
    }
    return table;
  }

  private int slot(long key) {
    int slot = (int) (key >>> 11) & SLOTS - 1;
    while (roles[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & SLOTS - 1;
    }
    return slot;
  }

  /** True if a word does this. */
  boolean is(long key, Role role) {
    return (roles[slot(key)] >> role.ordinal() & 1) != 0;
  }
}
