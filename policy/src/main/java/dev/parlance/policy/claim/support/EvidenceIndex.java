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

  /** The thesaurus has an opposite of it. */
  static final int OPPOSED = 32;

  /** It negates, forbids or frees. */
  static final int DENIES = 64;

  /** What is kept between messages. */
  private static final int KEEP = 1 << 14;

  private final Thesaurus thesaurus;

  /** The words of a chunk, to be taken up again without reading it. Immutable. */
  static final class Kept {
    private final long[] lemmas;
    private final byte[] kinds;
    private final int[] firsts;
    private final int[] negations;
    private final boolean[] denials;
    private final int[] starts;
    private final int[] ends;
    private final int quantifiers;
    private final boolean firstPerson;

    private Kept(EvidenceIndex index, int sentence) {
      int from = sentence == index.sentences ? index.count : index.firsts[sentence];
      int to = index.sentences;
      lemmas = Arrays.copyOfRange(index.lemmas, from, index.count);
      kinds = Arrays.copyOfRange(index.kinds, from, index.count);
      firsts = Arrays.stream(index.firsts, sentence, to).map(first -> first - from).toArray();
      negations = Arrays.copyOfRange(index.negations, sentence, to);
      denials = Arrays.copyOfRange(index.denials, sentence, to);
      starts = Arrays.copyOfRange(index.starts, sentence, to);
      ends = Arrays.copyOfRange(index.ends, sentence, to);
      quantifiers = index.quantifiersOfChunk;
      firstPerson = index.firstPersonOfChunk;
    }

    long memoryBytes() {
      return (long) (Long.BYTES + 1) * lemmas.length + (4L * Integer.BYTES + 1) * firsts.length;
    }
  }

  private int count;
  private long[] lemmas = new long[256];
  private int[] next = new int[256];
  private int[] sentenceOf = new int[256];
  private byte[] kinds = new byte[256];

  private int sentences;
  private int[] firsts = new int[64];
  private int[] chunks = new int[64];
  private int[] negations = new int[64];
  private boolean[] denials = new boolean[64];
  private int[] starts = new int[64];
  private int[] ends = new int[64];

  private int quantifiers;
  private boolean firstPerson;
  private int quantifiersOfChunk;
  private boolean firstPersonOfChunk;

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

  /** An open hash table of those numbers plus one: as much of it as this evidence needs. */
  private int[] table = new int[512];

  private int mask = table.length - 1;

  /** A bit for each lemma, several of which share one: most that are not there are told by it. */
  private final long[] filter = new long[256];

  EvidenceIndex(Vocabulary vocabulary) {
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
      mask = table.length - 1;
    }
    if (firsts.length > KEEP) {
      resizeSentences(64);
    }
  }

  /** Takes up the words of a chunk. */
  void add(TextWords words, int chunk) {
    Units units = words.units();
    reserve(units.count(), units.sentences());
    quantifiersOfChunk = 0;
    firstPersonOfChunk = false;
    for (int s = 0; s < units.sentences(); s++) {
      int after = units.after(s);
      int negated = 0;
      boolean denies = false;
      for (int unit = units.first(s); unit < after; unit++) {
        int kind = words.kind(unit);
        int at = count + unit;
        lemmas[at] = words.lemma(unit);
        kinds[at] = (byte) kind;
        sentenceOf[at] = sentences;
        if (kind > FUNCTION) {
          negated += (kind & NEGATION) != 0 ? 1 : 0;
          denies |= (kind & DENIES) != 0;
          quantifiersOfChunk |= (kind & QUANTIFIER) != 0 ? 1 << words.quantifier(unit) : 0;
          firstPersonOfChunk |= (kind & FIRST_PERSON) != 0;
        }
      }
      firsts[sentences] = count + units.first(s);
      chunks[sentences] = chunk;
      negations[sentences] = negated;
      denials[sentences] = denies;
      starts[sentences] = units.start(units.first(s));
      ends[sentences++] = units.end(after - 1);
    }
    added(units.count());
  }

  /** The same of a chunk whose words were kept. */
  void add(Kept words, int chunk) {
    int more = words.lemmas.length;
    int sentencesMore = words.firsts.length;
    reserve(more, sentencesMore);
    System.arraycopy(words.lemmas, 0, lemmas, count, more);
    System.arraycopy(words.kinds, 0, kinds, count, more);
    System.arraycopy(words.negations, 0, negations, sentences, sentencesMore);
    System.arraycopy(words.denials, 0, denials, sentences, sentencesMore);
    System.arraycopy(words.starts, 0, starts, sentences, sentencesMore);
    System.arraycopy(words.ends, 0, ends, sentences, sentencesMore);
    for (int s = 0; s < sentencesMore; s++) {
      int first = words.firsts[s];
      int after = s + 1 < sentencesMore ? words.firsts[s + 1] : more;
      Arrays.fill(sentenceOf, count + first, count + after, sentences);
      firsts[sentences] = count + first;
      chunks[sentences++] = chunk;
    }
    quantifiersOfChunk = words.quantifiers;
    firstPersonOfChunk = words.firstPerson;
    added(more);
  }

  /** The words of the chunk that was taken up last. */
  Kept kept(int chunk) {
    int sentence = sentences;
    while (sentence > 0 && chunks[sentence - 1] == chunk) {
      sentence--;
    }
    return new Kept(this, sentence);
  }

  private void reserve(int more, int sentencesMore) {
    if (count + more > lemmas.length) {
      resize(Math.max(count + more, 2 * lemmas.length));
    }
    if (sentences + sentencesMore >= firsts.length) {
      resizeSentences(Math.max(sentences + sentencesMore + 1, 2 * firsts.length));
    }
  }

  private void added(int more) {
    count += more;
    quantifiers |= quantifiersOfChunk;
    firstPerson |= firstPersonOfChunk;
  }

  /** Ends the evidence: from now on it can be asked. */
  void build() {
    int size = Math.max(512, Integer.highestOneBit(Math.max(1, 2 * count)) * 2);
    if (table.length < size) {
      table = new int[size];
    } else {
      Arrays.fill(table, 0, size, 0);
    }
    mask = size - 1;
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
    return mayHave(lemma) ? table[slot(lemma)] - 1 : NONE;
  }

  /** False of most lemmas that no position has. */
  boolean mayHave(long lemma) {
    return (filter[(int) (lemma >>> 6) & 255] >>> lemma & 1) != 0;
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

  /** The position behind the last one of a sentence that is looked at. */
  int endOfLook(int sentence) {
    return Math.min(firsts[sentence + 1], firsts[sentence] + ClaimWords.MAX_UNITS);
  }

  int chunkOf(int sentence) {
    return chunks[sentence];
  }

  int negationsOf(int sentence) {
    return negations[sentence];
  }

  /** True of a sentence with a word that negates, forbids or frees. */
  boolean denies(int sentence) {
    return denials[sentence];
  }

  /** The byte of the chunk at which a sentence begins. */
  int startByte(int sentence) {
    return starts[sentence];
  }

  int endByte(int sentence) {
    return ends[sentence];
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
    kinds = Arrays.copyOf(kinds, size);
    entries = Arrays.copyOf(entries, size);
    lemmaOf = Arrays.copyOf(lemmaOf, size);
    firstOf = Arrays.copyOf(firstOf, size);
    countOf = Arrays.copyOf(countOf, size);
  }

  private void resizeSentences(int size) {
    firsts = Arrays.copyOf(firsts, size);
    chunks = Arrays.copyOf(chunks, size);
    negations = Arrays.copyOf(negations, size);
    denials = Arrays.copyOf(denials, size);
    starts = Arrays.copyOf(starts, size);
    ends = Arrays.copyOf(ends, size);
  }
}
