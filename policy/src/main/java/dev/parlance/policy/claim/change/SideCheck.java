package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import java.util.Arrays;

/**
 * Finds claims that exchange two fields which are each other's other side: "from ZRH to LHR" where
 * the evidence has {@code from: LHR, to: ZRH}.
 *
 * <p>A record that has it as the claim does acquits. For one thread; nothing is allocated for a
 * claim.
 */
final class SideCheck {
  /** So many fields are looked through. */
  private static final int MAX_LABELS = 256;

  /** So many of them say from where or to where. */
  private static final int MAX_SIDES = 32;

  private static final int MAX_CLAIM = 64;
  private static final int MAX_VALUE = 4;

  /** A value stands so many units behind "to" or "is" at most. */
  private static final int MAX_BETWEEN = 2;

  /** The side of those who got a copy: it went to them, too. */
  private static final int COPIED = 2;

  private static final String[][] PREPOSITIONS = {{"from", "von", "aus"}, {"to", "nach", "into"}};

  private static final String[][] NAMES = {
    {"from", "origin", "source", "sender", "departure", "von"},
    {"to", "destination", "target", "recipient", "receiver", "arrival", "nach"},
    {"cc", "bcc", "kopie"},
  };

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final long[][] prepositions;
  private final long[][] names;

  /** A bit for each name, several of which share one. */
  private final long filter;

  /** The fields of the two sides: which label, and which side. */
  private final int[] labels = new int[MAX_SIDES];

  private final int[] sides = new int[MAX_SIDES];
  private int count;

  SideCheck(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    prepositions = keys(PREPOSITIONS);
    names = keys(NAMES);
    filter =
        Arrays.stream(names)
            .flatMapToLong(Arrays::stream)
            .reduce(0L, (bits, key) -> bits | 1L << key);
  }

  private long[][] keys(String[][] sides) {
    return Arrays.stream(sides)
        .map(side -> Arrays.stream(side).mapToLong(claim::keyOf).toArray())
        .toArray(long[][]::new);
  }

  /** Looks for a word of a claim that it puts on the other side. */
  void find(int first, int after, FoundChanges changes) {
    if (evidence.labels() == 0 || after - first > MAX_CLAIM) {
      return;
    }
    boolean read = false;
    for (int unit = first + 1; unit < after; unit++) {
      int side = sideOf(unit, first);
      if (side < 0) {
        continue;
      }
      if (!read) {
        readLabels();
        read = true;
      }
      int other = placeOnOtherSide(unit, side);
      if (other >= 0) {
        changes.add(ChangeKind.ROLES, unit, unit + 1, other, other + 1);
        return;
      }
    }
  }

  /** On which side a claim puts a word: behind "from" or "to", or "the destination is"; or -1. */
  private int sideOf(int unit, int first) {
    if (words.is(claim.key(unit), WordClass.FUNCTION)) {
      return -1;
    }
    for (int at = unit - 1; at >= Math.max(first, unit - MAX_BETWEEN); at--) {
      long key = claim.key(at);
      int side = sideOf(prepositions, key);
      if (side >= 0) {
        return side;
      }
      if (words.is(key, WordClass.COPULA)) {
        int named = -1;
        for (int name = at - 1; name >= first && named < 0; name--) {
          named = sideOf(names, claim.key(name));
        }
        return named;
      }
    }
    return -1;
  }

  private static int sideOf(long[][] sides, long key) {
    for (int side = 0; side < sides.length; side++) {
      for (long word : sides[side]) {
        if (word == key) {
          return side;
        }
      }
    }
    return -1;
  }

  private void readLabels() {
    count = 0;
    int to = Math.min(evidence.labels(), MAX_LABELS);
    for (int label = 0; label < to && count < MAX_SIDES; label++) {
      long name = evidence.key(evidence.label(label));
      int side = (filter >>> name & 1) == 0 ? -1 : sideOf(names, name);
      if (side >= 0) {
        labels[count] = label;
        sides[count++] = side;
      }
    }
  }

  /** Where a word stands on the other side, if it does on that one only; or -1. */
  private int placeOnOtherSide(int unit, int side) {
    int found = -1;
    boolean any = false;
    for (int i = 0; i < count; i++) {
      any |= sides[i] == side;
      int at = placeIn(labels[i], claim.key(unit));
      if (at >= 0 && (sides[i] == side || sides[i] + side == COPIED + 1)) {
        return -1;
      }
      found = at >= 0 ? at : found;
    }
    return any ? found : -1;
  }

  private int placeIn(int label, long key) {
    int from = evidence.label(label) + 1;
    int next = label + 1 < evidence.labels() ? evidence.label(label + 1) : evidence.count();
    for (int at = from; at < Math.min(next, from + MAX_VALUE); at++) {
      if (evidence.key(at) == key) {
        return at;
      }
      if (at + 1 < evidence.count() && evidence.begins(at + 1)) {
        return -1;
      }
    }
    return -1;
  }
}
