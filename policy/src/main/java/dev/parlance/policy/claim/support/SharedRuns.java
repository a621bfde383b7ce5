package dev.parlance.policy.claim.support;

import static dev.parlance.policy.claim.support.ClaimWords.MAX_UNITS;

import java.util.Arrays;

/**
 * The runs of words that a claim has in common with the evidence, and how near to one another its
 * words stand there. For one thread.
 */
final class SharedRuns {
  private static final int MAX_PLACES = 32;
  private static final int NEAR_UNITS = ClaimMeasure.NEAR_UNITS;

  /** Room for more than {@link #NEAR_UNITS} positions, a power of two. */
  private static final int RING = 64;

  /** What each word of a run of a length counts: 1-0.5^length, which is 1 for longer ones. */
  private static final double[] COUNTS = new double[64];

  static {
    Arrays.setAll(COUNTS, length -> 1 - Math.scalb(1.0, -length));
  }

  private final ClaimWords claim;
  private final EvidenceIndex evidence;
  private final int[] runs = new int[MAX_UNITS];

  /** The first position of each number of the claim in a sentence, and the next one of each. */
  private int[] firstsWithin = new int[2 * MAX_UNITS];

  private final int[] nextWithin = new int[MAX_UNITS];
  private int lengthWithin;

  private final Positions places = new Positions();
  private final int[] within = new int[MAX_UNITS + 1];
  private final int[] stretch = new int[RING];

  SharedRuns(ClaimWords claim, EvidenceIndex evidence) {
    this.claim = claim;
    this.evidence = evidence;
  }

  /** The length of the longest run that each unit of the claim was found in last. */
  int[] runs() {
    return runs;
  }

  /** Share of the claim in runs of a sentence. */
  double within(int sentence) {
    list(sentence);
    int from = lengthWithin == 0 ? 0 : evidence.begin(sentence);
    double sum = 0;
    for (int i = 0; i < claim.count; ) {
      int longest = 0;
      int left = MAX_PLACES;
      for (int p = firstsWithin[claim.numbers[i]]; p >= 0 && left-- > 0; p = nextWithin[p - from]) {
        longest = longer(i, p, from + lengthWithin, longest);
      }
      sum = count(i, longest, sum);
      i += Math.max(1, longest);
    }
    return claim.total == 0 ? 0 : sum / claim.total;
  }

  private void list(int sentence) {
    if (firstsWithin.length < claim.afterNumbers()) {
      firstsWithin = new int[2 * claim.afterNumbers()];
    }
    int[] firsts = firstsWithin;
    firsts[ClaimWords.ABSENT] = EvidenceIndex.NONE;
    for (int i = 0; i < claim.count; i++) {
      firsts[claim.numbers[i]] = EvidenceIndex.NONE;
    }
    if (sentence == EvidenceIndex.NONE) {
      lengthWithin = 0;
      return;
    }
    int from = evidence.begin(sentence);
    lengthWithin = evidence.endOfLook(sentence) - from;
    int[] all = evidence.entriesAndFunctions();
    int[] numbers = claim.numbersOfEntries;
    for (int p = lengthWithin - 1; p >= 0; p--) {
      int number = numbers[all[from + p] >> 1];
      nextWithin[p] = firsts[number];
      firsts[number] = from + p;
    }
  }

  /** Share of the claim in runs of the evidence. */
  double anywhere() {
    double sum = 0;
    for (int i = 0; i < claim.count; ) {
      int longest = claim.firstPlaces[i] < 0 ? 0 : longestFrom(i);
      sum = count(i, longest, sum);
      i += Math.max(1, longest);
    }
    return claim.total == 0 ? 0 : sum / claim.total;
  }

  private double count(int unit, int length, double before) {
    double sum = before;
    runs[unit] = 0;
    for (int k = unit; k < unit + length; k++) {
      runs[k] = length;
      sum += claim.weights[k] * (length < COUNTS.length ? COUNTS[length] : 1.0);
    }
    return sum;
  }

  /** The longest run that begins with a unit at one of its first places. */
  private int longestFrom(int unit) {
    int entry = claim.entries[unit];
    int next = unit + 1 < claim.count ? claim.entries[unit + 1] : EvidenceIndex.NONE;
    if (next < 0) {
      return 1;
    }
    int longest = 1;
    int to = evidence.count();
    int often = evidence.countOf(entry);
    if (often <= MAX_PLACES && evidence.countOf(next) < often) {
      for (int p = claim.firstPlaces[unit + 1]; p >= 0; p = evidence.next(p)) {
        longest =
            p > 0 && evidence.entryAt(p - 1) == entry ? longer(unit, p - 1, to, longest) : longest;
      }
      return longest;
    }
    int left = MAX_PLACES;
    for (int p = claim.firstPlaces[unit]; p >= 0 && left-- > 0; p = evidence.next(p)) {
      longest = longer(unit, p, to, longest);
    }
    return longest;
  }

  /** The length of the run that begins at a place, or {@code least} if that is not shorter. */
  private int longer(int unit, int place, int to, int least) {
    int[] entries = claim.entries;
    if (unit + least >= claim.count
        || place + least >= to
        || evidence.entryAt(place + least) != entries[unit + least]) {
      return least;
    }
    int end = Math.min(to, evidence.end(evidence.sentence(place)));
    int most = Math.min(claim.count - unit, end - place);
    int length = 1;
    while (length < most && evidence.entryAt(place + length) == entries[unit + length]) {
      length++;
    }
    return Math.max(length, least);
  }

  /**
   * Share of the words that stand together in the evidence: most different ones within any stretch,
   * found by moving over their places in order. To be asked after {@link #within}.
   */
  double together(int content) {
    int there = 0;
    boolean all = lengthWithin <= NEAR_UNITS;
    for (int i = 0; i < claim.count; i++) {
      if (claim.weights[i] == 1.0 && claim.isFirstOfItsLemma(i)) {
        there++;
        all &=
            firstsWithin[claim.numbers[i]] >= 0 && evidence.countOf(claim.entries[i]) <= MAX_PLACES;
      }
    }
    int most = all || there <= 1 ? there : mostTogether(there);
    return (double) Math.min(most, content) / Math.max(1, content);
  }

  /**
   * Most different ones within any stretch.
   *
   * @param there how many there are: no stretch has more
   */
  private int mostTogether(int there) {
    places.clear();
    for (int i = 0; i < claim.count; i++) {
      if (claim.weights[i] == 1.0 && claim.isFirstOfItsLemma(i)) {
        int left = MAX_PLACES;
        for (int p = claim.firstPlaces[i]; p >= 0 && left-- > 0; p = evidence.next(p)) {
          places.add(p);
        }
      }
    }
    Arrays.fill(within, 0, claim.count + 1, 0);
    int most = 0;
    int different = 0;
    // The stretch is a ring: no more positions than units lie in it.
    int oldest = 0;
    int size = 0;
    for (int p = places.next(0); p >= 0 && most < there; p = places.next(p + 1)) {
      while (size > 0 && p - stretch[oldest] > NEAR_UNITS) {
        different -= --within[numberAt(stretch[oldest])] == 0 ? 1 : 0;
        oldest = oldest + 1 & RING - 1;
        size--;
      }
      stretch[oldest + size++ & RING - 1] = p;
      different += within[numberAt(p)]++ == 0 ? 1 : 0;
      most = Math.max(most, different);
    }
    return most;
  }

  private int numberAt(int place) {
    return claim.numbersOfEntries[evidence.entryAt(place)];
  }
}
