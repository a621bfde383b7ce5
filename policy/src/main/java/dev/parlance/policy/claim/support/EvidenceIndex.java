package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import java.util.Arrays;

/**
 * The words of all chunks of evidence in their order, to be asked where a word stands: in any of
 * its forms, or as a synonym or derived word.
 *
 * <p>Reusable, for one thread. Time and memory are linear in the number of units.
 */
final class EvidenceIndex {
  /** Of no position, sentence or chunk. */
  static final int NONE = -1;

  static final int FUNCTION = 1;
  static final int NEGATION = 2;
  static final int QUANTIFIER = 4;
  static final int FIRST_PERSON = 8;
  static final int CONDITION = 16;

  /** What is kept between messages. */
  private static final int KEEP = 1 << 14;

  private final WordCache words;
  private final Thesaurus thesaurus;

  private int count;
  private long[] lemmas = new long[256];
  private int[] next = new int[256];
  private int[] sentenceOf = new int[256];
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private byte[] kinds = new byte[256];

  private int sentences;
  private int[] firsts = new int[64];
  private int[] chunks = new int[64];
  private int[] negations = new int[64];

  private int quantifiers;
  private boolean firstPerson;

  /**
   * For each position twice the number of its lemma among the different ones, one more where it is
   * a word that says little by itself.
   */
  private int[] entries = new int[256];

  // Different lemmas: what they are, where the first of each stands, how many there are.
  private int different;
  private long[] lemmaOf = new long[256];
  private int[] firstOf = new int[256];
  private int[] countOf = new int[256];

  /** An open hash table of those numbers plus one. */
  private int[] table = new int[512];

  /** A bit for each lemma, several of which share one: most that are not there are told by it. */
  private final long[] filter = new long[256];

  EvidenceIndex(Vocabulary vocabulary, WordCache words) {
    this.words = words;
    thesaurus = vocabulary.thesaurus();
  }

  /** Forgets the evidence. */
  void clear() {
    count = 0;
    sentences = 0;
    quantifiers = 0;
    firstPerson = false;
    if (lemmas.length > KEEP) {
      resize(256);
      table = new int[512];
    }
    if (firsts.length > KEEP) {
      firsts = new int[64];
      chunks = new int[64];
      negations = new int[64];
    }
  }

  /** Takes up the units of a chunk. */
  void add(Units units, int chunk) {
    for (int s = 0; s < units.sentences(); s++) {
      beginSentence(chunk);
      for (int i = units.first(s); i < units.after(s); i++) {
        append(units, i);
      }
    }
  }

  private void beginSentence(int chunk) {
    if (sentences + 1 >= firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * firsts.length);
      chunks = Arrays.copyOf(chunks, 2 * chunks.length);
      negations = Arrays.copyOf(negations, 2 * negations.length);
    }
    firsts[sentences] = count;
    chunks[sentences] = chunk;
    negations[sentences] = 0;
    sentences++;
  }

  private void append(Units units, int unit) {
    if (count == lemmas.length) {
      resize(2 * count);
    }
    int word = words.slot(units.key(unit));
    int kind = words.kind(word);
    lemmas[count] = words.lemma(word);
    sentenceOf[count] = sentences - 1;
    starts[count] = units.start(unit);
    ends[count] = units.end(unit);
    kinds[count] = (byte) kind;
    if ((kind & NEGATION) != 0) {
      negations[sentences - 1]++;
    }
    if ((kind & QUANTIFIER) != 0) {
      quantifiers |= 1 << words.quantifier(word);
    }
    firstPerson |= (kind & FIRST_PERSON) != 0;
    count++;
  }

  /** Ends the evidence: from now on it can be asked. */
  void build() {
    int size = Math.max(512, Integer.highestOneBit(Math.max(1, 2 * count)) * 2);
    if (table.length < size) {
      table = new int[size];
    } else {
      Arrays.fill(table, 0);
    }
    Arrays.fill(filter, 0);
    different = 0;
    for (int i = count - 1; i >= 0; i--) {
      long lemma = lemmas[i];
      int slot = slot(lemma);
      int entry = table[slot] - 1;
      if (entry < 0) {
        entry = different++;
        table[slot] = different;
        lemmaOf[entry] = lemma;
        firstOf[entry] = NONE;
        countOf[entry] = 0;
        filter[(int) (lemma >>> 6) & 255] |= 1L << lemma;
      }
      entries[i] = (entry << 1) | (kinds[i] & FUNCTION);
      next[i] = firstOf[entry];
      firstOf[entry] = i;
      countOf[entry]++;
    }
    firsts[sentences] = count;
  }

  private int slot(long lemma) {
    int mask = table.length - 1;
    int slot = (int) (spread(lemma) >>> 20) & mask;
    while (table[slot] != 0 && lemmaOf[table[slot] - 1] != lemma) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private static long spread(long x) {
    return x * 0x9e3779b97f4a7c15L;
  }

  int count() {
    return count;
  }

  /** Number of different lemmas. */
  int different() {
    return different;
  }

  /** The number of a lemma among the different ones, or {@link #NONE}. */
  int entry(long lemma) {
    boolean may = (filter[(int) (lemma >>> 6) & 255] >>> lemma & 1) != 0;
    return may ? table[slot(lemma)] - 1 : NONE;
  }

  /** The number of the lemma at a position. */
  int entryAt(int position) {
    return entries[position] >> 1;
  }

  /**
   * For each position twice its entry, one more for a {@link #FUNCTION} word; not to be changed.
   */
  int[] entriesAndFunctions() {
    return entries;
  }

  /** The first position of an entry. */
  int firstOf(int entry) {
    return firstOf[entry];
  }

  /** How many positions an entry has. */
  int countOf(int entry) {
    return countOf[entry];
  }

  int sentences() {
    return sentences;
  }

  /** The first position of a lemma, or {@link #NONE}; others follow by {@link #next}. */
  int first(long lemma) {
    int entry = entry(lemma);
    return entry < 0 ? NONE : firstOf[entry];
  }

  int next(int position) {
    return next[position];
  }

  long lemma(int position) {
    return lemmas[position];
  }

  int kind(int position) {
    return kinds[position];
  }

  int sentence(int position) {
    return sentenceOf[position];
  }

  int begin(int sentence) {
    return firsts[sentence];
  }

  int end(int sentence) {
    return firsts[sentence + 1];
  }

  int chunkOf(int sentence) {
    return chunks[sentence];
  }

  int negationsOf(int sentence) {
    return negations[sentence];
  }

  /** The byte of the chunk at which a sentence begins. */
  int startByte(int sentence) {
    return starts[firsts[sentence]];
  }

  int endByte(int sentence) {
    return ends[firsts[sentence + 1] - 1];
  }

  /** A bit for each group of quantifiers that the evidence has. */
  int quantifiers() {
    return quantifiers;
  }

  boolean hasFirstPerson() {
    return firstPerson;
  }

  /** True if the evidence has an opposite of this word. */
  boolean hasOpposite(int word) {
    for (int i = thesaurus.firstOpposite(word); i < thesaurus.endOpposite(word); i++) {
      if (first(thesaurus.opposite(i)) != NONE) {
        return true;
      }
    }
    return false;
  }

  private void resize(int size) {
    lemmas = Arrays.copyOf(lemmas, size);
    next = Arrays.copyOf(next, size);
    sentenceOf = Arrays.copyOf(sentenceOf, size);
    starts = Arrays.copyOf(starts, size);
    ends = Arrays.copyOf(ends, size);
    kinds = Arrays.copyOf(kinds, size);
    entries = Arrays.copyOf(entries, size);
    lemmaOf = Arrays.copyOf(lemmaOf, size);
    firstOf = Arrays.copyOf(firstOf, size);
    countOf = Arrays.copyOf(countOf, size);
  }
}
