package dev.parlance.policy.claim.support;

/**
 * What is known of the words that came last, by their keys: texts repeat their words, and the
 * tables of all words are too large for a processor's caches. For one thread.
 */
final class WordCache {
  private static final int SIZE = 1 << 12;

  private final Vocabulary vocabulary;
  private final long[] keys = new long[SIZE];
  private final long[] lemmas = new long[SIZE];

  /** Kind and, in the bits above, quantifier; 0 in a slot that is empty. */
  private final int[] facts = new int[SIZE];

  private static final int FILLED = 1 << 31;
  private static final int KIND_BITS = 8;

  WordCache(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** The slot of a word, for the questions below; valid until the next word is asked for. */
  int slot(long key) {
    int slot = (int) (key >>> 17) & SIZE - 1;
    if (keys[slot] != key || facts[slot] == 0) {
      fill(slot, key);
    }
    return slot;
  }

  private void fill(int slot, long key) {
    int kind = Vocabulary.kind(vocabulary.classes(key));
    if ((kind & EvidenceIndex.FUNCTION) != 0 && vocabulary.isFirstPerson(key)) {
      kind |= EvidenceIndex.FIRST_PERSON;
    }
    int quantifier =
        (kind & EvidenceIndex.QUANTIFIER) == 0 ? 0 : vocabulary.quantifier(key) << KIND_BITS;
    keys[slot] = key;
    lemmas[slot] = vocabulary.lemma(key);
    facts[slot] = kind | quantifier | FILLED;
  }

  long lemma(int slot) {
    return lemmas[slot];
  }

  /** {@link EvidenceIndex#FUNCTION} and so on. */
  int kind(int slot) {
    return facts[slot] & (1 << KIND_BITS) - 1;
  }

  /** The group of a quantifier. */
  int quantifier(int slot) {
    return (facts[slot] & ~FILLED) >>> KIND_BITS;
  }
}
