package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import java.util.function.IntPredicate;

/**
 * Lays a claim beside the stretch of evidence that it follows: runs of two and more equal units, of
 * which those that keep their order are the chain and the others were moved.
 *
 * <p>The stretch is found by votes of the claim's pairs for the distance between claim and
 * evidence. All work is bounded by a constant for each unit of the claim, whatever evidence
 * repeats: a pair is looked for at {@link #CANDIDATES} places, a stretch is a few times as long as
 * the claim.
 */
final class Alignment {
  /** The most units of a claim that are laid beside evidence at once. */
  static final int MAX_UNITS = 256;

  private static final int CANDIDATES = 12;

  /** Of so many units one begins a pair that evidence has, or the claim follows nothing. */
  private static final int LEAST_PAIRS = 6;

  /** A stretch with less than this part of the votes of the one before is none. */
  private static final int LEAST_SHARE = 3;

  private static final int BUCKET_BITS = 4;
  private static final int VOTES = 1 << 13;
  private static final int LOCAL = 1 << 11;

  private final PairIndex evidence;

  // Votes: an open hash table of distances, emptied by its stamp.
  private final int[] buckets = new int[VOTES];
  private final int[] votes = new int[VOTES];
  private final int[] places = new int[VOTES];
  private final int[] lastVoters = new int[VOTES];
  private final int[] voteStamps = new int[VOTES];
  private final int[] used = new int[VOTES];
  private int usedCount;
  private int stamp;

  // Pairs of the stretch: heads of lists, emptied by the stamp.
  private final int[] heads = new int[LOCAL];
  private final int[] headStamps = new int[LOCAL];
  private int[] nexts = new int[4 * MAX_UNITS];

  // Runs in the order of the claim.
  private int runs;
  private final int[] claimAt = new int[MAX_UNITS];
  private final int[] evidenceAt = new int[MAX_UNITS];
  private final int[] lengths = new int[MAX_UNITS];
  private final boolean[] inChain = new boolean[MAX_UNITS];
  private final int[] weights = new int[MAX_UNITS];
  private final int[] links = new int[MAX_UNITS];

  private IntPredicate chunks = chunk -> true;
  private int from;
  private int to;

  Alignment(PairIndex evidence) {
    this.evidence = evidence;
  }

  /** Number of runs. */
  int runs() {
    return runs;
  }

  /** The first unit of a run. */
  int claimAt(int run) {
    return claimAt[run];
  }

  /** Its first position. */
  int evidenceAt(int run) {
    return evidenceAt[run];
  }

  /** Number of units of a run. */
  int length(int run) {
    return lengths[run];
  }

  /** True if a run keeps its order with all others of the chain. */
  boolean isInChain(int run) {
    return inChain[run];
  }

  /** The first and the position after the last of the stretch. */
  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /**
   * The position of a stretch that is the claim unit for unit, or -1.
   *
   * @param isWanted whether one that begins at a position is
   */
  int quoted(Units claim, int first, int after, IntPredicate within, IntPredicate isWanted) {
    if (after - first < 2) {
      return -1;
    }
    int at = evidence.last(claim.key(first), claim.key(first + 1));
    for (int n = 0; at >= 0 && n < CANDIDATES; n++, at = evidence.before(at)) {
      int chunk = evidence.chunk(at);
      to = evidence.end(chunk);
      if (same(claim, first, after, at) == after - first
          && within.test(chunk)
          && isWanted.test(at)) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Collects the stretches that a claim may follow.
   *
   * @param within the chunks that they may be in
   * @return how many, the best first in {@code into} as one of their positions
   */
  int stretches(Units claim, int first, int after, IntPredicate within, int[] into) {
    chunks = within;
    stamp++;
    usedCount = 0;
    int pairs = voteAll(claim, first, after, CANDIDATES - 1);
    if (pairs * LEAST_PAIRS < after - first) {
      return 0;
    }
    if (usedCount == 0) {
      voteAll(claim, first, after, CANDIDATES);
    }
    int found = 0;
    int least = 1;
    for (int best = best(); best >= 0 && found < into.length; best = best()) {
      if (score(best) < least) {
        break;
      }
      least = score(best) / LEAST_SHARE;
      into[found++] = places[best];
      for (int near = buckets[best] - 1, last = near + 2; near <= last; near++) {
        int slot = slotOf(near);
        if (voteStamps[slot] == stamp) {
          votes[slot] = 0;
        }
      }
    }
    return found;
  }

  /** The slot of the bucket with the most votes, or -1. */
  private int best() {
    int best = -1;
    int bestScore = 0;
    for (int u = 0; u < usedCount; u++) {
      int slot = used[u];
      if (votes[slot] > 0 && score(slot) > bestScore) {
        best = slot;
        bestScore = score(slot);
      }
    }
    return best;
  }

  private int score(int slot) {
    return 2 * votes[slot] + votesOf(buckets[slot] + 1) + votesOf(buckets[slot] - 1);
  }

  /**
   * Has the pairs vote that evidence has no more often than {@code most} times.
   *
   * @return how many pairs evidence has, however often
   */
  private int voteAll(Units claim, int first, int after, int most) {
    int pairs = 0;
    for (int i = 0; first + i + 1 < after; i++) {
      int last = evidence.last(claim.key(first + i), claim.key(first + i + 1));
      int often = 0;
      for (int at = last; at >= 0 && often < CANDIDATES; at = evidence.before(at)) {
        often++;
      }
      pairs += often > 0 ? 1 : 0;
      for (int at = last, n = 0; n < often && often <= most; n++, at = evidence.before(at)) {
        if (chunks.test(evidence.chunk(at))) {
          vote((at - i + MAX_UNITS) >> BUCKET_BITS, i, at, CANDIDATES / often);
        }
      }
    }
    return pairs;
  }

  private void vote(int bucket, int voter, int at, int weight) {
    int slot = slotOf(bucket);
    if (voteStamps[slot] != stamp) {
      voteStamps[slot] = stamp;
      buckets[slot] = bucket;
      votes[slot] = 0;
      places[slot] = at - voter;
      lastVoters[slot] = -1;
      used[usedCount++] = slot;
    }
    if (lastVoters[slot] != voter) {
      lastVoters[slot] = voter;
      votes[slot] += weight;
    }
  }

  private int votesOf(int bucket) {
    int slot = slotOf(bucket);
    return voteStamps[slot] == stamp ? votes[slot] : 0;
  }

  private int slotOf(int bucket) {
    int slot = (bucket * 0x9e3779b1) >>> (Integer.SIZE - 13);
    while (voteStamps[slot] == stamp && buckets[slot] != bucket) {
      slot = slot + 1 & VOTES - 1;
    }
    return slot;
  }

  /** Lays the claim beside the stretch at a place; the chain has the runs that keep their order. */
  void align(Units claim, int first, int after, int place) {
    int length = after - first;
    int chunk = evidence.chunk(Math.min(Math.max(place, 0), evidence.count() - 1));
    int slack = length / 2 + 12;
    from = Math.max(evidence.start(chunk), place - slack);
    to = Math.min(evidence.end(chunk), place + length + slack + (1 << BUCKET_BITS));
    listPairs();
    runs = 0;
    int expected = from;
    for (int i = 0; i < length; ) {
      int best = 0;
      int bestAt = -1;
      if (i + 1 < length) {
        long left = claim.key(first + i);
        long right = claim.key(first + i + 1);
        int slot = localSlot(left, right);
        int at = headStamps[slot] == stamp ? heads[slot] : -1;
        for (int n = 0; at >= 0 && n < CANDIDATES; n++, at = nexts[at - from]) {
          int same = same(claim, first + i, after, at);
          if (same > best || (same == best && same > 0 && nearer(at, bestAt, expected))) {
            best = same;
            bestAt = at;
          }
        }
      }
      if (best < 2) {
        i++;
        expected++;
        continue;
      }
      claimAt[runs] = first + i;
      evidenceAt[runs] = bestAt;
      lengths[runs++] = best;
      i += best;
      expected = bestAt + best;
    }
    chain();
  }

  private static boolean nearer(int at, int other, int expected) {
    return Math.abs(at - expected) < Math.abs(other - expected);
  }

  private int same(Units claim, int unit, int after, int at) {
    int same = 0;
    while (unit + same < after
        && at + same < to
        && claim.key(unit + same) == evidence.key(at + same)) {
      same++;
    }
    return same;
  }

  private void listPairs() {
    stamp++;
    if (nexts.length < to - from) {
      nexts = new int[to - from];
    }
    // from the end, so that each list goes from the first to the last
    for (int i = to - 2; i >= from; i--) {
      int slot = localSlot(evidence.key(i), evidence.key(i + 1));
      nexts[i - from] = headStamps[slot] == stamp ? heads[slot] : -1;
      headStamps[slot] = stamp;
      heads[slot] = i;
    }
  }

  private int localSlot(long left, long right) {
    long hash = (left + Long.rotateLeft(right, 29)) * 0x9e3779b97f4a7c15L;
    int slot = (int) (hash >>> 40) & LOCAL - 1;
    while (headStamps[slot] == stamp
        && (evidence.key(heads[slot]) != left || evidence.key(heads[slot] + 1) != right)) {
      slot = slot + 1 & LOCAL - 1;
    }
    return slot;
  }

  /** The heaviest runs that stand in the same order in both. */
  private void chain() {
    int best = -1;
    for (int i = 0; i < runs; i++) {
      weights[i] = lengths[i] * lengths[i];
      links[i] = -1;
      inChain[i] = false;
      for (int j = 0; j < i; j++) {
        int jump = evidenceAt[i] - evidenceAt[j] - lengths[j];
        int gap = claimAt[i] - claimAt[j] - lengths[j];
        if (jump < 0) {
          continue;
        }
        int weight = weights[j] + lengths[i] * lengths[i] - Math.min(12, Math.abs(jump - gap) / 2);
        if (weight > weights[i]) {
          weights[i] = weight;
          links[i] = j;
        }
      }
      if (best < 0 || weights[i] > weights[best]) {
        best = i;
      }
    }
    for (int i = best; i >= 0; i = links[i]) {
      inChain[i] = true;
    }
  }
}
