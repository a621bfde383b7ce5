package dev.parlance.policy.claim;

/**
 * Makes units of a run of characters without blanks: each pair of neighbours of Han and kana, each
 * of syllables of Thai, Lao, Khmer and Myanmar.
 *
 * <p>A syllable is what is written as one block: a consonant with a vowel before it and the vowels
 * and marks behind it. Neither needs a dictionary, and both are the same in a quote, in a part of
 * it and in most of a rewording.
 */
final class Grams {
  private final Units units;
  private final WordKey keys;

  private int clusters;
  private int clusterStart;
  private long cluster;
  private long before;
  private boolean leading;

  Grams(Units units, WordKey keys) {
    this.units = units;
    this.keys = keys;
  }

  void begin(int at) {
    clusters = 0;
    clusterStart = at;
    leading = false;
  }

  /** Takes a character of Han or kana, a cluster by itself. */
  void cluster(int codePoint, int at, int next) {
    open(at);
    mark(codePoint);
  }

  /** Takes a code point of a script of syllables. */
  void syllable(int kind, int codePoint, int at, int next) {
    boolean begins = kind == Folding.LEADING_VOWEL || (kind == Folding.SYLLABLE && !leading);
    if (clusters == 0 || begins) {
      open(at);
    }
    leading = kind == Folding.LEADING_VOWEL;
    mark(codePoint);
  }

  /** The code point belongs to the cluster that is open. */
  void mark(int codePoint) {
    cluster = keys.pair(cluster, codePoint);
  }

  /** The run has ended: the last unit has all that is left. */
  void end(int end) {
    if (clusters == 1) {
      units.add(clusterStart, end, Units.GRAM, keys.pair(cluster, 0));
    } else {
      addPair(end);
    }
  }

  private void open(int at) {
    if (clusters >= 2) {
      addPair(clusterStart);
    }
    if (clusters > 0) {
      pairStart = clusterStart;
      before = cluster;
      clusterStart = at;
    }
    cluster = 0;
    clusters++;
  }

  private int pairStart;

  private void addPair(int end) {
    units.add(pairStart, end, Units.GRAM, keys.pair(before, cluster));
  }
}
