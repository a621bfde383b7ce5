package dev.parlance.policy.text;

import java.util.Arrays;
import java.util.Optional;

/**
 * A perfect hash: gives each of a fixed set of numbers a place of its own, so that looking for one
 * is a single comparison, whatever is looked for. Immutable.
 *
 * <p>The numbers are hashes. Their highest bits name a bucket of some four of them, and each bucket
 * has a multiplier that spreads what it holds over places that nobody else has ("hash and
 * displace": R. Pagh, "Hash and displace", 1999). Costs two bytes at most for each number, and
 * finding the multipliers takes expected linear time.
 */
public final class Places {
  private static final int FEWEST_PLACES = 4;
  private static final int FEWEST_BUCKETS = 2;
  private static final int IN_A_BUCKET = 4;

  /** Multipliers that are tried for a bucket; more than the fullest table ever needs. */
  private static final int TRIALS = 1 << 14;

  final int[] multipliers;
  final int bucketShift;
  final int placeShift;

  private Places(int[] multipliers, int places) {
    this.multipliers = multipliers;
    bucketShift = Long.SIZE - Integer.numberOfTrailingZeros(multipliers.length);
    placeShift = Integer.SIZE - Integer.numberOfTrailingZeros(places);
  }

  /**
   * Places for these numbers.
   *
   * @param hashes different ones, well mixed in all 64 bits
   * @return empty if they are so much alike that no places were found; other hashes will do
   */
  public static Optional<Places> of(long[] hashes) {
    int places = FEWEST_PLACES;
    while (places < hashes.length + hashes.length / 5) {
      places *= 2;
    }
    Places made =
        new Places(
            new int
                [Math.max(
                    FEWEST_BUCKETS,
                    Integer.highestOneBit(Math.max(1, 2 * hashes.length / IN_A_BUCKET)))],
            places);
    return made.fill(hashes) ? Optional.of(made) : Optional.empty();
  }

  /** How many places there are; all are below this. */
  public int count() {
    return 1 << (Integer.SIZE - placeShift);
  }

  /** The only place where this hash can be. */
  public int of(long hash) {
    return ((int) hash * multipliers[bucket(hash)]) >>> placeShift;
  }

  /** Memory of the array. */
  public long memoryBytes() {
    return (long) multipliers.length * Integer.BYTES;
  }

  private int bucket(long hash) {
    return (int) (hash >>> bucketShift);
  }

  /** Finds the multipliers, those of the fullest buckets first, while there is most room. */
  private boolean fill(long[] hashes) {
    int[] ends = new int[multipliers.length + 1];
    for (long hash : hashes) {
      ends[bucket(hash) + 1]++;
    }
    int fullest = 0;
    for (int bucket = 0; bucket < multipliers.length; bucket++) {
      fullest = Math.max(fullest, ends[bucket + 1]);
      ends[bucket + 1] += ends[bucket];
    }
    int[] next = Arrays.copyOf(ends, multipliers.length);
    int[] members = new int[hashes.length];
    for (long hash : hashes) {
      members[next[bucket(hash)]++] = (int) hash;
    }
    boolean[] taken = new boolean[count()];
    int[] tried = new int[fullest];
    for (int size = fullest; size > 0; size--) {
      for (int bucket = 0; bucket < multipliers.length; bucket++) {
        if (ends[bucket + 1] - ends[bucket] == size
            && !spread(bucket, members, ends[bucket], size, taken, tried)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean spread(
      int bucket, int[] members, int from, int size, boolean[] taken, int[] tried) {
    for (int trial = 0; trial < TRIALS; trial++) {
      int multiplier = (int) TokenMix.key(bucket, trial) | 1;
      int placed = 0;
      for (; placed < size; placed++) {
        int place = (members[from + placed] * multiplier) >>> placeShift;
        if (taken[place]) {
          break;
        }
        taken[place] = true;
        tried[placed] = place;
      }
      if (placed == size) {
        multipliers[bucket] = multiplier;
        return true;
      }
      for (int i = 0; i < placed; i++) {
        taken[tried[i]] = false;
      }
    }
    return false;
  }
}
