package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.function.IntPredicate;

/**
 * Finds claims that put a thing under another heading than the evidence does: "flood is covered"
 * where it has {@code Not covered: flood, frost}, "the note is required" where it has {@code
 * Required: id. Optional: note}, "allergic to metformin" where that stands behind {@code
 * Medication:}; and things in between that no list has: "nausea and rash are side effects".
 *
 * <p>A list is what stands behind a colon, up to the next name of one or the end of the sentence. A
 * claim that has a thing of the very list is not looked at further. For one thread; nothing is
 * allocated for a claim, and what is compared for one answer is bounded.
 */
final class ListCheck {
  /** A longer claim says more than where a thing stands. */
  private static final int MAX_CLAIM = 20;

  private static final int MAX_LABELS = 64;
  private static final int MAX_LIST = 64;

  /** A longer item is a text. */
  private static final int MAX_ITEM = 5;

  private static final int NONE = -1;

  /** So many words of names and lists are compared with those of one answer. */
  private static final int MAX_COMPARED = 1 << 16;

  /** So far behind "is" stands what is said of the subject. */
  private static final int MAX_BETWEEN = 4;

  private static final long OPPOSED =
      CriticalWords.bits(
          WordClass.MODALITY,
          WordClass.SCOPE,
          WordClass.PERMITTED,
          WordClass.ASSENT,
          WordClass.STATE,
          WordClass.OUTCOME,
          WordClass.ACTIVE,
          WordClass.SWITCHED,
          WordClass.PRESENT,
          WordClass.VALID,
          WordClass.SAFE);

  /** Words of sentences, which no item has. */
  private static final long SENTENCE = CriticalWords.bits(WordClass.COPULA, WordClass.MODALITY);

  private static final long TIMES =
      CriticalWords.bits(WordClass.DAY, WordClass.WEEKDAY, WordClass.MONTH, WordClass.SEASON);

  /** What a list has to do with what a claim says. */
  private enum Relation {
    NONE,
    SAME,
    OPPOSITE
  }

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final FieldReader field;

  /** Behind them stands what an adjective is said of: allergic to. */
  private final long[] tos;

  private final long[] truths;

  /** "In the" within a Portuguese name. */
  private final long no;

  private int left;
  private int first;
  private int after;

  /** The units of the claim of which something is said. */
  private int thingFrom;

  private int thingAfter;

  /** A bit for each of them that is a word, counted from the claim's first unit. */
  private long things;

  /** The right list has all of them. */
  private boolean agreed;

  /** They stand behind a preposition. */
  private boolean isObject;

  // The list that was read last.
  private int listFrom;
  private int listAfter;
  private boolean several;

  ListCheck(Units claim, PairIndex evidence, CriticalWords words, Thesaurus thesaurus) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.thesaurus = thesaurus;
    field = new FieldReader(evidence);
    tos = TruthField.keys(claim::keyOf, "to", "against", "gegen", "à", "alla", "al", "for", "für");
    no = claim.keyOf("no");
    truths = TruthField.keys(claim::keyOf, "true", "false", "yes", "no", "null", "none");
  }

  /** Begins with another answer. */
  void start() {
    left = MAX_COMPARED;
  }

  /** True if a claim puts things under the heading under which they stand. */
  boolean confirms(int claimFirst, int claimAfter, FoundChanges scratch) {
    int before = scratch.count();
    find(claimFirst, claimAfter, scratch);
    scratch.cutTo(before);
    return agreed;
  }

  /** Looks for a thing that stands in another list, or in none. */
  void find(int claimFirst, int claimAfter, IntPredicate isThere, FoundChanges changes) {
    find(claimFirst, claimAfter, changes);
    if (changes.count() == 0 && !agreed && after - first <= MAX_CLAIM) {
      findStranger(isThere, changes);
    }
  }

  private void find(int claimFirst, int claimAfter, FoundChanges changes) {
    first = claimFirst;
    after = claimAfter;
    agreed = false;
    if (evidence.labels() == 0 || after - first > MAX_CLAIM || left <= 0) {
      return;
    }
    int copula = first;
    while (copula < after && !words.is(claim.key(copula), WordClass.COPULA)) {
      copula++;
    }
    if (copula < after) {
      findPredicate(copula, changes);
    } else {
      findVerb(changes);
    }
  }

  /** "X is covered", "the patient is allergic to X", "required are X". */
  private void findPredicate(int copula, FoundChanges changes) {
    int word = contentFrom(copula + 1);
    if (word < after && word - copula <= MAX_BETWEEN) {
      isObject = word + 1 < after && TruthField.isOneOf(claim.key(word + 1), tos);
      thingFrom = isObject ? word + 2 : first;
      thingAfter = isObject ? after : copula;
      compare(word, changes);
    }
    int subject = contentFrom(first);
    if (changes.count() == 0 && !agreed && subject < copula) {
      isObject = false;
      thingFrom = copula + 1;
      thingAfter = after;
      compare(subject, changes);
    }
  }

  /** "The policy covers X". */
  private void findVerb(FoundChanges changes) {
    int word = contentFrom(first);
    for (int i = 0; i < 3 && word + 1 < after && changes.count() == 0 && !agreed; i++) {
      isObject = false;
      thingFrom = word + 1;
      thingAfter = after;
      compare(word, changes);
      word = contentFrom(word + 1);
    }
  }

  private int contentFrom(int from) {
    int unit = from;
    while (unit < after && !isContent(unit)) {
      unit++;
    }
    return unit;
  }

  private boolean isContent(int unit) {
    long key = claim.key(unit);
    return !words.is(key, WordClass.FUNCTION)
        && !words.is(key, WordClass.NEGATION)
        && !words.is(key, WordClass.QUANTIFIER);
  }

  private boolean isNegated() {
    boolean negated = false;
    for (int unit = first; unit < after; unit++) {
      negated |= words.is(claim.key(unit), WordClass.NEGATION);
    }
    return negated;
  }

  /** Holds what is said by a word of the things against the lists of that name, and all others. */
  private void compare(int word, FoundChanges changes) {
    boolean negated = isNegated();
    boolean named = false;
    boolean lists = false;
    int denied = NONE;
    boolean opposite = false;
    long carried = 0;
    int labels = Math.min(evidence.labels(), MAX_LABELS);
    things = contents();
    for (int label = 0; label < labels && left > 0; label++) {
      Relation relation = relation(word, label);
      if (relation == Relation.NONE) {
        continue;
      }
      readList(label);
      if (isWhether()) {
        return;
      }
      if (listFrom == listAfter) {
        continue;
      }
      boolean agrees = (isLabelNegated() == negated) == (relation == Relation.SAME);
      if (agrees) {
        carried |= there(false);
        named |= !hasDigitsOrTime();
        lists |= several;
      }
    }
    if (left <= 0) {
      return;
    }
    agreed = carried == things && things != 0;
    for (int label = 0; label < labels && left > 0 && !agreed && denied == NONE; label++) {
      Relation relation = relation(word, label);
      if (relation == Relation.NONE) {
        continue;
      }
      readList(label);
      boolean agrees = (isLabelNegated() == negated) == (relation == Relation.SAME);
      if (!agrees && listAfter > listFrom && isOf(carried, false)) {
        denied = label;
        opposite = relation == Relation.OPPOSITE;
      }
    }
    if (denied != NONE) {
      readList(denied);
      changes.add(
          opposite ? ChangeKind.ANTONYM : ChangeKind.NEGATION, word, word + 1, listFrom, listAfter);
    } else if (named && !negated && !agreed) {
      findOther(word, carried, lists, labels, changes);
    }
  }

  /** Looks for the things in a list of another name. */
  private void findOther(int word, long carried, boolean lists, int labels, FoundChanges changes) {
    for (int label = 0; label < labels && left > 0; label++) {
      if (relation(word, label) != Relation.NONE) {
        continue;
      }
      readList(label);
      if (listAfter > listFrom
          && !isWhether()
          && (lists || several || isObject)
          && !words.is(evidence.key(field.nameFrom), WordClass.FUNCTION)
          && !isNameSaid()
          && isOf(carried, true)) {
        changes.add(ChangeKind.NAME, thingFrom, thingAfter, listFrom, listAfter);
        return;
      }
    }
  }

  /** A bit for each unit of the claim that is a word of the things. */
  private long contents() {
    long bits = 0;
    for (int unit = thingFrom; unit < thingAfter; unit++) {
      bits |= isContent(unit) ? 1L << (unit - first) : 0;
    }
    return bits;
  }

  /**
   * A bit for each of them that the list has.
   *
   * @param alone as an item of one word
   */
  private long there(boolean alone) {
    long bits = 0;
    for (int unit = thingFrom; unit < thingAfter; unit++) {
      int at = (things >>> (unit - first) & 1) == 0 ? NONE : placeOf(unit, listFrom, listAfter);
      bits |= at >= 0 && (!alone || isItem(at)) ? 1L << (unit - first) : 0;
    }
    return bits;
  }

  /**
   * True if the list has all of the things; or one that the right list does not have, beside one
   * that it has.
   *
   * @param inOne in one of its items
   */
  private boolean isOf(long carried, boolean inOne) {
    return carried == 0 ? hasAll(inOne) : (there(true) & ~carried) != 0 && areJoined();
  }

  private boolean areJoined() {
    boolean joined = false;
    for (int unit = thingFrom; unit < thingAfter && !joined; unit++) {
      joined = words.is(claim.key(unit), WordClass.AND);
    }
    return joined;
  }

  private boolean isItem(int position) {
    return (position == listFrom || isParted(position))
        && (position + 1 == listAfter || isParted(position + 1));
  }

  /** True if the claim has the last word of the list's name. */
  private boolean isNameSaid() {
    long key = evidence.key(field.nameAfter - 1);
    boolean said = false;
    for (int unit = first; unit < after && !said; unit++) {
      said = claim.key(unit) == key || thesaurus.isSameWord(claim.key(unit), key);
    }
    return said;
  }

  /** What the name of a list says of what a word says: the last word of it, or one like "not". */
  private Relation relation(int unit, int label) {
    left--;
    long a = claim.key(unit);
    long b = evidence.key(evidence.label(label));
    if (a == b || thesaurus.isSameWord(a, b) || thesaurus.isDerived(a, b)) {
      return Relation.SAME;
    }
    if ((words.classes(a) & OPPOSED) == 0) {
      return Relation.NONE;
    }
    field.read(label);
    Relation relation = Relation.NONE;
    for (int p = field.nameFrom; p < field.nameAfter && relation == Relation.NONE; p++) {
      long key = evidence.key(p);
      relation =
          key == a
              ? Relation.SAME
              : words.areOpposite(a, key, OPPOSED) ? Relation.OPPOSITE : Relation.NONE;
    }
    return relation;
  }

  private void readList(int label) {
    field.read(label);
    int chunk = evidence.chunk(field.nameFrom);
    int name = field.nameFrom;
    int nameAfter = field.nameAfter;
    int end = evidence.end(chunk);
    if (label + 1 < evidence.labels() && evidence.label(label + 1) < end) {
      field.read(label + 1);
      end = field.nameFrom;
    }
    field.nameFrom = name;
    field.nameAfter = nameAfter;
    listFrom = nameAfter;
    listAfter = nameAfter;
    several = false;
    int item = listFrom;
    while (listAfter < end && listAfter - listFrom < MAX_LIST && !evidence.begins(listAfter)) {
      if (listAfter > listFrom && isParted(listAfter)) {
        several = true;
        item = listAfter;
      }
      listAfter++;
      left--;
      if (listAfter - item > MAX_ITEM
          || (words.classes(evidence.key(listAfter - 1)) & SENTENCE) != 0) {
        listAfter = listFrom;
        return;
      }
    }
  }

  /** True if an item of a list begins at a position. */
  private boolean isParted(int position) {
    if (words.is(evidence.key(position), WordClass.AND)) {
      return true;
    }
    int chunk = evidence.chunk(position);
    for (int at = evidence.endByte(position - 1); at < evidence.startByte(position); at++) {
      int mark = evidence.text(chunk).byteAt(at);
      if (mark == ',' || mark == ';') {
        return true;
      }
    }
    return false;
  }

  private boolean isWhether() {
    return listAfter == listFrom + 1 && TruthField.isOneOf(evidence.key(listFrom), truths);
  }

  private boolean isLabelNegated() {
    boolean negated = false;
    for (int p = field.nameFrom; p < field.nameAfter; p++) {
      negated |=
          words.is(evidence.key(p), WordClass.NEGATION)
              && (p == field.nameFrom || evidence.key(p) != no);
    }
    return negated;
  }

  private boolean hasDigitsOrTime() {
    boolean has = false;
    for (int p = listFrom; p < listAfter && !has; p++) {
      has =
          (evidence.flags(p) & Units.DIGITS) != 0 || (words.classes(evidence.key(p)) & TIMES) != 0;
    }
    return has;
  }

  /**
   * True if the list has all of the things.
   *
   * @param inOne in one of its items
   */
  private boolean hasAll(boolean inOne) {
    int place = -1;
    for (int unit = thingFrom; unit < thingAfter; unit++) {
      if (!isContent(unit)) {
        continue;
      }
      int at = placeOf(unit, listFrom, listAfter);
      if (at < 0 || (inOne && place >= 0 && !isOneItem(Math.min(at, place), Math.max(at, place)))) {
        return false;
      }
      place = at;
    }
    return place >= 0;
  }

  private boolean isOneItem(int from, int to) {
    boolean one = true;
    for (int p = from + 1; p <= to && one; p++) {
      one = !isParted(p);
    }
    return one;
  }

  private int placeOf(int unit, int from, int to) {
    long key = claim.key(unit);
    left -= to - from;
    for (int p = from; p < to; p++) {
      if (evidence.key(p) == key || thesaurus.isSameWord(key, evidence.key(p))) {
        return p;
      }
    }
    return -1;
  }

  /** Looks for a thing beside one of a list whose name the claim has, which nothing has. */
  private void findStranger(IntPredicate isThere, FoundChanges changes) {
    int stranger = -1;
    for (int unit = first; unit < after && stranger < 0; unit++) {
      stranger = isContent(unit) && isJoined(unit) && !isThere.test(unit) ? unit : -1;
    }
    int labels = stranger < 0 ? 0 : Math.min(evidence.labels(), MAX_LABELS);
    for (int label = 0; label < labels && left > 0; label++) {
      left--;
      if (!isSaid(evidence.key(evidence.label(label)))) {
        continue;
      }
      readList(label);
      boolean whole = several;
      for (int p = field.nameFrom; p < field.nameAfter && whole; p++) {
        whole = words.is(evidence.key(p), WordClass.FUNCTION) || isSaid(evidence.key(p));
      }
      if (whole && isBesideThing(stranger) && !isLikeThing(stranger)) {
        changes.add(ChangeKind.NAME, stranger, stranger + 1, listFrom, listAfter);
        return;
      }
    }
  }

  private boolean isSaid(long key) {
    boolean said = false;
    for (int unit = first; unit < after && !said; unit++) {
      said = claim.key(unit) == key;
    }
    return said;
  }

  /** True of a word alone between what joins things, and the end or "are". */
  private boolean isJoined(int unit) {
    int flags = claim.flags(unit);
    if ((flags & (Units.WORD | Units.DIGITS | Units.GRAM)) != Units.WORD) {
      return false;
    }
    boolean before = unit > first && words.is(claim.key(unit - 1), WordClass.AND);
    boolean behind = unit + 1 < after && words.is(claim.key(unit + 1), WordClass.AND);
    boolean ends = unit + 1 == after || words.is(claim.key(unit + 1), WordClass.COPULA);
    boolean starts = unit == first || words.is(claim.key(unit - 1), WordClass.COPULA);
    return (before && ends) || (behind && starts);
  }

  private boolean isBesideThing(int unit) {
    int thing = unit > first && words.is(claim.key(unit - 1), WordClass.AND) ? unit - 2 : unit + 2;
    return thing >= first && thing < after && placeOf(thing, listFrom, listAfter) >= 0;
  }

  private boolean isLikeThing(int unit) {
    long key = claim.key(unit);
    boolean like = false;
    for (int p = listFrom; p < listAfter && !like; p++) {
      long there = evidence.key(p);
      like =
          thesaurus.isRelated(key, there)
              || thesaurus.isDerived(key, there)
              || thesaurus.isKindOf(key, there)
              || thesaurus.isKindOf(there, key);
    }
    return like;
  }
}
