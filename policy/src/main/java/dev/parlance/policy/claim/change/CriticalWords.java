package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.TableFile;
import dev.parlance.policy.claim.Units;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The table of words on which the meaning of a sentence hangs ({@code critical-words.txt}):
 * negations, quantifiers, modal verbs, units, days and months, opposites. Each stands in a class
 * and a group of it; two words of one class and different groups say different things.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "StringSplitter"
}) // index of an array that never leaves this process; lines of our own files
public final class CriticalWords {
  /** What a word is in a sentence. */
  public enum WordClass {
    NEGATION,
    QUANTIFIER,
    MODALITY,
    ORDER,
    PLACE,
    WAY,
    SIDE,
    AMOUNT,
    BOUND,
    WITH,
    RANK,
    OUTCOME,
    ASSENT,
    STATE,
    SWITCHED,
    ACTIVE,
    PERMITTED,
    CHANGE,
    FOR,
    BEST,
    OFTEN,
    SINCE,
    AGE,
    PARTY,
    CONTRACT,
    WORK,
    CREDIT,
    SCHOOL,
    REACH,
    EDGE,
    FRONT,
    INNER,
    DIRECTION,
    COLOUR,
    VALID,
    SAFE,
    TRUTH,
    PRESENT,
    SIZE,
    HEAT,
    FULL,
    TRADE,
    GAIN,
    UNLESS,
    FACTOR,
    PRICE,
    SCOPE,
    FORM,
    GRADE,
    MONTH,
    WEEKDAY,
    DAY,
    DAYTIME,
    SEASON,
    UNIT,
    RATE,
    MAGNITUDE,
    CURRENCY,
    AND,
    CONDITION,
    COPULA,
    PASSIVE,
    BY,
    FUNCTION;

    private static final WordClass[] ALL = values();
  }

  private static final int SLOTS = 1 << 13;
  private static final Set<String> OFF = Set.of("off", "inactive", "forbidden");

  private final long[] keys = new long[SLOTS];
  private final long[] classes = new long[SLOTS];
  private final int[][] groups = new int[SLOTS][];

  /** The groups of words that say that something is off. */
  private final Set<Integer> off = new HashSet<>();

  private CriticalWords() {}

  /**
   * Loads the table.
   *
   * @param keyOf {@link Units#keyOf} of the units whose keys will be asked for
   */
  public static CriticalWords load(ToLongFunction<String> keyOf) {
    CriticalWords table = new CriticalWords();
    Map<String, Integer> groups = new HashMap<>();
    String text =
        new String(
            TableFile.bytes(CriticalWords.class, "critical-words.txt"), StandardCharsets.UTF_8);
    for (String line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split(" ");
      WordClass type = WordClass.valueOf(words[0].toUpperCase(java.util.Locale.ROOT));
      int group = groups.computeIfAbsent(words[0] + " " + words[1], name -> groups.size() + 1);
      if (OFF.contains(words[1])) {
        table.off.add(group);
      }
      for (int i = 2; i < words.length; i++) {
        table.put(keyOf.applyAsLong(words[i]), type, group);
      }
    }
    return table;
  }

  private void put(long key, WordClass type, int group) {
    int slot = slot(key);
    keys[slot] = key;
    long had = classes[slot];
    long bit = 1L << type.ordinal();
    if ((had & bit) != 0) {
      return;
    }
    classes[slot] = had | bit;
    int[] more = new int[Long.bitCount(had) + 1];
    for (int t = 0, i = 0; t < WordClass.ALL.length; t++) {
      if ((classes[slot] >> t & 1) != 0) {
        more[i++] = t == type.ordinal() ? group : group(slot, had, t);
      }
    }
    groups[slot] = more;
  }

  private int group(int slot, long types, int type) {
    return groups[slot][Long.bitCount(types & (1L << type) - 1)];
  }

  private int slot(long key) {
    int slot = (int) key & SLOTS - 1;
    while (classes[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & SLOTS - 1;
    }
    return slot;
  }

  /** The classes of a word, one bit each, 0 if it is in none. */
  public long classes(long key) {
    return classes[slot(key)];
  }

  /** True of a word that says that something is off, inactive or forbidden. */
  boolean isOff(long key) {
    return off.contains(group(key, WordClass.SWITCHED))
        || off.contains(group(key, WordClass.ACTIVE))
        || off.contains(group(key, WordClass.PERMITTED));
  }

  /** True of two words that stand in different groups of one of these classes. */
  boolean areOpposite(long a, long b, long types) {
    int slotA = slot(a);
    int slotB = slot(b);
    long common = classes[slotA] & classes[slotB] & types;
    boolean opposite = false;
    for (; common != 0 && !opposite; common &= common - 1) {
      int type = Long.numberOfTrailingZeros(common);
      opposite = group(slotA, classes[slotA], type) != group(slotB, classes[slotB], type);
    }
    return opposite;
  }

  /** A set of classes. */
  static long bits(WordClass... types) {
    long bits = 0;
    for (WordClass type : types) {
      bits |= 1L << type.ordinal();
    }
    return bits;
  }

  /** True if a set of classes has this one. */
  public static boolean has(long classes, WordClass type) {
    return (classes >> type.ordinal() & 1) != 0;
  }

  /** True if the word is in this class. */
  public boolean is(long key, WordClass type) {
    return has(classes(key), type);
  }

  /** The group of a word in a class, 0 if it is not in it. */
  public int group(long key, WordClass type) {
    int slot = slot(key);
    return has(classes[slot], type) ? group(slot, classes[slot], type.ordinal()) : 0;
  }
}
