package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.text.Utf8Span;
import org.jspecify.annotations.Nullable;

/**
 * Compares the few units of a claim with the few of its evidence that stand in their place, and
 * says in what they differ that matters, if they do.
 */
final class GapCheck {
  /** The most units that are compared with one another. */
  static final int MAX_UNITS = 12;

  private static final int SMALL = 5;
  private static final int MAX_NEGATED = 3;
  private static final int MAX_ORDER = 4;
  private static final int SAME_BEGINNING = 4;

  private static final int LEAST_OF_FORM = 5;
  private static final int MAX_ENDING = 2;

  /** A word that "un" may deny has so many letters at least. */
  private static final int LEAST_UNDONE = 4;

  private static final WordClass[] OPPOSITES = {
    WordClass.ORDER,
    WordClass.PLACE,
    WordClass.WAY,
    WordClass.SIDE,
    WordClass.AMOUNT,
    WordClass.BOUND,
    WordClass.WITH,
    WordClass.RANK,
    WordClass.OUTCOME,
    WordClass.ASSENT,
    WordClass.STATE,
    WordClass.SWITCHED,
    WordClass.ACTIVE,
    WordClass.PERMITTED,
    WordClass.CHANGE,
    WordClass.FOR,
    WordClass.BEST,
    WordClass.OFTEN,
    WordClass.SINCE,
    WordClass.AGE,
    WordClass.PARTY,
    WordClass.CONTRACT,
    WordClass.WORK,
    WordClass.CREDIT,
    WordClass.SCHOOL,
    WordClass.REACH,
    WordClass.EDGE,
    WordClass.FRONT,
    WordClass.INNER,
    WordClass.DIRECTION,
    WordClass.COLOUR,
    WordClass.VALID,
    WordClass.SAFE,
    WordClass.TRUTH,
    WordClass.PRESENT,
    WordClass.SIZE,
    WordClass.HEAT,
    WordClass.FULL,
    WordClass.TRADE,
    WordClass.GAIN,
    WordClass.UNLESS,
    WordClass.FACTOR,
    WordClass.PRICE,
    WordClass.SCOPE,
    WordClass.FORM,
    WordClass.GRADE,
  };

  /** Those of them that say the contrary also where other words stand around. */
  private static final WordClass[] FAR_OPPOSITES = {
    WordClass.CHANGE,
    WordClass.FACTOR,
    WordClass.PERMITTED,
    WordClass.ACTIVE,
    WordClass.VALID,
    WordClass.SAFE,
    WordClass.ASSENT,
    WordClass.OUTCOME,
    WordClass.FULL,
  };

  private static final long FAR = CriticalWords.bits(FAR_OPPOSITES);

  /** Those that deny one another: not granted, declined. */
  private static final WordClass[] UNDONE = {
    WordClass.ASSENT,
    WordClass.STATE,
    WordClass.PERMITTED,
    WordClass.OUTCOME,
    WordClass.VALID,
    WordClass.SAFE,
    WordClass.PRESENT,
    WordClass.ACTIVE,
    WordClass.SWITCHED,
    WordClass.FULL,
    WordClass.TRUTH,
  };

  private static final int NEAR_UNITS = 24;

  private static final WordClass[] DATES = {
    WordClass.MONTH, WordClass.WEEKDAY, WordClass.DAY, WordClass.DAYTIME, WordClass.SEASON
  };

  private static final long TIMES = CriticalWords.bits(DATES);
  private static final WordClass[] UNITS = {
    WordClass.UNIT, WordClass.RATE, WordClass.MAGNITUDE, WordClass.CURRENCY
  };
  private static final WordClass[] QUANTITIES = {WordClass.QUANTIFIER};
  private static final WordClass[] ORDERS = {WordClass.ORDER};
  private static final WordClass[] MODALITIES = {WordClass.MODALITY};

  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final PairIndex evidence;

  private final Units claim;
  private final Negations negations;
  private final RivalWords rivals;
  private final long few;
  private final long must;
  private final long may;

  private Utf8Span text = Utf8Span.EMPTY;

  // The gap that is looked at: where its words stand in the thesaurus.
  private int claimFrom;
  private int evidenceFrom;
  private final int[] claimPlaces = new int[MAX_UNITS];
  private final int[] evidencePlaces = new int[MAX_UNITS];

  /** The classes that words of both sides of what is compared are in. */
  private long common;

  GapCheck(
      Units claim,
      CriticalWords words,
      Thesaurus thesaurus,
      PairIndex evidence,
      Negations negations) {
    this.claim = claim;
    this.words = words;
    this.thesaurus = thesaurus;
    this.evidence = evidence;
    this.negations = negations;
    rivals = new RivalWords(claim, evidence, words);
    few = claim.keyOf("few");
    must = claim.keyOf("must");
    may = claim.keyOf("may");
  }

  /** The text whose units are compared. */
  void read(Utf8Span claimText) {
    text = claimText;
  }

  /**
   * Begins with a gap, to which all parts belong that are compared until the next one; not needed
   * of one that is empty on either side.
   */
  void open(int c, int cEnd, int e, int eEnd) {
    claimFrom = c;
    evidenceFrom = e;
    for (int i = c; i < cEnd; i++) {
      claimPlaces[i - c] = thesaurus.place(claim.key(i));
    }
    for (int j = e; j < eEnd; j++) {
      evidencePlaces[j - e] = thesaurus.place(evidence.key(j));
    }
  }

  /** True if a unit and a position of the gap are forms of one word. */
  boolean matches(int unit, int position) {
    long a = claim.key(unit);
    long b = evidence.key(position);
    return a == b
        || thesaurus.isSameWord(
            claimPlaces[unit - claimFrom], a, evidencePlaces[position - evidenceFrom], b);
  }

  /** True if the two are forms of one word. */
  boolean isSame(long a, long b) {
    return a == b || thesaurus.isSameWord(a, b);
  }

  /** True of a word that says little by itself, and of an adverb, which may stand anywhere. */
  boolean isLight(long key) {
    long classes = words.classes(key);
    return CriticalWords.has(classes, WordClass.FUNCTION)
        || CriticalWords.has(classes, WordClass.AND)
        || thesaurus.isAdverb(key);
  }

  /** True of was and is, before what is done to somebody. */
  boolean isPassive(long key) {
    return words.is(key, WordClass.PASSIVE);
  }

  /** True of a word that says when or where: before, after, above, below, inside, outside. */
  boolean isPlacing(long key) {
    return words.is(key, WordClass.ORDER) || words.is(key, WordClass.PLACE);
  }

  /** True of a day, a month, a season, and of yesterday. */
  boolean isTime(long key) {
    return (words.classes(key) & TIMES) != 0;
  }

  /**
   * True of two words in one place, if one says when, and it begins the claim or the sentence:
   * "yesterday Anna" for "Anna yesterday".
   */
  boolean isTimeMoved(int unit, int position) {
    boolean first = beginsClaim(unit) || evidence.begins(position);
    return first && isTime(claim.key(unit)) != isTime(evidence.key(position));
  }

  /** True of and. */
  boolean isAnd(long key) {
    return words.is(key, WordClass.AND);
  }

  /** True of every and some. */
  boolean isQuantity(long key) {
    return words.is(key, WordClass.QUANTIFIER);
  }

  /** True of the word before who does it. */
  boolean isBy(long key) {
    return words.is(key, WordClass.BY);
  }

  /** The kind of the change, or null. */
  @Nullable ChangeKind compare(int c, int cEnd, int e, int eEnd) {
    boolean negated = negations.said(c, cEnd);
    if (negated != negations.there(e, eEnd)) {
      boolean grams = c < cEnd && (claim.flags(c) & Units.GRAM) != 0;
      boolean few = Math.max(cEnd - c, eEnd - e) <= (grams ? MAX_UNITS : MAX_NEGATED);
      common = classes(c, cEnd) & classesOfEvidence(e, eEnd);
      boolean undone =
          hasAntonyms(c, cEnd, e, eEnd)
              || areFew(c, cEnd, e, eEnd)
              || differ(c, cEnd, e, eEnd, UNDONE);
      return !few || undone ? null : ChangeKind.NEGATION;
    }
    if (areOpposedCharacters(c, cEnd, e, eEnd)) {
      return ChangeKind.ANTONYM;
    }
    ChangeKind rival = rivals.compare(c, cEnd, e, eEnd);
    if (rival != null || c == cEnd || e == eEnd) {
      return rival;
    }
    common = classes(c, cEnd) & classesOfEvidence(e, eEnd);
    if (!tight(cEnd - c, eEnd - e)) {
      // "dans un délai de" stands in the place of "après"
      boolean few = Math.max(cEnd - c, eEnd - e) <= MAX_ORDER;
      return few && differ(c, cEnd, e, eEnd, ORDERS) ? ChangeKind.ANTONYM : null;
    }
    if (differ(c, cEnd, e, eEnd, QUANTITIES)) {
      return ChangeKind.QUANTIFIER;
    }
    if (differ(c, cEnd, e, eEnd, MODALITIES) && !(isBan(c, cEnd) && isBanThere(e, eEnd))) {
      return ChangeKind.MODALITY;
    }
    if (differ(c, cEnd, e, eEnd, DATES)) {
      return ChangeKind.DATE;
    }
    if (differ(c, cEnd, e, eEnd, UNITS)) {
      return ChangeKind.UNIT;
    }
    if (hasAntonyms(c, cEnd, e, eEnd)
        || differ(c, cEnd, e, eEnd, OPPOSITES)
        || hasUndone(c, cEnd, e, eEnd)) {
      return ChangeKind.ANTONYM;
    }
    return otherName(c, cEnd, e, eEnd) && !isAbbreviated(c, cEnd, e, eEnd) ? ChangeKind.NAME : null;
  }

  /** True of few and hardly any. */
  private boolean areFew(int c, int cEnd, int e, int eEnd) {
    boolean here = false;
    for (int unit = c; unit < cEnd; unit++) {
      here |= isFew(claim.key(unit));
    }
    boolean there = false;
    for (int at = e; at < eEnd && here; at++) {
      there |= isFew(evidence.key(at));
    }
    return there;
  }

  private boolean isFew(long key) {
    int group = words.group(key, WordClass.QUANTIFIER);
    return group != 0 && group == words.group(few, WordClass.QUANTIFIER);
  }

  /** True of text without blanks that differs in one character, which says the contrary. */
  private boolean areOpposedCharacters(int c, int cEnd, int e, int eEnd) {
    return c < cEnd
        && cEnd - c == eEnd - e
        && cEnd - c <= 2
        && (claim.flags(c) & evidence.flags(e) & Units.GRAM) != 0
        && HanOpposites.differ(
            text,
            claim.start(c),
            claim.end(cEnd - 1),
            evidence.text(evidence.chunk(e)),
            evidence.startByte(e),
            evidence.endByte(eEnd - 1));
  }

  /** True of must and may before a negation: must not, may be no. */
  private boolean isBan(int c, int cEnd) {
    boolean bans = false;
    for (int unit = c; unit < cEnd; unit++) {
      bans |= mayBan(claim.key(unit)) && (isNot(unit + 1) || isNot(unit + 2));
    }
    return bans;
  }

  private boolean isBanThere(int e, int eEnd) {
    boolean bans = false;
    for (int at = e; at < eEnd; at++) {
      bans |= mayBan(evidence.key(at)) && (isNotThere(at + 1) || isNotThere(at + 2));
    }
    return bans;
  }

  private boolean mayBan(long key) {
    int group = words.group(key, WordClass.MODALITY);
    return group != 0
        && (group == words.group(must, WordClass.MODALITY)
            || group == words.group(may, WordClass.MODALITY));
  }

  private boolean isNot(int unit) {
    return unit < claim.count() && words.is(claim.key(unit), WordClass.NEGATION);
  }

  private boolean isNotThere(int position) {
    return position < evidence.count() && words.is(evidence.key(position), WordClass.NEGATION);
  }

  /**
   * True if so few units stand in the place of so few that the ones are likely to mean the others.
   */
  private static boolean tight(int claimed, int there) {
    return Math.max(claimed, there) <= 2 || (claimed == there && claimed <= 4);
  }

  /** True if the units of the claim are those of the evidence in another order, and not joined. */
  boolean isPermuted(int c, int cEnd, int e, int eEnd) {
    return isPermuted(c, cEnd, e, eEnd, SMALL);
  }

  /** The same of at most so many units. */
  boolean isPermuted(int c, int cEnd, int e, int eEnd, int most) {
    if (cEnd - c != eEnd - e || cEnd - c > most || cEnd - c < 2) {
      return false;
    }
    for (int i = c; i < cEnd; i++) {
      boolean found = false;
      for (int j = e; j < eEnd && !found; j++) {
        found = claim.key(i) == evidence.key(j);
      }
      if (!found || words.is(claim.key(i), WordClass.AND)) {
        return false;
      }
    }
    return true;
  }

  /**
   * How many words that say something by their place, or numbers, stand elsewhere among permuted
   * ones: a word that says when may stand in the place of any other.
   */
  int misplaced(int c, int cEnd, int e, boolean numbers) {
    int misplaced = 0;
    for (int i = c; i < cEnd; i++) {
      boolean number = hasDigits(claim.flags(i));
      if (claim.key(i) != evidence.key(e + i - c)
          && number == numbers
          && !isLight(claim.key(i))
          && !movesFreely(claim.key(i))
          && !isTimeMoved(i, e + i - c)) {
        misplaced++;
      }
    }
    return misplaced;
  }

  /** True of the verbs that stand last in a clause behind "dass" and second in any other one. */
  private boolean movesFreely(long key) {
    return words.is(key, WordClass.MODALITY) || words.is(key, WordClass.PASSIVE);
  }

  /**
   * How many of the words of permuted units that say something are others than those at their place
   * among such words of the evidence; 0 if there are numbers among them.
   */
  int exchanged(int c, int cEnd, int e) {
    int eEnd = e + cEnd - c;
    int others = 0;
    int j = e;
    for (int i = c; i < cEnd; i++) {
      if (isLight(claim.key(i)) || words.is(claim.key(i), WordClass.MODALITY)) {
        continue;
      }
      while (j < eEnd
          && (isLight(evidence.key(j)) || words.is(evidence.key(j), WordClass.MODALITY))) {
        j++;
      }
      if (j < eEnd && claim.key(i) != evidence.key(j++)) {
        if (hasDigits(claim.flags(i))) {
          return 0;
        }
        others++;
      }
    }
    return others;
  }

  private static boolean hasDigits(int flags) {
    return (flags & Units.DIGITS) != 0;
  }

  /** True of safe and unsafe, rechtmäßig and unrechtmäßig: the one is the other with "un". */
  private boolean isUndone(int unit, int position) {
    Utf8Span there = evidence.text(evidence.chunk(position));
    int at = claim.start(unit);
    int other = evidence.startByte(position);
    int here = claim.end(unit) - at;
    int length = evidence.endByte(position) - other;
    return here > length
        ? isUndone(text, at, here, there, other, length)
        : isUndone(there, other, length, text, at, here);
  }

  private static boolean isUndone(
      Utf8Span denied, int at, int length, Utf8Span plain, int other, int plainLength) {
    if (length != plainLength + 2
        || plainLength < LEAST_UNDONE
        || (denied.byteAt(at) | 0x20) != 'u'
        || (denied.byteAt(at + 1) | 0x20) != 'n') {
      return false;
    }
    for (int i = 0; i < plainLength; i++) {
      int a = denied.byteAt(at + 2 + i);
      int b = plain.byteAt(other + i);
      if (a != b && (a < 0 || (a | 0x20) != (b | 0x20))) {
        return false;
      }
    }
    // unless is not less
    return (plain.byteAt(other) | 0x20) != 'l' || plainLength > LEAST_UNDONE;
  }

  private boolean hasUndone(int c, int cEnd, int e, int eEnd) {
    for (int i = c; i < cEnd; i++) {
      for (int j = e; j < eEnd; j++) {
        if (isUndone(i, j)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * A unit of the claim whose opposite stands at positions, where the claim has it nowhere itself
   * and denies as much as they do; or -1.
   */
  int opposed(int c, int cEnd, int e, int eEnd) {
    long here = classes(c, cEnd) & FAR;
    long both = here == 0 ? 0 : here & classesOfEvidence(e, eEnd);
    if (both == 0) {
      return -1;
    }
    for (WordClass type : FAR_OPPOSITES) {
      if (CriticalWords.has(both, type) && negations.said(c, cEnd) == negations.there(e, eEnd)) {
        int unit = onlyGroup(type, c, cEnd, e, eEnd);
        if (unit >= 0) {
          return unit;
        }
      }
    }
    return -1;
  }

  private int onlyGroup(WordClass type, int c, int cEnd, int e, int eEnd) {
    int here = -1;
    for (int i = c; i < cEnd; i++) {
      int group = words.group(claim.key(i), type);
      if (group != 0 && here >= 0 && group != words.group(claim.key(here), type)) {
        return -1;
      }
      here = group != 0 ? i : here;
    }
    int group = words.group(claim.key(here), type);
    for (int j = e; j < eEnd; j++) {
      if (words.group(evidence.key(j), type) == group) {
        return -1;
      }
    }
    return here;
  }

  /** True if there are opposites; of all and no, the one negates, which is told as such. */
  private boolean hasAntonyms(int c, int cEnd, int e, int eEnd) {
    for (int i = c; i < cEnd && e < eEnd; i++) {
      int place = claimPlaces[i - claimFrom];
      if (!thesaurus.hasOpposite(place, claim.key(i))) {
        continue;
      }
      for (int j = e; j < eEnd; j++) {
        if (thesaurus.isAntonym(
                place, claim.key(i), evidencePlaces[j - evidenceFrom], evidence.key(j))
            && !words.is(claim.key(i), WordClass.NEGATION)
            && !words.is(evidence.key(j), WordClass.NEGATION)) {
          return true;
        }
      }
    }
    return false;
  }

  private long classes(int c, int cEnd) {
    long all = 0;
    for (int i = c; i < cEnd; i++) {
      all |= words.classes(claim.key(i));
    }
    return all;
  }

  private long classesOfEvidence(int e, int eEnd) {
    long all = 0;
    for (int j = e; j < eEnd; j++) {
      all |= words.classes(evidence.key(j));
    }
    return all;
  }

  /** True if one side has a word of a class and the other has one too, but none of its group. */
  private boolean differ(int c, int cEnd, int e, int eEnd, WordClass[] classes) {
    for (WordClass type : classes) {
      for (int i = c; i < cEnd && CriticalWords.has(common, type); i++) {
        int group = words.group(claim.key(i), type);
        if (group == 0) {
          continue;
        }
        boolean other = false;
        boolean same = false;
        for (int j = e; j < eEnd; j++) {
          int there = words.group(evidence.key(j), type);
          other |= there != 0 && there != group;
          same |= there == group;
        }
        if (other && !same) {
          return true;
        }
      }
    }
    return false;
  }

  /** True of a word that the sentence has without a capital: it is no name because it begins. */
  private boolean isSmallNear(long key, int e) {
    int chunk = evidence.chunk(Math.min(e, evidence.count() - 1));
    int to = Math.min(evidence.end(chunk), e + NEAR_UNITS);
    boolean small = false;
    for (int at = Math.max(evidence.start(chunk), e - NEAR_UNITS); at < to; at++) {
      small |= evidence.key(at) == key && (evidence.flags(at) & Units.UPPER) == 0;
    }
    return small;
  }

  private boolean otherName(int c, int cEnd, int e, int eEnd) {
    for (int i = c; i < cEnd; i++) {
      int rank = nameRank(claim.key(i), claim.flags(i), beginsClaim(i));
      if (rank == 0 || (beginsClaim(i) && isSmallNear(claim.key(i), e))) {
        continue;
      }
      boolean other = false;
      boolean same = false;
      for (int j = e; j < eEnd; j++) {
        int ranks = rank + nameRank(evidence.key(j), evidence.flags(j), evidence.begins(j));
        same |= isCondition(claim.key(i)) && isCondition(evidence.key(j));
        same |= ranks == 4 ? isOneName(i, j) : isNear(claim.key(i), evidence.key(j));
        other |= ranks >= 3;
      }
      if (other && !same) {
        return true;
      }
    }
    return false;
  }

  /** True of US and United States, either way. */
  private boolean isAbbreviated(int c, int cEnd, int e, int eEnd) {
    Utf8Span there = evidence.text(evidence.chunk(e));
    int at = claim.start(c);
    int other = evidence.startByte(e);
    if (cEnd - c == 1 && claim.end(c) - at == eEnd - e) {
      for (int i = e; i < eEnd; i++) {
        if (text.byteAt(at + i - e) != there.byteAt(evidence.startByte(i))) {
          return false;
        }
      }
      return eEnd - e > 1;
    }
    if (eEnd - e == 1 && evidence.endByte(e) - other == cEnd - c) {
      for (int i = c; i < cEnd; i++) {
        if (there.byteAt(other + i - c) != text.byteAt(claim.start(i))) {
          return false;
        }
      }
      return cEnd - c > 1;
    }
    return false;
  }

  private boolean isCondition(long key) {
    return words.is(key, WordClass.CONDITION) || words.is(key, WordClass.UNLESS);
  }

  /** True if the two are related, or the one is a kind of the other. */
  boolean isNear(long a, long b) {
    return thesaurus.isRelated(a, b) || thesaurus.isKindOf(a, b) || thesaurus.isKindOf(b, a);
  }

  /** True of Britain and British: derived, or with the same beginning. */
  private boolean isOneName(int unit, int position) {
    if (thesaurus.isDerived(claim.key(unit), evidence.key(position))) {
      return true;
    }
    Utf8Span there = evidence.text(evidence.chunk(position));
    int at = claim.start(unit);
    int other = evidence.startByte(position);
    int end = Math.min(claim.end(unit) - at, evidence.endByte(position) - other);
    int same = 0;
    while (same < end && (text.byteAt(at + same) | 0x20) == (there.byteAt(other + same) | 0x20)) {
      same++;
    }
    return same >= SAME_BEGINNING || (same == end && same > 1);
  }

  /** True of words that begin the same and have endings of a letter or two: ermäßigt, ermäßigte. */
  boolean isForm(int unit, int position) {
    if (isSame(claim.key(unit), evidence.key(position))) {
      return true;
    }
    Utf8Span there = evidence.text(evidence.chunk(position));
    int at = claim.start(unit);
    int other = evidence.startByte(position);
    int here = claim.end(unit) - at;
    int length = evidence.endByte(position) - other;
    int shorter = Math.min(here, length);
    int same = 0;
    while (same < shorter
        && (text.byteAt(at + same) == there.byteAt(other + same)
            || (text.byteAt(at + same) > 0
                && (text.byteAt(at + same) | 0x20) == (there.byteAt(other + same) | 0x20)))) {
      same++;
    }
    return same >= LEAST_OF_FORM && Math.max(here, length) - same <= MAX_ENDING;
  }

  private boolean beginsClaim(int unit) {
    return unit == 0 || (claim.start(unit) - claim.end(unit - 1) > 1);
  }

  /** 2: a name; 1: a word that begins with a capital because of where it stands; 0: neither. */
  private int nameRank(long key, int flags, boolean begins) {
    if ((flags & Units.UPPER) == 0 || (begins && words.is(key, WordClass.NEGATION))) {
      return 0;
    }
    boolean function = words.is(key, WordClass.FUNCTION);
    return begins ? function ? 0 : thesaurus.isKnown(key) ? 1 : 2 : function ? 1 : 2;
  }
}
