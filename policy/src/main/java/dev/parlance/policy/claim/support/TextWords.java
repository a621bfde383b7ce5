package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Units;

/**
 * What is known of the words of a text, looked up once for all who ask: finding a word costs more
 * than all that is then asked of it. For one thread.
 */
final class TextWords {
  private static final int KEEP = 1 << 14;

  private final WordCache cache;
  private final Units units;
  private long[] known = new long[256];

  /** Of the texts that these units will hold. */
  TextWords(WordCache cache, Units units) {
    this.cache = cache;
    this.units = units;
  }

  /** Takes up the text that the units hold now. */
  void read() {
    int count = units.count();
    if (known.length < count || known.length > Math.max(KEEP, 4 * count)) {
      known = new long[Math.max(256, count + (count >> 1))];
    }
    for (int unit = 0; unit < count; unit++) {
      known[unit] = cache.known(units.key(unit));
    }
  }

  Units units() {
    return units;
  }

  /** The number of a unit's word that all its forms have ({@link Vocabulary#lemma}). */
  long lemma(int unit) {
    return WordCache.lemma(known[unit], units.key(unit));
  }

  /** {@link EvidenceIndex#FUNCTION} and so on. */
  int kind(int unit) {
    return WordCache.kind(known[unit]);
  }

  /** The group of a quantifier. */
  int quantifier(int unit) {
    return WordCache.quantifier(known[unit]);
  }

  /** What a unit is to the reader of values. */
  int look(int unit) {
    return WordCache.look(known[unit]);
  }
}
