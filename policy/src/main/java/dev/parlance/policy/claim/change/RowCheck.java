package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;

/**
 * Finds claims that put together what stands in different rows: "Anna works in IT" where Anna's row
 * has Sales in the column in which the row of somebody else has IT. Numbers of other rows are found
 * with the values.
 *
 * <p>A row is a sentence with several fields. The one that carries the claim best is held against
 * fields of the same name in rows round it. A claim that has the row's own value, denies anything,
 * or speaks of the other row, too, is not looked at. For one thread; nothing is allocated for a
 * claim.
 */
final class RowCheck {
  private static final int MAX_CLAIM = 48;
  private static final int MAX_COLUMNS = 16;

  /** So many fields before and behind a row are looked through, and so many of all are compared. */
  private static final int MAX_AROUND = 256;

  private static final int MAX_COMPARED = 64;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final FieldReader field;
  private int first;
  private int after;
  private int rowFrom;
  private int rowAfter;
  private int left;

  /** A bit for each word of the claim, several of which share one. */
  private long claimed;

  RowCheck(Units claim, PairIndex evidence, CriticalWords words, Thesaurus thesaurus) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.thesaurus = thesaurus;
    field = new FieldReader(evidence);
  }

  /**
   * Looks for a value of another row.
   *
   * @param bestFrom positions of the sentence that carries the claim best
   */
  void find(int claimFirst, int claimAfter, int bestFrom, int bestAfter, FoundChanges changes) {
    first = claimFirst;
    after = claimAfter;
    rowFrom = bestFrom;
    rowAfter = bestAfter;
    left = MAX_COMPARED;
    int from = evidence.labelsFrom(bestFrom);
    int to = evidence.labelsFrom(bestAfter);
    if (to - from < 2 || to - from > MAX_COLUMNS || after - first > MAX_CLAIM || denies()) {
      return;
    }
    if (!namesOneOf(from, to)) {
      return;
    }
    for (int label = from; label < to; label++) {
      field.read(label);
      if (!field.isShort()) {
        continue;
      }
      if (isSaid()) {
        int crossed = crossed(label, from, to);
        if (crossed >= 0) {
          field.read(label);
          changes.add(ChangeKind.NAME, crossed, after, field.nameAfter, field.valueAfter);
          return;
        }
        continue;
      }
      int nameAfter = field.nameAfter;
      int valueAfter = field.valueAfter;
      int unit = otherOf(label, from, to);
      if (unit >= 0) {
        changes.add(ChangeKind.NAME, unit, after, nameAfter, valueAfter);
        return;
      }
    }
  }

  private boolean denies() {
    claimed = 0;
    boolean denies = false;
    for (int unit = first; unit < after; unit++) {
      claimed |= 1L << claim.key(unit);
      denies |= words.is(claim.key(unit), WordClass.NEGATION);
    }
    return denies;
  }

  /** True if a value of some fields stands in the claim. */
  private boolean namesOneOf(int from, int to) {
    for (int label = from; label < to; label++) {
      field.read(label);
      if (field.isShort() && unitOfValue() >= 0) {
        return true;
      }
    }
    return false;
  }

  /** True if the claim has a word of the field's value, or one like it. */
  private boolean isSaid() {
    for (int p = field.nameAfter; p < field.valueAfter; p++) {
      for (int unit = first; unit < after; unit++) {
        if (isLike(claim.key(unit), evidence.key(p))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isLike(long a, long b) {
    return a == b
        || thesaurus.isSameWord(a, b)
        || thesaurus.isRelated(a, b)
        || thesaurus.isDerived(a, b)
        || thesaurus.isKindOf(a, b)
        || thesaurus.isKindOf(b, a);
  }

  /**
   * The unit of a value of a row that the claim says of another row, and that one's of this one, or
   * -1: "Anna lives in Linz and Ben in Graz" of Anna, Graz and Ben, Linz. A value is said of whose
   * name stands before it.
   */
  private int crossed(int column, int from, int to) {
    field.read(column);
    int own = unitOfValue();
    int last = Math.min(evidence.labels(), to + MAX_AROUND);
    for (int label = Math.max(0, from - MAX_AROUND);
        own >= 0 && label < last && left > 0;
        label++) {
      if ((label >= from && label < to) || !isColumn(label, column)) {
        continue;
      }
      left--;
      field.read(label);
      int other = field.isShort() ? unitOfValue() : -1;
      for (int name = from; other >= 0 && other != own && name < to; name++) {
        // the same columns stand in the same places
        int otherName = label + name - column;
        if (name == column
            || left <= 0
            || otherName < 0
            || otherName >= evidence.labels()
            || !isColumn(otherName, name)) {
          continue;
        }
        left--;
        field.read(name);
        int ownName = unitOfValue();
        field.read(otherName);
        int theirs = unitOfValue();
        if (ownName >= 0
            && theirs >= 0
            && isNearer(theirs, ownName, own)
            && isNearer(ownName, theirs, other)) {
          return other;
        }
      }
    }
    return -1;
  }

  /** True if a field that the claim may have is in the column of another one. */
  private boolean isColumn(int label, int column) {
    int position = evidence.label(label);
    return evidence.key(position) == evidence.key(evidence.label(column))
        && position + 1 < evidence.count()
        && (claimed >>> evidence.key(position + 1) & 1) != 0;
  }

  /** True if of two names the first one stands before a value, and no other one between. */
  private static boolean isNearer(int name, int other, int value) {
    return name < value && (other > value || other < name);
  }

  /**
   * The unit of the claim at which the value begins that another row has in the column of a field,
   * or -1.
   */
  private int otherOf(int column, int from, int to) {
    long name = evidence.key(evidence.label(column));
    int last = Math.min(evidence.labels(), to + MAX_AROUND);
    for (int label = Math.max(0, from - MAX_AROUND); label < last && left > 0; label++) {
      int position = evidence.label(label);
      boolean own = label >= from && label < to;
      if (own
          || evidence.key(position) != name
          || position + 1 >= evidence.count()
          || (claimed >>> evidence.key(position + 1) & 1) == 0) {
        continue;
      }
      left--;
      field.read(label);
      int unit = field.isShort() ? unitOfValue() : -1;
      if (unit >= 0 && !isInRow() && !isOfNamedRow(label)) {
        return unit;
      }
    }
    return -1;
  }

  /** The unit at which the claim has the whole value, word by word, or -1. */
  private int unitOfValue() {
    int length = field.valueAfter - field.nameAfter;
    for (int unit = first; unit + length <= after; unit++) {
      int same = 0;
      boolean says = false;
      while (same < length && isSame(unit + same, field.nameAfter + same)) {
        says |= isName(field.nameAfter + same);
        same++;
      }
      if (same == length && says) {
        return unit;
      }
    }
    return -1;
  }

  /** True of the same word; a short one that is a name must begin with a capital: it and IT. */
  private boolean isSame(int unit, int position) {
    return claim.key(unit) == evidence.key(position)
        && (!words.is(claim.key(unit), WordClass.FUNCTION)
            || (claim.flags(unit) & Units.UPPER) == (evidence.flags(position) & Units.UPPER));
  }

  /** True of a word that is more than a number, a function word or an answer to yes or no. */
  private boolean isName(int position) {
    long key = evidence.key(position);
    return (evidence.flags(position) & Units.WORD) != 0
        && (!words.is(key, WordClass.FUNCTION) || (evidence.flags(position) & Units.UPPER) != 0)
        && !words.is(key, WordClass.NEGATION)
        && !words.is(key, WordClass.ASSENT)
        && !words.is(key, WordClass.QUANTIFIER);
  }

  /** True if the row itself has a word of the value. */
  private boolean isInRow() {
    for (int p = field.nameAfter; p < field.valueAfter; p++) {
      for (int own = rowFrom; own < rowAfter && isName(p); own++) {
        if (isLike(evidence.key(own), evidence.key(p))) {
          return true;
        }
      }
    }
    return false;
  }

  /** True if the claim has another value of the row of a field, which its own row does not have. */
  private boolean isOfNamedRow(int label) {
    int from = label;
    while (from > 0 && label - from < MAX_COLUMNS && isOneRow(from - 1, from)) {
      from--;
    }
    boolean is = false;
    for (int other = from;
        other < evidence.labels() && other - from < MAX_COLUMNS && !is;
        other++) {
      if (other > from && !isOneRow(other - 1, other)) {
        break;
      }
      if (other != label) {
        field.read(other);
        is = field.isShort() && unitOfValue() >= 0 && !isInRow();
      }
    }
    return is;
  }

  /** True if no sentence begins between two fields that stand side by side. */
  private boolean isOneRow(int label, int next) {
    int to = evidence.label(next);
    for (int p = evidence.label(label) + 1; p <= to; p++) {
      if (evidence.begins(p)) {
        return false;
      }
    }
    return true;
  }
}
