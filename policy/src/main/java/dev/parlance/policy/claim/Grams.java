package dev.parlance.policy.claim;

/**
 * Makes units of a run of characters without blanks: each pair of neighbours of Han and kana, each
 * of syllables of Thai, Lao, Khmer and Myanmar.
 *
 * <p>A syllable is a consonant with the vowel before it, the vowels and marks behind it and one
 * final consonant: a consonant is final if a vowel stands before and none behind it. That needs no
 * dictionary, and is the same in a quote, in a part of it and in most of a rewording; where it errs
 * it errs alike.
 */
final class Grams {
  private static final int SHORT_AI = 0xE43;
  private static final int LONG_AI = 0xE44;
  private static final int LAO = 0x80;
  private static final int CLOSING_A = 0xE30;
  private static final int CLOSING_AM = 0xE33;
  private static final int VOWEL_O = 0xE2D;
  private static final int KILLER = 0x103A;

  private final Units units;
  private final WordKey keys;

  private int clusters;
  private int clusterStart;
  private long cluster;
  private int pairStart;
  private long before;

  /** A vowel waits for its consonant. */
  private boolean leading;

  /** The syllable has a vowel, so that a final consonant may follow. */
  private boolean voiced;

  /** No final consonant may follow. */
  private boolean closed;

  Grams(Units units, WordKey keys) {
    this.units = units;
    this.keys = keys;
  }

  void begin(int at) {
    clusters = 0;
    clusterStart = at;
    leading = false;
    voiced = false;
    closed = false;
  }

  /** Takes a character of Han or kana, a cluster by itself. */
  void character(int codePoint, int at) {
    open(at);
    mark(codePoint);
  }

  /**
   * Takes a code point of a script of syllables.
   *
   * @param kind what it is in the table
   * @param next the code point behind it, or -1
   */
  void syllable(int kind, int codePoint, int at, int next) {
    // Lao has the letters of Thai in the same order.
    int thai = codePoint >> 8 == 0xE ? codePoint & ~LAO : codePoint;
    if (kind == Folding.SYLLABLE_MARK) {
      if (clusters == 0) {
        open(at);
      }
      voiced = true;
      closed |= thai == CLOSING_A || thai == CLOSING_AM;
    } else if (kind == Folding.LEADING_VOWEL) {
      open(at);
      leading = true;
      voiced = true;
      closed = thai == SHORT_AI || thai == LONG_AI;
    } else if (leading) {
      leading = false;
    } else if (thai == VOWEL_O && clusters > 0 && !closed && !isVowel(next)) {
      voiced = true;
    } else if (next == KILLER && clusters > 0) {
      closed = true;
    } else if (voiced && !closed && !isVowel(next) && !isO(next)) {
      closed = true;
    } else {
      open(at);
      voiced = false;
      closed = false;
    }
    mark(codePoint);
  }

  private static boolean isO(int codePoint) {
    return codePoint >> 8 == 0xE && (codePoint & ~LAO) == VOWEL_O;
  }

  private static boolean isVowel(int codePoint) {
    return codePoint > 0 && Folding.kind(Folding.of(codePoint)) == Folding.SYLLABLE_MARK;
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
      units.add(pairStart, end, Units.GRAM, keys.pair(before, cluster));
    }
  }

  private void open(int at) {
    if (clusters >= 2) {
      units.add(pairStart, clusterStart, Units.GRAM, keys.pair(before, cluster));
    }
    if (clusters > 0) {
      pairStart = clusterStart;
      before = cluster;
      clusterStart = at;
    }
    cluster = 0;
    clusters++;
  }
}
