package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A field that says whether something is so: {@code pool: false}, {@code Parking: yes}, {@code
 * is_day: 0}; and whether a claim says that it is. For one thread.
 */
final class TruthField {
  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final FieldReader field;
  private final long[] yes;
  private final long[] no;

  /** The values of a field that says whether: is_day 0. */
  private final long[] binary;

  private final long[] is;

  /** Part what is so from what is not. */
  private final long[] buts;

  /** Out of stock. */
  private final long[] out;

  /**
   * What is said of the field that {@code field} has read last.
   *
   * @param keyOf the key of a word
   */
  TruthField(
      Units claim,
      PairIndex evidence,
      CriticalWords words,
      FieldReader field,
      ToLongFunction<String> keyOf) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.field = field;
    yes = keys(keyOf, "true", "yes");
    no = keys(keyOf, "false", "no", "null", "none");
    binary = keys(keyOf, "0", "1");
    is = keys(keyOf, "is", "has");
    out = keys(keyOf, "out", "of");
    buts =
        keys(
            keyOf,
            "but",
            "while",
            "whereas",
            "although",
            "aber",
            "mais",
            "pero",
            "ma",
            "mas",
            "maar");
  }

  static long[] keys(ToLongFunction<String> keyOf, String... words) {
    return Stream.of(words).mapToLong(keyOf).toArray();
  }

  boolean isTruth() {
    return field.valueAfter == field.nameAfter + 1
        && (isOneOf(evidence.key(field.nameAfter), yes)
            || isOneOf(evidence.key(field.nameAfter), no)
            || isWhether());
  }

  /** True of a field is_day whose value is 0 or 1. */
  boolean isWhether() {
    return field.valueAfter == field.nameAfter + 1
        && field.nameAfter - field.nameFrom > 1
        && isOneOf(evidence.key(field.nameFrom), is)
        && isOneOf(evidence.key(field.nameAfter), binary);
  }

  boolean isTrue() {
    long value = evidence.key(field.nameAfter);
    return isOneOf(value, yes) || value == binary[1];
  }

  /** True if the field before or behind has the same first word: it is that of the record. */
  boolean isOfRecord(int label) {
    if (field.nameAfter - field.nameFrom < 2) {
      return false;
    }
    long record = evidence.key(field.nameFrom);
    int length = field.nameAfter - field.nameFrom;
    return isNameOf(label - 1, length, record) || isNameOf(label + 1, length, record);
  }

  private boolean isNameOf(int label, int length, long firstWord) {
    if (label < 0 || label >= evidence.labels()) {
      return false;
    }
    int last = evidence.label(label);
    for (int p = Math.max(0, last - length); p <= last; p++) {
      if (evidence.key(p) == firstWord) {
        return true;
      }
    }
    return false;
  }

  /**
   * True of a claim that something is so, is on, is allowed; false of one that it is not, is off.
   */
  boolean isSaid(int first, int after, int named) {
    int from = named;
    while (from > first && !isOneOf(claim.key(from - 1), buts)) {
      from--;
    }
    int to = named;
    while (to < after && !isOneOf(claim.key(to), buts)) {
      to++;
    }
    boolean negated = false;
    for (int unit = from; unit < to; unit++) {
      long key = claim.key(unit);
      boolean lacks = key == out[0] && unit + 1 < to && claim.key(unit + 1) == out[1];
      negated ^= words.is(key, WordClass.NEGATION) || words.isOff(key) || lacks;
    }
    for (int p = field.nameFrom; p < field.nameAfter; p++) {
      long key = evidence.key(p);
      negated ^= words.is(key, WordClass.NEGATION) || words.isOff(key);
    }
    return !negated;
  }

  static boolean isOneOf(long key, long[] keys) {
    boolean is = false;
    for (long one : keys) {
      is |= key == one;
    }
    return is;
  }
}
