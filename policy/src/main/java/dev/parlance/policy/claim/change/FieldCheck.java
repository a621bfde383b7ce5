package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.value.ValueMatch;
import dev.parlance.policy.text.Utf8Span;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a claim says of a field with what the evidence has in it: "the width is 30 cm" with
 * {@code Width: 20 cm}, "the owner is Bob" with {@code owner: Ann}, "dark mode is on" with {@code
 * dark_mode: false}.
 *
 * <p>A field is some words before a colon, whose value is short. A claim speaks of one if it has
 * those words, and says something of it behind "is". Where several fields have the same words, one
 * that agrees is enough. For one thread; nothing is allocated for a claim.
 */
final class FieldCheck {
  /** So many fields are looked through for the words of a claim, and so many compared with it. */
  private static final int MAX_LABELS = 256;

  private static final int MAX_COMPARED = 16;

  /** A longer claim speaks of more than a field. */
  private static final int MAX_CLAIM = 64;

  private static final int MAX_BETWEEN = 5;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final ValueCheck values;
  private final FieldReader field;
  private final TruthField truth;

  private final long been;

  /** Verbs of what is so if a field is true: uses, supports. */
  private final long[] uses;

  // The claim that is looked at, and where it begins to say what its subject is.
  private int first;
  private int after;
  private int said;

  /** The claim says of something that it does or has what a field may say is true. */
  private boolean isUse;

  /** The unit of the claim that is the last word of the field's name. */
  private int named;

  /** A bit for each of its words, several of which share one. */
  private long claimed;

  /** True of units of the claim that the evidence has in some form. */
  private IntPredicate there = unit -> true;

  // The field: its name and its value.
  private int nameFrom;
  private int nameAfter;
  private int valueAfter;

  FieldCheck(
      Units claim,
      PairIndex evidence,
      CriticalWords words,
      Thesaurus thesaurus,
      ValueCheck values,
      ToLongFunction<String> keyOf) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.thesaurus = thesaurus;
    this.values = values;
    field = new FieldReader(evidence);
    truth = new TruthField(claim, evidence, words, field, keyOf);
    been = keyOf.applyAsLong("been");
    uses =
        TruthField.keys(
            keyOf,
            "uses",
            "use",
            "has",
            "have",
            "supports",
            "support",
            "accepts",
            "accept",
            "includes",
            "include",
            "allows",
            "allow",
            "offers",
            "offer",
            "requires",
            "require",
            "needs",
            "need",
            "contains",
            "contain");
  }

  /** Takes up the answer. */
  void read(Utf8Span answer) {
    truth.read(answer);
  }

  /**
   * Looks for a field that says otherwise.
   *
   * @param bestFrom positions of the sentence that carries the claim best: fields in it come first
   * @param whole that sentence has all of the claim
   * @param isThere true of units of the claim that the evidence has in some form
   */
  void find(
      int claimFirst,
      int claimAfter,
      int bestFrom,
      int bestAfter,
      boolean whole,
      IntPredicate isThere,
      FoundChanges changes) {
    first = claimFirst;
    after = claimAfter;
    there = isThere;
    int from = evidence.labelsFrom(bestFrom);
    int to = evidence.labelsFrom(bestAfter);
    if (evidence.labels() == 0
        || (whole && from == to)
        || after - first > MAX_CLAIM
        || !findSaid()) {
      return;
    }
    int before = changes.count();
    if (!look(from, to, changes)) {
      look(0, evidence.labels(), changes);
    }
    if (changes.count() > before + 1) {
      changes.cutTo(before + 1);
    }
  }

  /**
   * True if the claim says of a field what the field says: "has no pool" of {@code pool: false}.
   *
   * @param position a position of the sentence that has the field
   */
  boolean confirms(int claimFirst, int claimAfter, int position) {
    first = claimFirst;
    after = claimAfter;
    if (evidence.labels() == 0 || after - first > MAX_CLAIM || !findSaid()) {
      return false;
    }
    int from = position;
    while (from > 0 && position - from < MAX_CLAIM && !evidence.begins(from)) {
      from--;
    }
    int label = evidence.labelsFrom(from);
    int last = Math.min(evidence.labels(), label + MAX_COMPARED);
    boolean confirms = false;
    for (; label < last && !confirms; label++) {
      readField(label);
      confirms = truth.isTruth() && isNamed(label) && isSaid(label) == truth.isTrue();
    }
    return confirms;
  }

  /** Finds where the claim says something of its subject: behind the first "is". */
  private boolean findSaid() {
    claimed = 0;
    for (int i = first; i < after; i++) {
      claimed |= 1L << claim.key(i);
    }
    for (int i = first + 1; i + 1 < after; i++) {
      if (words.is(claim.key(i), WordClass.COPULA) || claim.key(i) == been) {
        said = i + 1;
        isUse = false;
        return true;
      }
    }
    isUse = false;
    for (int i = first + 1; i + 1 < after && !isUse; i++) {
      isUse = TruthField.isOneOf(claim.key(i), uses);
    }
    said = first;
    return isUse;
  }

  /**
   * Compares the claim with some fields. A field that agrees acquits of what the other ones say,
   * but not of one that says that it is not so: only one of that name does.
   *
   * @return true if it speaks of one of them
   */
  private boolean look(int from, int to, FoundChanges changes) {
    int before = changes.count();
    int end = Math.min(to, from + MAX_LABELS);
    int left = MAX_COMPARED;
    boolean agreed = false;
    long truths = 0;
    boolean denied = false;
    for (int i = from; i < end && left > 0; i++) {
      if (!mayBeNamed(evidence.key(evidence.label(i)))) {
        continue;
      }
      left--;
      readField(i);
      if (!field.isShort() || (isUse && !truth.isTruth()) || !isNamed(i) || isSpeaker(i)) {
        continue;
      }
      if (truth.isTruth()) {
        long name = 1L << evidence.key(nameAfter - 1);
        boolean isSo = isSaid(i) == truth.isTrue();
        if (isSo) {
          truths |= name;
        }
        if ((truths & name) != 0 ? denied : !denied) {
          changes.cutTo(before);
          denied = !isSo && (truths & name) == 0;
          if (denied) {
            changes.add(ChangeKind.NEGATION, contentFrom(said), after, nameAfter, valueAfter);
          }
        }
        continue;
      }
      ChangeKind kind = changeOfValue();
      if (agrees()) {
        agreed = true;
        changes.cutTo(denied ? changes.count() : before);
      } else if (kind != null && !agreed && !denied) {
        changes.add(kind, contentFrom(said), after, nameAfter, valueAfter);
      }
    }
    return agreed || truths != 0 || changes.count() > before;
  }

  /** True if the claim says that what a field asks is so, of the record in which it stands. */
  private boolean isSaid(int label) {
    int unit = named;
    return truth.isSaid(first, after, unit, unitOfRecord(label, unit));
  }

  /**
   * The unit of the claim that is the last word of a short value of the field before or behind:
   * what the record is about ({@code book: Dune, available: true}); or another one if there is
   * none.
   */
  private int unitOfRecord(int label, int other) {
    int about = other;
    for (int near = label - 1; near <= label + 1; near += 2) {
      if (near < 0 || near >= evidence.labels() || !isOneSentence(label, near)) {
        continue;
      }
      field.read(near);
      for (int unit = first; unit < after && field.isShort() && about == other; unit++) {
        if (claim.key(unit) == evidence.key(field.valueAfter - 1)
            && (claim.flags(unit) & Units.UPPER) != 0) {
          about = unit;
        }
      }
    }
    readField(label);
    return about;
  }

  private boolean isOneSentence(int label, int near) {
    int to = evidence.label(Math.max(label, near));
    for (int p = evidence.label(Math.min(label, near)) + 1; p <= to; p++) {
      if (evidence.begins(p)) {
        return false;
      }
    }
    return true;
  }

  /** False of most words that the claim does not have. */
  private boolean mayBeNamed(long key) {
    return (claimed >>> key & 1) != 0 || isSwitch(key) || truth.hasOpposite(key);
  }

  /** True of a name before several lines, one of them long: it is who said them. */
  private boolean isSpeaker(int label) {
    long name = evidence.key(nameAfter - 1);
    boolean speaks = false;
    int left = MAX_COMPARED;
    int to = Math.min(evidence.labels(), MAX_LABELS);
    for (int i = 0; i < to && !speaks && left > 0; i++) {
      if (evidence.key(evidence.label(i)) == name) {
        left--;
        readField(i);
        speaks = !field.isShort();
      }
    }
    readField(label);
    return speaks;
  }

  private void readField(int label) {
    field.read(label);
    nameFrom = field.nameFrom;
    nameAfter = field.nameAfter;
    valueAfter = field.valueAfter;
  }

  /** True if the claim has the words of the name, before it says something or behind it. */
  private boolean isNamed(int label) {
    boolean any = false;
    int from = truth.isTruth() && truth.isOfRecord(label) ? nameFrom + 1 : nameFrom;
    for (int p = from; p < nameAfter; p++) {
      if (words.is(evidence.key(p), WordClass.FUNCTION)) {
        continue;
      }
      int unit = unitOf(p);
      boolean subject =
          truth.isWhether()
              ? unit >= said && unit <= said + 1
              : truth.isTruth() || (unit >= 0 && unit < said);
      if (unit < 0 || !subject) {
        return false;
      }
      named = unit;
      any = true;
    }
    return any;
  }

  /** The unit of the claim that is a form of the word at a position, or -1. */
  private int unitOf(int position) {
    for (int unit = first; unit < after; unit++) {
      if (claim.key(unit) == evidence.key(position)
          || thesaurus.isSameWord(claim.key(unit), evidence.key(position))
          || (truth.isTruth()
              && ((isSwitch(claim.key(unit)) && isSwitch(evidence.key(position)))
                  || truth.isOpposite(claim.key(unit), evidence.key(position))))) {
        return unit;
      }
    }
    return -1;
  }

  private boolean isSwitch(long key) {
    return words.is(key, WordClass.ACTIVE) || words.is(key, WordClass.SWITCHED);
  }

  /** True if the claim has the value, or a word of it. */
  private boolean agrees() {
    if (values.isCarried(first, after, nameAfter, valueAfter)) {
      return true;
    }
    boolean number = false;
    for (int p = nameAfter; p < valueAfter; p++) {
      number |= (evidence.flags(p) & Units.DIGITS) != 0;
    }
    for (int p = nameAfter; p < valueAfter && !number; p++) {
      for (int unit = first; unit < after && isWord(evidence.key(p), evidence.flags(p)); unit++) {
        if (isLike(unit, p)) {
          return !isWithinOtherName(unit);
        }
      }
    }
    return false;
  }

  /** True of a word beside which the claim has another name than the field: Mario Rossi. */
  private boolean isWithinOtherName(int unit) {
    return isOtherName(unit - 1, unit - 1) || isOtherName(unit + 1, unit);
  }

  /** True of a name that the field does not have, though the evidence does with that word. */
  private boolean isOtherName(int unit, int pair) {
    if (unit < said
        || unit >= after
        || (claim.flags(unit) & Units.UPPER) == 0
        || words.is(claim.key(unit), WordClass.FUNCTION)
        || evidence.last(claim.key(pair), claim.key(pair + 1)) < 0) {
      return false;
    }
    for (int p = nameAfter; p < valueAfter; p++) {
      if (isLike(unit, p)) {
        return false;
      }
    }
    return true;
  }

  /** The kind of change if the claim says something else where the value would stand, or null. */
  private @Nullable ChangeKind changeOfValue() {
    int from = contentFrom(said);
    if (from == after || from - said > MAX_BETWEEN) {
      return null;
    }
    if (hasDigits(from)) {
      ValueMatch match = values.bestAlike(from, after, nameAfter, valueAfter);
      boolean other =
          match == ValueMatch.NUMBER || match == ValueMatch.DATE || match == ValueMatch.TIME;
      return other ? ChangeKind.VALUE : null;
    }
    int word = nameAfter;
    while (word < valueAfter && !isWord(evidence.key(word), evidence.flags(word))) {
      word++;
    }
    boolean names =
        word < valueAfter && (evidence.flags(word) & claim.flags(from) & Units.UPPER) != 0;
    return word < valueAfter && (names || isNowhere(from) || isOfSameField(from))
        ? ChangeKind.NAME
        : null;
  }

  private boolean isWord(long key, int flags) {
    return (flags & (Units.WORD | Units.DIGITS)) == Units.WORD
        && !words.is(key, WordClass.FUNCTION);
  }

  /** True if the evidence has nothing of what the claim says of its subject. */
  private boolean isNowhere(int from) {
    for (int unit = from; unit < after; unit++) {
      if (isWord(claim.key(unit), claim.flags(unit)) && there.test(unit)) {
        return false;
      }
    }
    return true;
  }

  /** True if another field of the same name has what the claim says. */
  private boolean isOfSameField(int from) {
    long name = evidence.key(nameAfter - 1);
    int value = nameAfter;
    int to = Math.min(evidence.labels(), MAX_LABELS);
    for (int label = 0; label < to; label++) {
      int at = evidence.label(label) + 1;
      if (at != value && at < evidence.count() && evidence.key(at - 1) == name) {
        if (isLike(from, at)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isLike(int unit, int position) {
    long a = claim.key(unit);
    long b = evidence.key(position);
    return a == b
        || thesaurus.isSameWord(a, b)
        || thesaurus.isRelated(a, b)
        || thesaurus.isDerived(a, b)
        || thesaurus.isKindOf(a, b)
        || thesaurus.isKindOf(b, a);
  }

  private boolean hasDigits(int from) {
    for (int unit = from; unit < after; unit++) {
      if ((claim.flags(unit) & Units.DIGITS) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The first unit from one on that says something. */
  private int contentFrom(int from) {
    int unit = from;
    while (unit < after && words.is(claim.key(unit), WordClass.FUNCTION)) {
      unit++;
    }
    return unit;
  }
}
