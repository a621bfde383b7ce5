package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.TableFile;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Words and the roles that they have in a sentence, from a file beside this class: a line has a
 * role and its words. Immutable.
 *
 * @param <R> the roles
 */
@SuppressWarnings({
  "EnumOrdinal",
  "StringSplitter"
}) // bits of a table that never leaves this process; lines of our own file
abstract class RoleWords<R extends Enum<R>> {
  private static final int SLOTS = 1 << 10;

  private final long[] keys = new long[SLOTS];
  private final int[] roles = new int[SLOTS];
  private final byte[] first = new byte[SLOTS];

  /**
   * Loads the table.
   *
   * @param keyOf gives a word the key under which it will be asked for
   */
  RoleWords(String file, Class<R> type, ToLongFunction<String> keyOf) {
    String text = new String(TableFile.bytes(RoleWords.class, file), StandardCharsets.UTF_8);
    for (String line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split(" ");
      int role = Enum.valueOf(type, words[0].toUpperCase(Locale.ROOT)).ordinal();
      for (int i = 1; i < words.length; i++) {
        put(keyOf.applyAsLong(words[i]), role);
      }
    }
  }

  private void put(long key, int role) {
    int slot = slot(key);
    if (roles[slot] == 0) {
      keys[slot] = key;
      first[slot] = (byte) role;
    }
    roles[slot] |= 1 << role;
  }

  private int slot(long key) {
    int slot = (int) (key >>> 11) & SLOTS - 1;
    while (roles[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & SLOTS - 1;
    }
    return slot;
  }

  /** True if a word has this role. */
  final boolean is(long key, R role) {
    return (roles[slot(key)] >> role.ordinal() & 1) != 0;
  }

  /** The place of the role with which a word stands first; 0 of one that is not in the table. */
  final int first(long key) {
    return first[slot(key)];
  }
}
