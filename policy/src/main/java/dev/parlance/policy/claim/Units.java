package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The units of a text: its words and symbols in order, each with a fingerprint of its folded form
 * and its place in the text as it was given; and the sentences they stand in.
 *
 * <p>What is a unit:
 *
 * <ul>
 *   <li>a run of letters, digits and marks; an inner apostrophe stays in ({@code don't}), a
 *       possessive s is cut from the fingerprint, French and Italian elisions are words of their
 *       own ({@code l'eau});
 *   <li>a pair of neighbours of Han and kana, and of syllables of Thai, Lao, Khmer and Myanmar
 *       ({@link #GRAM}); the unit has the bytes of the first of them, the last one of a run all
 *       that are left, so that each byte belongs to one unit at most;
 *   <li>a run of symbols (currencies, mathematics, {@code %}); punctuation is none.
 * </ul>
 *
 * <p>Equal words have equal fingerprints however they are spelt (see {@link Folding}): case, width,
 * composition, accents; a hyphen at a line end, emphasis marks within a word, HTML entities and
 * escapes of JSON are read as what they stand for, tags are skipped.
 *
 * <p>A sentence is also a list item, a heading, a row of a table, a record of CSV, an innermost
 * object of JSON; line breaks that only wrap text do not end it ({@link SentenceBreaks}).
 *
 * <p>Malformed UTF-8 separates. The time is linear whatever the text. Reusable, for one thread;
 * nothing is allocated per unit once the arrays have grown.
 */
public final class Units {
  /** A word: letters, digits and marks. */
  public static final int WORD = 1;

  /** Has a decimal digit. */
  public static final int DIGITS = 2;

  /** One or more symbols without a blank between them. */
  public static final int SYMBOL = 4;

  /** Begins with a capital. */
  public static final int UPPER = 8;

  /** A pair of characters or syllables of a script written without blanks. */
  public static final int GRAM = 16;

  /** Ends in a possessive s, which is not in the fingerprint. */
  public static final int POSSESSIVE = 32;

  /** ASCII letters alone, but for a possessive s. */
  static final int PLAIN = 64;

  private static final int KEEP_UNITS = 1 << 14;

  private final WordKey wordKey;
  private final SentenceBreaks breaks;
  private final UnitReader reader;
  private final Stems stems;
  private final long seed;
  private @Nullable Units probe;

  private byte[] bytes = {};
  private int base;
  private int count;
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private long[] keys = new long[256];
  private byte[] flags = new byte[256];
  private int sentences;
  private int[] firsts = new int[64];

  /**
   * Units with scratch of their own.
   *
   * @param seed keys the fingerprints; no result depends on it. Those of equal seeds compare
   */
  public Units(long seed) {
    this.seed = seed;
    wordKey = new WordKey(seed);
    breaks = new SentenceBreaks(this);
    reader = new UnitReader(this, wordKey);
    stems = new Stems(wordKey);
  }

  /** Takes up a text; the bytes under it must not change while this is in use. */
  public void read(Utf8Span text) {
    count = 0;
    sentences = 0;
    bytes = text.array();
    base = text.arrayOffset();
    breaks.start(text);
    reader.read(text);
  }

  /** Number of units. */
  public int count() {
    return count;
  }

  /** Index of the first byte of a unit in the text. */
  public int start(int unit) {
    return starts[unit];
  }

  /** Index after the last byte of a unit. */
  public int end(int unit) {
    return ends[unit];
  }

  /** The fingerprint of a unit's folded form: the same for equal words. */
  public long key(int unit) {
    return keys[unit];
  }

  /** The fingerprint of a word without its inflection ({@link Stems}), else its {@link #key}. */
  public long stem(int unit) {
    if ((flags[unit] & (WORD | DIGITS)) != WORD) {
      return keys[unit];
    }
    boolean possessive = (flags[unit] & POSSESSIVE) != 0;
    return stems.of(keys[unit], possessive, bytes, base + starts[unit], base + ends[unit]);
  }

  /** Which of {@link #WORD}, {@link #DIGITS}, {@link #SYMBOL} and so on a unit is. */
  public int flags(int unit) {
    return flags[unit] & ~PLAIN;
  }

  /** True of a word of ASCII letters, whose key is that of these letters. */
  public boolean isPlain(int unit) {
    return (flags[unit] & PLAIN) != 0;
  }

  /** Index after the letters of such a word, a possessive s left out. */
  public int letters(int unit) {
    return (flags[unit] & POSSESSIVE) != 0 ? ends[unit] - 2 : ends[unit];
  }

  /** Number of sentences. */
  public int sentences() {
    return sentences;
  }

  /** The first unit of a sentence; each has one at least. */
  public int first(int sentence) {
    return firsts[sentence];
  }

  /** The unit after the last one of a sentence. */
  public int after(int sentence) {
    return sentence + 1 < sentences ? firsts[sentence + 1] : count;
  }

  /** The fingerprint of a word as if it stood in a text; not for the message path. */
  public long keyOf(String word) {
    Units single = probe;
    if (single == null) {
      single = new Units(seed);
      probe = single;
    }
    single.read(Utf8Span.of(word));
    if (single.count != 1) {
      throw new IllegalArgumentException("not one unit but " + single.count + ": " + word);
    }
    return single.keys[0];
  }

  /** Lets go of the text, and of arrays that have grown out of the ordinary. */
  public void release() {
    count = 0;
    sentences = 0;
    bytes = Utf8Span.EMPTY.array();
    reader.release();
    breaks.release();
    if (starts.length > KEEP_UNITS) {
      starts = new int[256];
      ends = new int[256];
      keys = new long[256];
      flags = new byte[256];
    }
    if (firsts.length > KEEP_UNITS) {
      firsts = new int[64];
    }
  }

  /** Appends a unit that lies at these indexes of the array. */
  void add(int start, int end, int unitFlags, long key) {
    if (count == starts.length) {
      int more = count * 2;
      starts = Arrays.copyOf(starts, more);
      ends = Arrays.copyOf(ends, more);
      keys = Arrays.copyOf(keys, more);
      flags = Arrays.copyOf(flags, more);
    }
    starts[count] = start - base;
    ends[count] = end - base;
    keys[count] = key;
    flags[count] = (byte) unitFlags;
    if (count == 0 || (mayBreak(start, unitFlags) && breaks.before(count))) {
      beginSentence();
    }
    count++;
  }

  /** False of a unit behind nothing or one blank, unless its script has no other sign. */
  private boolean mayBreak(int start, int unitFlags) {
    int gap = start - base - ends[count - 1];
    return gap > 1 || (gap == 1 && (bytes[start - 1] != ' ' || (unitFlags & GRAM) != 0));
  }

  private void beginSentence() {
    if (sentences == firsts.length) {
      firsts = Arrays.copyOf(firsts, sentences * 2);
    }
    firsts[sentences++] = count;
  }
}
