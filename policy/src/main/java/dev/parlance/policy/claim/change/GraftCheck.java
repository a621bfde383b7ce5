package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.Arrays;

/**
 * Finds what a claim says of one thing though the evidence says it of another: "the upper rack
 * holds plates" where the upper one holds glasses and the lower one plates.
 *
 * <p>The claim follows the evidence up to some words, and goes on as the evidence does behind the
 * same words elsewhere, where they are said of something else. For one thread; nothing is allocated
 * for a claim.
 */
final class GraftCheck {
  /** So often a claim that follows the evidence leaves it. */
  private static final int MAX_ENDS = 8;

  /** So many places are looked at where the evidence goes on as the claim does. */
  private static final int MAX_PLACES = 12;

  /** So many words before such a place are compared with those of the claim. */
  private static final int MAX_BEFORE = 12;

  /** A sentence that says so much of its subject says something of its own. */
  private static final int LEAST_SAID = 4;

  /** What is grafted begins with so many little words at most. */
  private static final int MAX_LITTLE = 3;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final GapCheck gaps;

  /** Where each unit of the piece stands in the evidence that it follows, or -1. */
  private final int[] positions = new int[Alignment.MAX_UNITS];

  private int first;
  private int after;

  GraftCheck(Units claim, PairIndex evidence, CriticalWords words, GapCheck gaps) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.gaps = gaps;
  }

  /** Begins with a piece of a claim, none of whose units has a place. */
  void start(int from, int to) {
    first = from;
    after = to;
    Arrays.fill(positions, 0, to - from, -1);
  }

  /** Units of the claim are those at positions. */
  void place(int unit, int position, int length) {
    for (int i = 0; i < length; i++) {
      positions[unit - first + i] = position + i;
    }
  }

  /**
   * Looks for the first graft.
   *
   * @return how many units that have no place it explains
   */
  int find(FoundChanges changes) {
    int left = MAX_ENDS;
    for (int unit = first + 1; unit < after && left > 0; unit++) {
      int before = positions[unit - 1 - first];
      if (before < 0 || positions[unit - first] == before + 1 || !goesOn(before + 1)) {
        continue;
      }
      left--;
      int content = contentFrom(unit);
      if (content < 0 || (!isDenied(unit, content) && isSoonThere(before, content))) {
        continue;
      }
      int at = placeOfOther(unit, content, before);
      if (at >= 0) {
        int end = content + 1;
        while (end < after && isThere(at + end - unit, end)) {
          end++;
        }
        changes.add(ChangeKind.ROLES, unit, end, at, at + end - unit);
        int placeless = 0;
        for (int i = unit; i < end; i++) {
          placeless += positions[i - first] < 0 ? 1 : 0;
        }
        return placeless;
      }
    }
    return 0;
  }

  /**
   * Looks whether the claim says of one subject what the evidence says of another, and something
   * else of the first: "team customers can change their plan" where "business customers can change
   * their plan. Team customers cannot".
   */
  void findHead(FoundChanges changes) {
    int unit = contentFrom(first);
    int next = unit + 1;
    int placed = next;
    int end = Math.min(after, next + MAX_LITTLE);
    while (unit >= 0 && placed < end && positions[placed - first] < 0) {
      placed++;
    }
    if (unit < 0 || placed >= end || positions[unit - first] >= 0) {
      return;
    }
    int there = positions[placed - first] - (placed - unit);
    if (there < evidence.start(evidence.chunk(positions[placed - first]))
        || !isSame(next, placed, there + 1)
        || gaps.isLight(claim.key(next))
        || evidence.begins(there + 1)
        || (evidence.flags(there) & (Units.DIGITS | Units.SYMBOL)) != 0
        || !isHead(there)
        || !differ(unit, there)) {
      return;
    }
    int at = evidence.last(claim.key(unit), claim.key(next));
    for (int n = 0; at >= 0 && n < MAX_PLACES; n++, at = evidence.before(at)) {
      if (isHead(at) && saysMore(at + 2)) {
        changes.add(ChangeKind.ROLES, unit, unit + 1, there, there + 1);
        return;
      }
    }
  }

  private boolean isSame(int unit, int end, int position) {
    for (int i = unit; i < end || i == unit; i++) {
      if (claim.key(i) != evidence.key(position + i - unit)) {
        return false;
      }
    }
    return true;
  }

  /** True if a sentence begins at a position, or with a little word before it. */
  private boolean isHead(int position) {
    return evidence.begins(position)
        || (position > evidence.start(evidence.chunk(position))
            && evidence.begins(position - 1)
            && gaps.isLight(evidence.key(position - 1)));
  }

  /** True if a sentence says something from a position on, and not "may, too". */
  private boolean saysMore(int position) {
    int at = position;
    boolean denies = false;
    while (at - position < MAX_BEFORE && goesOn(at)) {
      denies |= words.is(evidence.key(at), WordClass.NEGATION);
      at++;
    }
    return denies || at - position >= LEAST_SAID;
  }

  /** True if the sentence of the evidence has more to say at a position. */
  private boolean goesOn(int position) {
    return position < evidence.count()
        && position < evidence.end(evidence.chunk(position - 1))
        && !evidence.begins(position);
  }

  /** True if the evidence comes to a word of the claim in the same clause after all. */
  private boolean isSoonThere(int before, int content) {
    long pivot = evidence.key(before);
    for (int at = before + 1; at <= before + MAX_BEFORE && goesOn(at); at++) {
      if (evidence.key(at) == pivot) {
        return false;
      }
      if (gaps.isSame(evidence.key(at), claim.key(content))) {
        return true;
      }
    }
    return false;
  }

  /** The first unit from one on that says something and is no number, or -1. */
  private int contentFrom(int unit) {
    int at = unit;
    while (at < after && at - unit < MAX_LITTLE && gaps.isLight(claim.key(at))) {
      at++;
    }
    boolean says =
        at < after
            && !gaps.isLight(claim.key(at))
            && (claim.flags(at) & (Units.DIGITS | Units.SYMBOL | Units.GRAM)) == 0;
    return says ? at : -1;
  }

  private boolean isDenied(int unit, int content) {
    boolean denied = false;
    for (int i = unit; i < content; i++) {
      denied |= words.is(claim.key(i), WordClass.NEGATION);
    }
    return denied;
  }

  /**
   * Where the evidence goes on as the claim does at a unit, if it does so of something else only;
   * or -1.
   */
  private int placeOfOther(int unit, int content, int before) {
    int found = -1;
    int at = evidence.last(claim.key(unit - 1), claim.key(unit));
    for (int n = 0; at >= 0; n++, at = evidence.before(at)) {
      if (n == MAX_PLACES) {
        return -1;
      }
      if (at == before || !follows(at + 1, unit, content)) {
        continue;
      }
      if (!isOfOther(unit - 1, at)) {
        return -1;
      }
      found = at + 1;
    }
    return found;
  }

  private boolean follows(int position, int unit, int content) {
    for (int i = unit; i <= content; i++) {
      if (!isThere(position + i - unit, i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isThere(int position, int unit) {
    return goesOn(position) && evidence.key(position) == claim.key(unit);
  }

  /** True if what stands before a unit and a position is the same up to what they are said of. */
  private boolean isOfOther(int unit, int position) {
    boolean joins = false;
    boolean verb = false;
    int chunk = evidence.chunk(position);
    for (int k = 0; k < MAX_BEFORE; k++) {
      int here = unit - k;
      int there = position - k;
      if (here < first || there < evidence.start(chunk) || (k > 0 && evidence.begins(there + 1))) {
        return false;
      }
      long key = claim.key(here);
      if (key == evidence.key(there)) {
        joins |= !gaps.isLight(key) && !isPreposition(key);
        verb |= words.is(key, WordClass.COPULA);
        continue;
      }
      return differ(here, there)
          && (joins || (verb && areNames(here, there)))
          && !wasThere(claim.key(here), there, evidence.key(position));
    }
    return false;
  }

  /** True if a unit and a position say different things, and more than little words do. */
  private boolean differ(int unit, int position) {
    long here = claim.key(unit);
    long there = evidence.key(position);
    return !gaps.isLight(here)
        && !gaps.isLight(there)
        && !gaps.isSame(here, there)
        && !gaps.isNear(here, there);
  }

  /** True if a word stands not far before a position in the same clause. */
  private boolean wasThere(long word, int position, long pivot) {
    int chunk = evidence.chunk(position);
    for (int at = position; at > position - MAX_BEFORE && at >= evidence.start(chunk); at--) {
      if (evidence.key(at) == pivot) {
        return false;
      }
      if (gaps.isSame(evidence.key(at), word)) {
        return true;
      }
      if (evidence.begins(at)) {
        return false;
      }
    }
    return false;
  }

  private boolean isPreposition(long key) {
    return words.is(key, WordClass.WITH)
        || words.is(key, WordClass.FOR)
        || words.is(key, WordClass.PLACE)
        || words.is(key, WordClass.ORDER)
        || words.is(key, WordClass.WAY);
  }

  private boolean areNames(int unit, int position) {
    return (claim.flags(unit) & evidence.flags(position) & Units.UPPER) != 0;
  }
}
