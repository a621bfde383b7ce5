package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import java.util.Arrays;

/**
 * Compares a short claim with a sentence of the evidence as a whole, whatever the order of their
 * words: whether one denies what the other says, or both deny it.
 *
 * <p>For one thread; nothing is allocated for a claim.
 */
final class DenialCheck {
  private static final int MAX_UNITS = 16;
  private static final int MAX_AFFIRMING = 32;
  private static final int LEAST_WORDS = 2;

  /** A longer sentence is not taken apart. */
  private static final int MAX_SENTENCE = 128;

  /** A sentence that says the same in other words is longer or shorter by so many units. */
  private static final int OTHER_WORDS = 3;

  private final Units claim;
  private final PairIndex evidence;
  private final GapCheck gaps;
  private final Negations negations;
  private final EdgeCheck edges;
  private final FrameWords frames;
  private final long any;
  private final long as;
  private final long well;
  private final boolean[] found = new boolean[MAX_AFFIRMING];

  DenialCheck(
      Units claim,
      PairIndex evidence,
      FrameWords frames,
      GapCheck gaps,
      Negations negations,
      EdgeCheck edges) {
    this.frames = frames;
    this.claim = claim;
    this.evidence = evidence;
    this.gaps = gaps;
    this.negations = negations;
    this.edges = edges;
    any = claim.keyOf("any");
    as = claim.keyOf("as");
    well = claim.keyOf("well");
  }

  /**
   * True if a claim and a sentence have the same words but for a negation that one of them has.
   *
   * @param from the first position of the sentence
   * @param to the one after its last
   */
  boolean isDenied(int first, int after, int from, int to) {
    if (after - first > MAX_UNITS || to - from > MAX_UNITS || to == from) {
      return false;
    }
    int said = negationsSaid(first, after);
    int there = negationsThere(from, to);
    return said + there > 0 && (said == 0) != (there == 0) && haveSameWords(first, after, from, to);
  }

  /**
   * The same of a claim and a part of a sentence between commas, or -1: "breakfast is not included"
   * of "120 euros a night, breakfast included".
   *
   * @return where the part begins
   */
  int deniedClause(int first, int after, int from, int to) {
    if (after - first > MAX_UNITS || to - from > MAX_SENTENCE || to == from) {
      return -1;
    }
    boolean denies = negationsSaid(first, after) > 0;
    if (denies && negationsThere(from, to) > 0) {
      return -1;
    }
    int clause = from;
    for (int position = from + 1; position <= to; position++) {
      if (position == to || evidence.isParted(position)) {
        if (position - clause < to - from && isDenied(first, after, clause, position)) {
          return clause;
        }
        clause = position;
      }
    }
    return -1;
  }

  /**
   * True if a claim denies what a clause of a sentence affirms: it has one negation and no word
   * that the clause has not, though that may say more.
   *
   * @param from the first position of the sentence
   * @param to the one after its last
   */
  boolean deniesPart(int first, int after, int from, int to) {
    if (after - first > MAX_UNITS || to - from > MAX_AFFIRMING || to == from) {
      return false;
    }
    if (negationsSaid(first, after) != 1 || !areWordsOf(first, after, from, to)) {
      return false;
    }
    boolean times = saysWhen(first, after);
    int low = from;
    while (!found[low - from]) {
      low++;
    }
    int high = to - 1;
    while (!found[high - from]) {
      high--;
    }
    for (int position = from; position < to; position++) {
      boolean inside = position > low && position <= high;
      boolean parted =
          inside && (!edges.isJoined(position) || (times && gaps.isAnd(evidence.key(position))));
      if (parted
          || negations.isThere(position)
          || frames.is(evidence.key(position), FrameWords.Role.WITHHOLDS)
          || frames.is(evidence.key(position), FrameWords.Role.DISOWNS)) {
        return false;
      }
    }
    return true;
  }

  /** True of a claim with a number or a day: of "at 9 on weekdays and 10 on Sundays" it has two. */
  private boolean saysWhen(int first, int after) {
    boolean says = false;
    for (int unit = first; unit < after; unit++) {
      says |= (claim.flags(unit) & Units.DIGITS) != 0 || gaps.isTime(claim.key(unit));
    }
    return says;
  }

  /** Marks where the words of a claim stand in a sentence; true if it has them all, and two. */
  private boolean areWordsOf(int first, int after, int from, int to) {
    Arrays.fill(found, 0, to - from, false);
    int words = 0;
    for (int unit = first; unit < after; unit++) {
      if (saysLittle(claim.key(unit)) || negations.isSaid(unit)) {
        continue;
      }
      words++;
      int at = from;
      while (at < to && (found[at - from] || !gaps.isSame(claim.key(unit), evidence.key(at)))) {
        at++;
      }
      if (at == to) {
        return false;
      }
      found[at - from] = true;
    }
    return words >= LEAST_WORDS;
  }

  /** True if a claim and the sentence around a position have one negation each. */
  boolean denyBoth(int first, int after, int position) {
    int from = position;
    int chunk = evidence.chunk(position);
    while (from > evidence.start(chunk) && !evidence.begins(from) && position - from < MAX_UNITS) {
      from--;
    }
    int to = position + 1;
    while (to < evidence.end(chunk) && !evidence.begins(to) && to - from <= MAX_UNITS) {
      to++;
    }
    int others = Math.abs(to - from - (after - first));
    return after - first <= MAX_UNITS
        && others <= OTHER_WORDS
        && negationsSaid(first, after) == 1
        && negationsThere(from, to) == 1;
  }

  private int negationsSaid(int first, int after) {
    int count = 0;
    for (int unit = first; unit < after; unit++) {
      count += negations.isSaid(unit) ? 1 : 0;
    }
    return count;
  }

  private int negationsThere(int from, int to) {
    int count = 0;
    for (int position = from; position < to; position++) {
      // "No, it is open" denies nothing
      boolean answers = position == from && position + 1 < to && !edges.isJoined(position + 1);
      count += negations.isThere(position) && !answers ? 1 : 0;
    }
    return count;
  }

  /** True of words that say little, and of "any": hardly any guest. */
  private boolean saysLittle(long key) {
    return key == any || gaps.isLight(key);
  }

  /** True of the second word of "as well". */
  private boolean isAsWell(int unit, int first) {
    return unit > first && claim.key(unit) == well && claim.key(unit - 1) == as;
  }

  private boolean haveSameWords(int first, int after, int from, int to) {
    int left = 0;
    for (int position = from; position < to; position++) {
      found[position - from] = saysLittle(evidence.key(position)) || negations.isThere(position);
      left += found[position - from] ? 0 : 1;
    }
    int words = 0;
    for (int unit = first; unit < after; unit++) {
      if (saysLittle(claim.key(unit)) || negations.isSaid(unit) || isAsWell(unit, first)) {
        continue;
      }
      words++;
      int at = from;
      while (at < to && (found[at - from] || !gaps.isSame(claim.key(unit), evidence.key(at)))) {
        at++;
      }
      if (at == to) {
        return false;
      }
      found[at - from] = true;
      left--;
    }
    return left == 0 && words >= LEAST_WORDS;
  }
}
