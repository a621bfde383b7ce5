package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;

/**
 * Finds a short claim that has the words of a sentence, whatever their order, but for one whose
 * opposite stands there: "parking is charged on Sundays" where the evidence has "on Sundays parking
 * is free".
 *
 * <p>Both deny as much as the other. For one thread; nothing is allocated for a claim.
 */
final class SwapCheck {
  private static final int MAX_UNITS = 16;
  private static final int LEAST_WORDS = 2;

  private final Units claim;
  private final PairIndex evidence;
  private final GapCheck gaps;
  private final Negations negations;
  private final boolean[] found = new boolean[MAX_UNITS];

  SwapCheck(Units claim, PairIndex evidence, GapCheck gaps, Negations negations) {
    this.claim = claim;
    this.evidence = evidence;
    this.gaps = gaps;
    this.negations = negations;
  }

  /**
   * Looks for the word.
   *
   * @param from the first position of the sentence
   * @param to the one after its last
   */
  void find(int first, int after, int from, int to, FoundChanges changes) {
    if (after - first > MAX_UNITS
        || to - from > MAX_UNITS
        || to == from
        || negations.said(first, after) != negations.there(from, to)) {
      return;
    }
    int left = 0;
    for (int position = from; position < to; position++) {
      found[position - from] = gaps.isLight(evidence.key(position));
      left += found[position - from] ? 0 : 1;
    }
    int other = -1;
    int words = 0;
    for (int unit = first; unit < after; unit++) {
      if (gaps.isLight(claim.key(unit))) {
        continue;
      }
      int at = from;
      while (at < to && (found[at - from] || !gaps.isSame(claim.key(unit), evidence.key(at)))) {
        at++;
      }
      if (at < to) {
        found[at - from] = true;
        words++;
        left--;
      } else if (other >= 0) {
        return;
      } else {
        other = unit;
      }
    }
    // "The pump is on" of "The pump is off"
    int least = after - first == 2 && to - from == 2 ? 1 : LEAST_WORDS;
    if (other < 0 || left != 1 || words < least) {
      return;
    }
    int at = from;
    while (found[at - from]) {
      at++;
    }
    gaps.open(other, other + 1, at, at + 1);
    if (gaps.compare(other, other + 1, at, at + 1) == ChangeKind.ANTONYM) {
      changes.add(ChangeKind.ANTONYM, other, other + 1, at, at + 1);
    }
  }
}
