package dev.parlance.policy.claim.support;

/**
 * What is known of the words that came last, by their keys: texts repeat their words, and the
 * tables of all words are too large for a processor's caches. For one thread.
 */
final class WordCache {
  private static final int SIZE = 1 << 15;
  private static final int WORD_BITS = 20;
  private static final int KIND_BITS = 8;
  private static final int QUANTIFIER_BITS = 8;
  private static final int KIND = WORD_BITS;
  private static final int QUANTIFIER = KIND + KIND_BITS;
  private static final int LOOK = QUANTIFIER + QUANTIFIER_BITS;
  private static final long FILLED = 1L << 63;

  private final Vocabulary vocabulary;

  /**
   * The key of each slot, and behind it its word in the thesaurus plus one, kind, quantifier and
   * look; 0 if it is empty. Side by side, so that one line of the processor's cache has both.
   */
  private final long[] slots = new long[2 * SIZE];

  WordCache(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** What is known of a word, for the questions below. */
  long known(long key) {
    int slot = (int) (key >>> 17) & 2 * SIZE - 2;
    if (slots[slot] != key || slots[slot + 1] == 0) {
      fill(slot, key);
    }
    return slots[slot + 1];
  }

  private void fill(int slot, long key) {
    int kind = Vocabulary.kind(vocabulary.classes(key));
    if ((kind & EvidenceIndex.FUNCTION) != 0 && vocabulary.isFirstPerson(key)) {
      kind |= EvidenceIndex.FIRST_PERSON;
    }
    long lemma = vocabulary.lemma(key);
    kind |= vocabulary.hasOpposite(lemma) ? EvidenceIndex.OPPOSED : 0;
    kind |=
        (kind & EvidenceIndex.NEGATION) != 0 || vocabulary.norms().denies(key)
            ? EvidenceIndex.DENIES
            : 0;
    long quantifier = (kind & EvidenceIndex.QUANTIFIER) == 0 ? 0 : vocabulary.quantifier(key);
    slots[slot] = key;
    slots[slot + 1] =
        Vocabulary.word(lemma) + 1
            | (long) kind << KIND
            | quantifier << QUANTIFIER
            | (long) vocabulary.values().look(key) << LOOK
            | FILLED;
  }

  /** The number of the word with this key, as {@link Vocabulary#lemma} gives it. */
  static long lemma(long known, long key) {
    int word = (int) known & (1 << WORD_BITS) - 1;
    return word > 0 ? word - 1 : key | Long.MIN_VALUE;
  }

  /** {@link EvidenceIndex#FUNCTION} and so on. */
  static int kind(long known) {
    return (int) (known >>> KIND) & (1 << KIND_BITS) - 1;
  }

  /** The group of a quantifier. */
  static int quantifier(long known) {
    return (int) (known >>> QUANTIFIER) & (1 << QUANTIFIER_BITS) - 1;
  }

  /** What a word is to the reader of values. */
  static int look(long known) {
    return (int) ((known & ~FILLED) >>> LOOK);
  }
}
