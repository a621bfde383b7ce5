package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueKind;
import dev.parlance.policy.claim.value.Values;

/**
 * Tells which field of a record each number of a claim belongs to: "7 are paid" is said of the
 * field {@code paid} of {@code {"paid": 3, "held": 7}}, which has another number.
 *
 * <p>A number belongs to the name nearest to it, before or behind it, with no other number between;
 * where both sides have one, to that of the side on which the claim's other numbers have theirs.
 * Where the names beside it have the number among them, nothing is told. For one thread; nothing is
 * allocated for a claim.
 */
final class CountCheck {
  /** How a number stands to the field that it belongs to. */
  enum Outcome {
    UNKNOWN,
    AGREES,
    DIFFERS
  }

  private static final int MAX_CLAIM = 64;
  private static final int MAX_NUMBERS = 8;
  private static final int MAX_FIELDS = 16;
  private static final int MAX_LABELS = 256;
  private static final int MAX_COMPARED = 16;
  private static final int MAX_NAME = 4;

  /** So many fields around the sentence that carries the claim are its record, if it has one. */
  private static final int AROUND = 8;

  /** So many words stand between a number and the total that it is a part of: "of all the". */
  private static final int MAX_OF = 3;

  /** So many bytes stand between a name and its number: a colon and a blank. */
  private static final int MAX_BETWEEN = 3;

  private final Units claim;
  private final Values said;
  private final Values values;
  private final ValueComparison comparison;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final long of;
  private final long von;

  // The fields of the record that hold a number.
  private int fields;
  private final int[] labels = new int[MAX_FIELDS];
  private final int[] numbers = new int[MAX_FIELDS];

  /** The field that each unit of the claim names, or -1. */
  private final int[] named = new int[MAX_CLAIM];

  // The numbers of the claim.
  private int count;
  private int first;
  private int after;
  private final int[] saidAt = new int[MAX_NUMBERS];
  private final int[] from = new int[MAX_NUMBERS];
  private final int[] to = new int[MAX_NUMBERS];

  /** More numbers have a name on their right alone than on their left, or fewer. */
  private int side;

  private int found = -1;

  CountCheck(
      Units claim,
      Values said,
      Values values,
      ValueComparison comparison,
      PairIndex evidence,
      CriticalWords words,
      Thesaurus thesaurus) {
    this.claim = claim;
    this.said = said;
    this.values = values;
    this.comparison = comparison;
    this.evidence = evidence;
    this.words = words;
    this.thesaurus = thesaurus;
    of = claim.keyOf("of");
    von = claim.keyOf("von");
  }

  /**
   * Reads a claim and the record that carries it best.
   *
   * @param firstValue of the claim
   * @param afterValue the one behind its last
   * @param bestFrom the first position of the sentence that carries the claim
   * @param bestAfter the one after its last
   */
  void read(
      int claimFirst, int claimAfter, int firstValue, int afterValue, int bestFrom, int bestAfter) {
    count = 0;
    fields = 0;
    first = claimFirst;
    after = claimAfter;
    if (evidence.labels() == 0
        || after - first > MAX_CLAIM
        || afterValue - firstValue > MAX_NUMBERS
        || !findFields(bestFrom, bestAfter)) {
      return;
    }
    for (int unit = first; unit < after; unit++) {
      named[unit - first] = fieldNamed(unit);
    }
    int unit = first;
    for (int value = firstValue; value < afterValue; value++) {
      if (said.kind(value) != ValueKind.NUMBER || said.isLabel(value)) {
        continue;
      }
      while (unit < after && claim.end(unit) <= said.start(value)) {
        unit++;
      }
      saidAt[count] = value;
      from[count] = unit;
      while (unit < after && claim.start(unit) < said.end(value)) {
        unit++;
      }
      to[count++] = unit;
    }
    side = 0;
    for (int i = 0; i < count; i++) {
      boolean left = nearest(i, false) >= 0;
      boolean right = nearest(i, true) >= 0;
      side += left == right ? 0 : right ? 1 : -1;
    }
  }

  /** How a value of the claim that was read stands to its field. */
  Outcome of(int value) {
    int number = 0;
    while (number < count && saidAt[number] != value) {
      number++;
    }
    if (number == count || isTotal(number)) {
      return Outcome.UNKNOWN;
    }
    boolean left = nearest(number, false) >= 0;
    boolean right = nearest(number, true) >= 0;
    if ((!left && !right) || (left && right && side == 0)) {
      return Outcome.UNKNOWN;
    }
    boolean toRight = right && (!left || side > 0);
    if (isAmong(number, toRight)) {
      return Outcome.AGREES;
    }
    found = numbers[nearest(number, toRight)];
    return isOfAnother(value) && !isOfSameName(value, nearest(number, toRight))
        ? Outcome.DIFFERS
        : Outcome.UNKNOWN;
  }

  /** The value of the evidence that stands in the field which the last number belongs to. */
  int found() {
    return found;
  }

  // ---- the record ----

  private boolean findFields(int bestFrom, int bestAfter) {
    int low = evidence.labelsFrom(bestFrom);
    int high = evidence.labelsFrom(bestAfter);
    takeFields(low, Math.min(high, low + MAX_FIELDS));
    if (fields < 2) {
      takeFields(Math.max(0, low - AROUND), Math.min(evidence.labels(), high + AROUND));
    }
    if (fields < 2) {
      return false;
    }
    for (int i = 0; i < fields; i++) {
      for (int j = 0; j < i; j++) {
        if (isOneName(labels[i], labels[j])) {
          return false;
        }
      }
    }
    return true;
  }

  private void takeFields(int low, int high) {
    fields = 0;
    int chunk = low < high ? evidence.chunk(evidence.label(high - 1)) : 0;
    for (int label = low; label < high && fields < MAX_FIELDS; label++) {
      int position = evidence.label(label);
      int value = evidence.chunk(position) == chunk ? valueBehind(position, chunk) : -1;
      if (value >= 0) {
        labels[fields] = position;
        numbers[fields++] = value;
      }
    }
  }

  /** The number right behind the colon of a name, or -1. */
  private int valueBehind(int position, int chunk) {
    int low = evidence.firstValue(chunk);
    int high = evidence.afterValue(chunk);
    int end = evidence.endByte(position);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (values.start(middle) < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < evidence.afterValue(chunk)
            && values.start(low) - end <= MAX_BETWEEN
            && values.kind(low) == ValueKind.NUMBER
        ? low
        : -1;
  }

  private boolean isOneName(int label, int other) {
    int a = label;
    int b = other;
    while (evidence.key(a) == evidence.key(b)) {
      boolean more = goesOn(a, label);
      if (more != goesOn(b, other)) {
        return false;
      }
      if (!more) {
        return true;
      }
      a--;
      b--;
    }
    return false;
  }

  /** True if the word before a position belongs to the name that ends at a label as well. */
  private boolean goesOn(int position, int label) {
    int chunk = evidence.chunk(label);
    if (position <= evidence.start(chunk)
        || evidence.begins(position)
        || label - position + 1 >= MAX_NAME) {
      return false;
    }
    for (int at = evidence.endByte(position - 1); at < evidence.startByte(position); at++) {
      if ("_-. ".indexOf(evidence.text(chunk).byteAt(at)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The only field in whose name alone a unit of the claim stands, or -1. */
  private int fieldNamed(int unit) {
    long key = claim.key(unit);
    if ((claim.flags(unit) & (Units.DIGITS | Units.SYMBOL)) != 0
        || words.is(key, WordClass.FUNCTION)) {
      return -1;
    }
    int only = -1;
    for (int field = 0; field < fields; field++) {
      if (has(labels[field], key)) {
        if (only >= 0) {
          return -1;
        }
        only = field;
      }
    }
    return only;
  }

  private boolean has(int label, long key) {
    int position = label;
    while (true) {
      long word = evidence.key(position);
      if (word == key || thesaurus.isSameWord(key, word) || thesaurus.isDerived(key, word)) {
        return true;
      }
      if (!goesOn(position, label)) {
        return false;
      }
      position--;
    }
  }

  // ---- the numbers of the claim ----

  /** The field whose name stands nearest to a number on a side, before the next number; or -1. */
  private int nearest(int number, boolean right) {
    int low = right ? to[behindTotal(number) - 1] : number == 0 ? first : to[number - 1];
    int high = right ? endBehind(number) : from[number];
    for (int i = 0; i < high - low; i++) {
      int field = named[(right ? low + i : high - 1 - i) - first];
      if (field >= 0) {
        return field;
      }
    }
    return -1;
  }

  /** The number behind one and the total that it is a part of: 3 of the 9. */
  private int behindTotal(int number) {
    return number + 1 < count && isTotal(number + 1) ? number + 2 : number + 1;
  }

  private int endBehind(int number) {
    int next = behindTotal(number);
    return next == count ? after : from[next];
  }

  /** True of the second number of "3 of the 9". */
  private boolean isTotal(int number) {
    boolean total = false;
    if (number > 0 && from[number] - to[number - 1] <= MAX_OF) {
      for (int unit = to[number - 1]; unit < from[number]; unit++) {
        total |= claim.key(unit) == of || claim.key(unit) == von;
      }
    }
    return total;
  }

  /** True if a field that is named on that side has the number. */
  private boolean isAmong(int number, boolean right) {
    int low = right ? to[behindTotal(number) - 1] : number == 0 ? first : to[number - 1];
    int high = right ? endBehind(number) : from[number];
    for (int unit = low; unit < high; unit++) {
      int field = named[unit - first];
      if (field >= 0 && isCarried(saidAt[number], numbers[field])) {
        return true;
      }
    }
    return false;
  }

  private boolean isCarried(int value, int there) {
    return comparison.match(said, value, values, there).isCarried();
  }

  private boolean isOfAnother(int value) {
    for (int field = 0; field < fields; field++) {
      if (isCarried(value, numbers[field])) {
        return true;
      }
    }
    return false;
  }

  /** True if a field of that name in another record has the number. */
  private boolean isOfSameName(int value, int field) {
    int end = Math.min(evidence.labels(), MAX_LABELS);
    int left = MAX_COMPARED;
    for (int label = 0; label < end && left > 0; label++) {
      int position = evidence.label(label);
      if (evidence.key(position) == evidence.key(labels[field])) {
        left--;
        if (!isOneName(position, labels[field])) {
          continue;
        }
        int there = valueBehind(position, evidence.chunk(position));
        if (there >= 0 && isCarried(value, there)) {
          return true;
        }
      }
    }
    return false;
  }
}
