package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.function.IntPredicate;

/**
 * Finds a day of the week that the evidence has nowhere, in a claim whose sentence has one other
 * day: "we need it by Monday" of "we need the export by Friday". For one thread; nothing is
 * allocated for a claim.
 */
final class DayCheck {
  private static final int MAX_CLAIM = 48;
  private static final int MAX_SENTENCE = 128;

  /** A shorter name of a day is another word as well, unless it has a capital: sun, wed. */
  private static final int SHORT = 3;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;

  DayCheck(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
  }

  /**
   * Looks for such a day.
   *
   * @param from the first position, of all those of the evidence, of the sentence that carries the
   *     claim best
   * @param to the one after its last
   * @param isThere true of units of the claim that the evidence has in some form
   */
  void find(int first, int after, int from, int to, IntPredicate isThere, FoundChanges changes) {
    if (after - first > MAX_CLAIM || to - from > MAX_SENTENCE) {
      return;
    }
    int day = -1;
    for (int unit = first; unit < after; unit++) {
      if (isDay(claim.key(unit), claim.flags(unit), claim.end(unit) - claim.start(unit))) {
        if (day >= 0 || isThere.test(unit)) {
          return;
        }
        day = unit;
      }
    }
    if (day < 0) {
      return;
    }
    int group = words.group(claim.key(day), WordClass.WEEKDAY);
    int other = -1;
    for (int p = from; p < to; p++) {
      if (isDay(evidence.key(p), evidence.flags(p), evidence.endByte(p) - evidence.startByte(p))) {
        if (other >= 0 || words.group(evidence.key(p), WordClass.WEEKDAY) == group) {
          return;
        }
        other = p;
      }
    }
    if (other >= 0) {
      changes.add(ChangeKind.DATE, day, day + 1, other, other + 1);
    }
  }

  private boolean isDay(long key, int flags, int length) {
    return words.is(key, WordClass.WEEKDAY) && (length > SHORT || (flags & Units.UPPER) != 0);
  }
}
