package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Compares a piece of a claim with the stretch of evidence that it follows nearly word for word.
 *
 * <p>The piece is laid beside the stretch ({@link Alignment}). What stands between equal runs on
 * both sides is a gap; within it, single equal words are found again, and what is left is compared
 * ({@link GapCheck}); values are compared as such ({@link ValueCheck}). Of several stretches the
 * one that fits best counts, of equal ones the one with fewer changes. A piece less than {@value
 * #NEAR} of which is equal is not near, and has no changes: how it is supported is for others to
 * say. For one thread.
 */
final class PieceCheck {
  private static final int STRETCHES = 3;
  private static final double NEAR = 0.8;
  private static final double LEAST = 0.5;
  private static final int MIN_SAME = 4;

  /** So near behind words that were moved a value belongs to them. */
  private static final int MOVED_REACH = 2;

  /** So many equal units say which sentence a claim is about. */
  private static final int MIN_BEGINNING = 3;

  /** A claim of so few units follows a sentence of its length with fewer equal ones. */
  private static final int SHORT = 6;

  private static final int MAX_PART = 6;
  private static final int NEARBY = 3;

  /** So many units further than the claim goes its evidence is looked at behind the last run. */
  private static final int BEYOND = 2;

  private static final int BEYOND_GRAMS = 8;

  private static final int NOWHERE = -1;

  private final Units claim;
  private final PairIndex evidence;
  private final Alignment alignment;
  private final GapCheck gaps;
  private final ValueCheck values;
  private final Negations negations;
  private final EdgeCheck edges;
  private final RoleCheck roles;
  private final GraftCheck grafts;
  private final InvertedOrder inverted;
  private final FoundChanges changes;
  private final IntPredicate isWhole = this::isWholeAt;

  // The claim, and the piece of it that is looked at.
  private int claimFrom;
  private int claimAfter;
  private IntPredicate chunks = chunk -> true;
  private int pieceFrom;
  private int pieceAfter;

  private final int[] places = new int[STRETCHES];
  private int same;
  private final boolean[] moved = new boolean[Alignment.MAX_UNITS];
  private final boolean[] equal = new boolean[Alignment.MAX_UNITS];
  private final byte[][] common = new byte[GapCheck.MAX_UNITS + 1][GapCheck.MAX_UNITS + 1];

  PieceCheck(
      Units claim,
      PairIndex evidence,
      CriticalWords words,
      GapCheck gaps,
      ValueCheck values,
      Negations negations,
      EdgeCheck edges,
      FoundChanges changes) {
    this.claim = claim;
    this.evidence = evidence;
    this.gaps = gaps;
    this.values = values;
    this.negations = negations;
    this.edges = edges;
    this.changes = changes;
    alignment = new Alignment(evidence);
    roles = new RoleCheck(claim, evidence, alignment);
    grafts = new GraftCheck(claim, evidence, words, gaps);
    inverted = new InvertedOrder(claim, evidence, words);
  }

  /**
   * Takes up a claim.
   *
   * @param text of the answer
   * @param within the chunks that it may follow
   */
  void read(Utf8Span text, int first, int after, IntPredicate within) {
    inverted.read(text);
    claimFrom = first;
    claimAfter = after;
    chunks = within;
  }

  /** Compares a piece of it, adding what departs. */
  void find(int first, int after) {
    int before = changes.count();
    pieceFrom = first;
    pieceAfter = after;
    int quoted = alignment.quoted(claim, first, after, chunks, isWhole);
    if (quoted >= 0) {
      values.start(first, after);
      values.place(first, quoted, after - first);
      compareValues();
      if (changes.count() == before) {
        return;
      }
      changes.cutTo(before);
    } else {
      int denied = alignment.quoted(claim, first, after, chunks, at -> true);
      if (denied >= 0) {
        addCutOff(denied, denied + after - first);
        return;
      }
    }
    int stretches = alignment.stretches(claim, first, after, chunks, places);
    int best = -1;
    int bestSame = 0;
    int bestCount = 0;
    for (int i = 0; i < stretches; i++) {
      compare(first, after, places[i]);
      int count = changes.count() - before;
      if (count == 0 && same == after - first) {
        return;
      }
      if (isNear(before, after - first)
          && (same > bestSame || (same == bestSame && count < bestCount))) {
        best = i;
        bestSame = same;
        bestCount = count;
      }
      changes.cutTo(before);
    }
    if (bestCount > 0) {
      compare(first, after, places[best]);
    }
  }

  private boolean isWholeAt(int from) {
    return !isCutOff(from, from + pieceAfter - pieceFrom);
  }

  /**
   * True if the piece has all of the claim's first or last words, and evidence denies them there.
   */
  private boolean isCutOff(int from, int to) {
    return isHeadCutOff(from)
        || (to != NOWHERE && pieceAfter == claimAfter && edges.isDeniedTo(to));
  }

  /** True if a change is that the claim denies, or has the opposite: no dogs may, dogs may not. */
  private boolean isDenialOfClaim(int change) {
    return changes.kind(change) == ChangeKind.ANTONYM
        || (changes.kind(change) == ChangeKind.NEGATION
            && negations.said(changes.claimFrom(change), changes.claimTo(change)));
  }

  private boolean isHeadCutOff(int from) {
    return from != NOWHERE && pieceFrom == claimFrom && edges.isDeniedFrom(from);
  }

  /** Notes the negation before or behind what a claim has from the evidence. */
  private void addCutOff(int from, int to) {
    if (isHeadCutOff(from)) {
      changes.add(ChangeKind.NEGATION, pieceFrom, pieceFrom + 1, from - 1, from);
    } else {
      changes.add(ChangeKind.NEGATION, pieceAfter - 1, pieceAfter, to, to + 1);
    }
  }

  /**
   * True if the claim follows the stretch: besides what was changed, not much of it departs. Who
   * says it in other words has not changed a word.
   */
  private boolean isNear(int before, int length) {
    int explained = same;
    for (int i = before; i < changes.count(); i++) {
      explained += changes.changedUnits(i);
    }
    boolean much = same >= MIN_SAME || (length <= SHORT && same > 1 && isWholeSentence(length));
    return much && same >= LEAST * length && explained >= NEAR * length;
  }

  /** True if what a short claim follows is a short sentence, and not a part of a long one. */
  private boolean isWholeSentence(int length) {
    int run = 0;
    while (run < alignment.runs() && !alignment.isInChain(run)) {
      run++;
    }
    if (run == alignment.runs()) {
      return false;
    }
    int units = sentenceEnd(alignment.evidenceAt(run)) - sentenceStart(alignment.evidenceAt(run));
    return units <= length + BEYOND && units >= length - BEYOND;
  }

  private int sentenceStart(int position) {
    int at = position;
    while (at > alignment.from() && !evidence.begins(at)) {
      at--;
    }
    return at;
  }

  private int sentenceEnd(int position) {
    int at = position + 1;
    while (at < alignment.to() && !evidence.begins(at)) {
      at++;
    }
    return at;
  }

  private void compare(int first, int after, int place) {
    alignment.align(claim, first, after, place);
    same = 0;
    roles.start();
    Arrays.fill(moved, 0, after - first, false);
    Arrays.fill(equal, 0, after - first, false);
    values.start(first, after);
    grafts.start(first, after);
    int before = changes.count();
    for (int run = 0; run < alignment.runs(); run++) {
      same += alignment.length(run);
      int from = alignment.claimAt(run) - first;
      Arrays.fill(equal, from, from + alignment.length(run), true);
      values.place(alignment.claimAt(run), alignment.evidenceAt(run), alignment.length(run));
      if (isMoved(run)) {
        int at = alignment.claimAt(run) - first;
        Arrays.fill(moved, at, at + alignment.length(run), true);
      }
    }
    int c = first;
    int e = -1;
    int head = NOWHERE;
    for (int run = 0; run < alignment.runs(); run++) {
      if (!alignment.isInChain(run)) {
        continue;
      }
      int eNext = alignment.evidenceAt(run);
      int cNext = alignment.claimAt(run);
      if (e < 0) {
        head = c == cNext ? eNext : NOWHERE;
        gap(c, cNext, leading(cNext - c, eNext), eNext, false, true);
      } else {
        gap(c, cNext, e, eNext, true, true);
      }
      grafts.place(cNext, eNext, alignment.length(run));
      c = cNext + alignment.length(run);
      e = eNext + alignment.length(run);
    }
    if (e >= 0) {
      gap(c, after, e, trailing(after - c, e), true, false);
    }
    int tail = c == after ? e : NOWHERE;
    if (changes.count() == before && isCutOff(head, tail) && edges.affirms(first, after, equal)) {
      addCutOff(head, tail);
    } else if (changes.count() == before + 1 && isHeadCutOff(head) && isDenialOfClaim(before)) {
      changes.cutTo(before);
    }
    if (changes.count() == before) {
      same += grafts.find(changes);
    }
    if (changes.count() == before) {
      grafts.findHead(changes);
    }
    before = changes.count();
    roles.findReversals(gaps, changes);
    if (changes.count() == before && alignment.runs() > 0) {
      permuted(first, after);
    }
    same += 2 * roles.findExchanges(gaps, changes);
    same += roles.findPassive(changes);
    compareValues();
  }

  /** A short claim that has the words of a sentence, and two of them in each other's place. */
  private void permuted(int first, int after) {
    int from = sentenceStart(alignment.evidenceAt(0));
    int to = sentenceEnd(alignment.evidenceAt(0));
    if (gaps.isPermuted(first, after, from, to, SHORT)
        && gaps.exchanged(first, after, from) == 2
        && !inverted.is(first, after, from)) {
      same = after - first;
      changes.add(ChangeKind.ROLES, first, after, from, to);
    }
  }

  private void compareValues() {
    for (int value = values.first(); values.has(value); value++) {
      ChangeKind kind = values.compare(value);
      if (kind != null && !isOfFirstSentence() && !isOfMovedRun()) {
        changes.add(
            kind, values.unitFrom(), values.unitAfter(), values.placeFrom(), values.placeAfter());
      }
    }
  }

  /**
   * True if the value that was compared last stands in the sentence where the claim begins to
   * follow the evidence, and was compared with one of a later sentence that goes on like the claim.
   */
  private boolean isOfFirstSentence() {
    int run = 0;
    while (run < alignment.runs() && !alignment.isInChain(run)) {
      run++;
    }
    if (run == alignment.runs() || alignment.length(run) < MIN_BEGINNING) {
      return false;
    }
    int from = sentenceStart(alignment.evidenceAt(run));
    int to = sentenceEnd(alignment.evidenceAt(run));
    return values.placeFrom() >= to
        && to - from <= Alignment.MAX_UNITS
        && values.isCarried(values.unitFrom(), values.unitAfter(), from, to);
  }

  /**
   * True if the value that was compared last stands in the evidence behind words that the claim has
   * moved: "on Saturdays it closes at 18" for "it closes at 22, on Saturdays at 18".
   */
  private boolean isOfMovedRun() {
    for (int run = 0; run < alignment.runs(); run++) {
      int from = alignment.evidenceAt(run) + alignment.length(run);
      int to = Math.min(sentenceEnd(from - 1), from + MOVED_REACH);
      if (!alignment.isInChain(run)
          && from < to
          && values.isCarried(values.unitFrom(), values.unitAfter(), from, to)) {
        return true;
      }
    }
    return false;
  }

  /** True of a run elsewhere that says something: "the pump" may as well be another one. */
  private boolean isMoved(int run) {
    int at = alignment.claimAt(run);
    return !alignment.isInChain(run)
        && (alignment.length(run) > 2
            || (!gaps.isLight(claim.key(at)) && !gaps.isLight(claim.key(at + 1))));
  }

  /** Where evidence begins that may stand for so many units before the first run. */
  private int leading(int units, int eEnd) {
    int e = eEnd;
    while (e > alignment.from() && eEnd - e < units + BEYOND && !evidence.begins(e)) {
      e--;
    }
    return e;
  }

  private int trailing(int units, int e) {
    int eEnd = e;
    int beyond =
        e < alignment.to() && (evidence.flags(e) & Units.GRAM) != 0 ? BEYOND_GRAMS : BEYOND;
    while (eEnd < alignment.to() && eEnd - e < units + beyond && !evidence.begins(eEnd)) {
      eEnd++;
    }
    return eEnd;
  }

  /** Compares a gap; {@code left} and {@code right}: there is a run on that side. */
  private void gap(int c, int cEnd, int e, int eEnd, boolean left, boolean right) {
    if ((c == cEnd && (e == eEnd || !left || !right))
        || cEnd - c > GapCheck.MAX_UNITS
        || eEnd - e > GapCheck.MAX_UNITS) {
      return;
    }
    int eLow = left ? e : Math.max(e, eEnd - (cEnd - c));
    int eHigh = right ? eEnd : Math.min(eEnd, e + cEnd - c);
    if (gaps.isPermuted(c, cEnd, eLow, eHigh)) {
      if (inverted.isArabic(c, cEnd, eLow)) {
        same += cEnd - c;
        return;
      }
      if (gaps.misplaced(c, cEnd, eLow, false) > 1) {
        same += cEnd - c;
        changes.add(ChangeKind.ROLES, c, cEnd, eLow, eHigh);
        return;
      }
      if (gaps.misplaced(c, cEnd, eLow, true) > 1) {
        same += cEnd - c;
        values.place(c, cEnd, eLow, eHigh);
        return;
      }
    }
    if (c == cEnd || e == eEnd) {
      part(c, cEnd, e, eEnd, left, right);
      return;
    }
    countCommon(c, cEnd, e, eEnd);
    int i = c;
    int j = e;
    int partC = c;
    int partE = e;
    boolean bound = left;
    while (i < cEnd && j < eEnd) {
      if (equal(i, j) && common[i - c][j - e] == common[i - c + 1][j - e + 1] + 1) {
        part(partC, i, partE, j, bound, true);
        same++;
        equal[i - pieceFrom] = true;
        grafts.place(i, j, 1);
        values.place(i, j, 1);
        partC = ++i;
        partE = ++j;
        bound = true;
      } else if (common[i - c + 1][j - e] >= common[i - c][j - e + 1]) {
        i++;
      } else {
        j++;
      }
    }
    part(partC, cEnd, partE, eEnd, bound, right);
  }

  /** How many words are common, in their order, from each place of a gap on. */
  private void countCommon(int c, int cEnd, int e, int eEnd) {
    gaps.open(c, cEnd, e, eEnd);
    Arrays.fill(common[cEnd - c], 0, eEnd - e + 1, (byte) 0);
    for (int i = cEnd - 1; i >= c; i--) {
      byte[] row = common[i - c];
      byte[] next = common[i - c + 1];
      row[eEnd - e] = 0;
      for (int j = eEnd - 1; j >= e; j--) {
        int best = Math.max(next[j - e], row[j - e + 1]);
        row[j - e] = (byte) (equal(i, j) ? Math.max(best, next[j - e + 1] + 1) : best);
      }
    }
  }

  private boolean equal(int i, int j) {
    return !moved[i - pieceFrom] && gaps.matches(i, j);
  }

  /**
   * Compares what is left of a gap; one without a common word beside it says little of omissions.
   */
  private void part(int c, int cEnd, int e, int eEnd, boolean left, boolean right) {
    if (c == cEnd && (e == eEnd || !left || !right)) {
      return;
    }
    if (cEnd - c == 1 && eEnd - e == 1) {
      roles.replaced(c, e);
    }
    if (left && right && cEnd - c + eEnd - e == 1) {
      roles.inserted(c, cEnd, e, gaps);
    }
    if (c < cEnd && e < eEnd && cEnd - c <= MAX_PART && eEnd - e <= MAX_PART) {
      values.place(c, cEnd, e, eEnd);
    }
    ChangeKind kind = gaps.compare(c, cEnd, e, eEnd);
    if (kind == ChangeKind.NEGATION && saysNoOther(c, cEnd, e, eEnd)) {
      return;
    }
    if (kind == null && right && edges.generalises(c, cEnd, e, eEnd, left)) {
      kind = ChangeKind.QUANTIFIER;
    }
    boolean inner = left && right && e < eEnd;
    if (kind == null
        && inner
        && edges.denies(e, eEnd)
        && edges.isDeniedNear(eEnd)
        && edges.isLittle(c, cEnd)) {
      int last = changes.count() - 1;
      if (last >= 0
          && changes.kind(last) == ChangeKind.ANTONYM
          && c - changes.claimTo(last) <= NEARBY) {
        changes.cutTo(last);
        return;
      }
      kind = ChangeKind.NEGATION;
    }
    if ((kind == ChangeKind.UNIT || kind == ChangeKind.NAME)
        && values.isCarried(c, cEnd, e, eEnd)) {
      return;
    }
    if (kind == ChangeKind.NEGATION && isUndone(c, cEnd, e)) {
      changes.cutTo(changes.count() - 1);
    } else if (kind != null) {
      changes.add(kind, c, cEnd, e, eEnd);
    }
  }

  /** True of a negation in an aside that is left out, and of one in words that moved behind. */
  private boolean saysNoOther(int c, int cEnd, int e, int eEnd) {
    if (c == cEnd) {
      return edges.isAside(e, eEnd) || negations.isSaidOf(pieceFrom, pieceAfter, e, eEnd);
    }
    for (int unit = c; unit < cEnd; unit++) {
      if (!moved[unit - pieceFrom]) {
        return false;
      }
    }
    return e == eEnd;
  }

  /** True if the last change is a negation of the other side close by: "not any", "no". */
  private boolean isUndone(int c, int cEnd, int e) {
    int last = changes.count() - 1;
    return last >= 0
        && changes.kind(last) == ChangeKind.NEGATION
        && c - changes.claimTo(last) <= NEARBY
        && e - changes.evidenceTo(last) <= NEARBY
        && negations.said(changes.claimFrom(last), changes.claimTo(last))
            != negations.said(c, cEnd);
  }
}
