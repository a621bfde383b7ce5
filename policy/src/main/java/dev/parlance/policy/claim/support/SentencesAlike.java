package dev.parlance.policy.claim.support;

import java.util.Arrays;

/**
 * Finds out whether a claim mixes two sentences of the evidence that are made alike: the role of
 * Ann said of Bob.
 *
 * <p>Both have half of their words in common, the claim leaves something of both out, and has of
 * one of them what it is about and of the other what it says. For one thread.
 */
final class SentencesAlike {
  private static final int MAX_PLACES = 32;

  /** What a claim says of the words that one of two sentences made alike has, and the other not. */
  private enum Own {
    /** Some, with the first: what the sentence is about. */
    ABOUT_IT,
    /** Some, but not the first. */
    SAID_OF_IT,
    /** All or none of them, or others than it may; or the sentences are not alike. */
    OTHERWISE
  }

  private final ClaimWords claim;
  private final BestSentence sentence;
  private final EvidenceIndex evidence;

  /** Entries of the other sentence, by its stamp. */
  private int[] there = new int[512];

  private int stamp;

  SentencesAlike(ClaimWords claim, BestSentence sentence, EvidenceIndex evidence) {
    this.claim = claim;
    this.sentence = sentence;
    this.evidence = evidence;
  }

  /**
   * The only word of the claim which its best sentence has not, if it comes from another one made
   * alike; or -1.
   */
  int mixedIn() {
    int found = -1;
    for (int i = 0; i < claim.count; i++) {
      if (claim.weights[i] < 1.0 || sentence.best[i] > 0) {
        continue;
      }
      if (found >= 0 || claim.firstPlaces[i] < 0 || claim.held[i] || claim.digits[i]) {
        return -1;
      }
      found = i;
    }
    int best = sentence.sentence();
    if (found < 0 || best == EvidenceIndex.NONE) {
      return -1;
    }
    int left = MAX_PLACES;
    for (int p = claim.firstPlaces[found]; p >= 0 && left-- > 0; p = evidence.next(p)) {
      int other = evidence.sentence(p);
      if (evidence.chunkOf(other) == evidence.chunkOf(best)
          && isAlike(other, best, claim.entries[found])) {
        return found;
      }
    }
    return -1;
  }

  private boolean isAlike(int other, int best, int mixed) {
    Own theirs = own(other, best, mixed);
    Own its = theirs == Own.OTHERWISE ? theirs : own(best, other, EvidenceIndex.NONE);
    return its != Own.OTHERWISE && its != theirs;
  }

  private Own own(int at, int other, int only) {
    stamp(other);
    int shared = 0;
    int own = 0;
    int said = 0;
    boolean first = false;
    int to = evidence.endOfLook(at);
    for (int p = evidence.begin(at); p < to; p++) {
      int entry = evidence.entryAt(p);
      if ((evidence.kind(p) & EvidenceIndex.FUNCTION) != 0) {
        continue;
      }
      if (there[entry] == stamp) {
        shared++;
        continue;
      }
      boolean inClaim = claim.has(p);
      if (only >= 0 && inClaim && entry != only) {
        return Own.OTHERWISE;
      }
      first |= own == 0 && inClaim;
      own++;
      said += inClaim ? 1 : 0;
    }
    if (shared < own || said == 0 || said == own) {
      return Own.OTHERWISE;
    }
    return first ? Own.ABOUT_IT : Own.SAID_OF_IT;
  }

  private void stamp(int at) {
    if (there.length < evidence.different()) {
      there = new int[2 * evidence.different()];
    }
    if (++stamp == Integer.MAX_VALUE) {
      Arrays.fill(there, 0);
      stamp = 1;
    }
    int to = evidence.endOfLook(at);
    for (int p = evidence.begin(at); p < to; p++) {
      there[evidence.entryAt(p)] = stamp;
    }
  }
}
