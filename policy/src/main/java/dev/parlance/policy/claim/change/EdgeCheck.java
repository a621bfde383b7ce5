package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.text.Utf8Span;

/**
 * Finds the negation that a claim has cut off: "covers water damage" where the evidence has "does
 * not cover water damage" with the negation directly before the words of the claim, "we deliver on
 * Sundays" where it ends in "nicht" directly behind them.
 *
 * <p>A mark between the two ends what is denied: "No, the hall is open" does not deny the hall. For
 * one thread; nothing is allocated.
 */
final class EdgeCheck {
  /** Behind a negation so many bytes are looked through for the end of its clause. */
  private static final int MAX_BLANKS = 3;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final GapCheck gaps;

  EdgeCheck(Units claim, PairIndex evidence, CriticalWords words, GapCheck gaps) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.gaps = gaps;
  }

  /** True if a negation stands directly before a position, with nothing between but blanks. */
  boolean isDeniedFrom(int position) {
    int chunk = evidence.chunk(position);
    return position > evidence.start(chunk)
        && !evidence.begins(position)
        && gaps.isNegatedEvidence(position - 1, position)
        && isJoined(chunk, position);
  }

  /** True if a negation that ends a clause stands directly before which a position begins. */
  boolean isDeniedTo(int position) {
    if (position >= evidence.count() || evidence.begins(position)) {
      return false;
    }
    int chunk = evidence.chunk(position - 1);
    return position < evidence.end(chunk)
        && (evidence.flags(position) & Units.GRAM) == 0
        && gaps.isNegatedEvidence(position, position + 1)
        && isJoined(chunk, position)
        && endsClause(chunk, position);
  }

  /** True if only blanks stand between a position and the one before. */
  private boolean isJoined(int chunk, int position) {
    Utf8Span text = evidence.text(chunk);
    int from = evidence.endByte(position - 1);
    int to = evidence.startByte(position);
    if (to - from > MAX_BLANKS) {
      return false;
    }
    for (int at = from; at < to; at++) {
      if (text.byteAt(at) != ' ') {
        return false;
      }
    }
    return true;
  }

  private boolean endsClause(int chunk, int position) {
    int next = position + 1;
    return next == evidence.end(chunk) || evidence.begins(next) || !isJoined(chunk, next);
  }

  /**
   * True if all that a claim says beside what it has from the evidence is that it is so, or may be.
   *
   * @param isEqual true of units, counted from the first, that the evidence has there
   */
  boolean affirms(int first, int after, boolean[] isEqual) {
    for (int unit = first; unit < after; unit++) {
      long key = claim.key(unit);
      boolean plain =
          isEqual[unit - first]
              || gaps.isLight(key)
              || words.is(key, WordClass.MODALITY)
              || (words.is(key, WordClass.PERMITTED) && !words.isOff(key));
      if (!plain) {
        return false;
      }
    }
    return !gaps.isNegated(first, after);
  }
}
