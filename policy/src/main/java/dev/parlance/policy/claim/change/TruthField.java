package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.text.Utf8Span;
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

  /** Words of them are each other's opposite: of {@code available: true} "unavailable". */
  private static final long OPPOSED =
      CriticalWords.bits(
          WordClass.PRESENT,
          WordClass.VALID,
          WordClass.SAFE,
          WordClass.STATE,
          WordClass.SCOPE,
          WordClass.REACH);

  /** So near behind a comma or an "and" a clause says what it does. */
  private static final int CLAUSE = 3;

  private Utf8Span text = Utf8Span.EMPTY;

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

  /** Takes up the answer. */
  void read(Utf8Span answer) {
    text = answer;
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
   *
   * @param named the unit that is the last word of the field's name, or one like it
   * @param about the unit in whose clause that is said
   */
  boolean isSaid(int first, int after, int named, int about) {
    int from = about;
    while (from > first && !isParted(first, after, from)) {
      from--;
    }
    int to = about + 1;
    while (to < after && !isParted(first, after, to)) {
      to++;
    }
    boolean negated = isOpposite(claim.key(named), evidence.key(field.nameAfter - 1));
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

  /** True of a word that may have an opposite among those of a claim. */
  boolean hasOpposite(long key) {
    return (words.classes(key) & OPPOSED) != 0;
  }

  /** True of words one of which says that it is not as the other says. */
  boolean isOpposite(long a, long b) {
    return words.areOpposite(a, b, OPPOSED);
  }

  /** True if a clause of the claim ends before a unit. */
  private boolean isParted(int first, int after, int unit) {
    if (isOneOf(claim.key(unit - 1), buts) || hasMark(unit, ';')) {
      return true;
    }
    boolean parted = hasMark(unit, ',') || words.is(claim.key(unit - 1), WordClass.AND);
    return parted
        && !words.is(claim.key(unit), WordClass.FUNCTION)
        && hasCopula(first, unit)
        && hasCopula(unit, Math.min(after, unit + CLAUSE));
  }

  private boolean hasMark(int unit, int mark) {
    for (int at = claim.end(unit - 1); at < claim.start(unit); at++) {
      if (text.byteAt(at) == mark) {
        return true;
      }
    }
    return false;
  }

  private boolean hasCopula(int from, int to) {
    for (int unit = from; unit < to; unit++) {
      if (words.is(claim.key(unit), WordClass.COPULA)) {
        return true;
      }
    }
    return false;
  }

  static boolean isOneOf(long key, long[] keys) {
    boolean is = false;
    for (long one : keys) {
      is |= key == one;
    }
    return is;
  }
}
