package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The units of all evidence chunks in one row, and where each pair of neighbours stands in it.
 *
 * <p>A position is an index of that row. Pairs do not cross chunks. Building is linear in the
 * number of units; the positions of a pair are linked from the last to the first.
 */
final class PairIndex {
  /** A character that negates what follows it in Chinese. */
  static final int NEGATES = 0x80;

  private static final int BEGINS = 0x40;

  /** Not, do not and must not in Thai, Lao and Khmer. */
  private static final Utf8Span[] NEGATING_SYLLABLES =
      Stream.of("ไม่", "ห้าม", "มิได้", "ບໍ່", "ຢ່າ", "ຫ້າມ", "មិន", "កុំ", "ហាម")
          .map(Utf8Span::of)
          .toArray(Utf8Span[]::new);

  private static final Utf8Span DO_NOT = Utf8Span.of("อย่า");

  /** With this one it is "like" or "kind". */
  private static final Utf8Span LETTER_BEHIND_DO_NOT = Utf8Span.of("ง");

  private static final int KEEP = 1 << 14;

  /** The highest 13 bits of a hash. */
  private static final int FILTER_SHIFT = 51;

  /** The units of a chunk, to be taken up again without reading it. Immutable. */
  static final class Kept {
    private final long[] keys;
    private final byte[] flags;
    private final int[] starts;
    private final int[] ends;
    private final int[] labels;

    private Kept(PairIndex index, int from, int to) {
      keys = Arrays.copyOfRange(index.keys, from, to);
      flags = Arrays.copyOfRange(index.flags, from, to);
      starts = Arrays.copyOfRange(index.starts, from, to);
      ends = Arrays.copyOfRange(index.ends, from, to);
      int first = index.labelsFrom(from);
      labels = Arrays.copyOfRange(index.labels, first, index.labelCount);
      for (int i = 0; i < labels.length; i++) {
        labels[i] -= from;
      }
    }

    long memoryBytes() {
      return (long) (Long.BYTES + 1 + 2 * Integer.BYTES) * keys.length
          + (long) Integer.BYTES * labels.length;
    }
  }

  private int count;
  private long[] keys = new long[256];
  private byte[] flags = new byte[256];
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private int[] previous = new int[256];

  /** Positions of words that a colon and a blank follow: "Width: 20 cm". */
  private int[] labels = new int[16];

  private int labelCount;

  private int chunks;
  private int[] firsts = new int[16];
  private int[] firstValues = new int[16];
  private Utf8Span[] texts = new Utf8Span[16];

  /** The index is built for an answer; it has all pairs. */
  private boolean isBuilt;

  private boolean isComplete;

  private final long[] filter = new long[1 << (64 - FILTER_SHIFT - 6)];

  /** Positions of pairs that the answer may have. */
  private int[] pairs = new int[256];

  /** Last position of each pair plus one. */
  private int[] heads = new int[512];

  private int mask;

  void clear() {
    Arrays.fill(texts, 0, chunks, Utf8Span.EMPTY);
    count = 0;
    chunks = 0;
    labelCount = 0;
    isBuilt = false;
    isComplete = false;
    if (keys.length > KEEP) {
      pairs = new int[256];
      labels = new int[16];
      keys = new long[256];
      flags = new byte[256];
      starts = new int[256];
      ends = new int[256];
      previous = new int[256];
      heads = new int[512];
    }
  }

  /** Takes up the units of the next chunk, its text, and where its values end among all values. */
  void add(Units units, Utf8Span text, int afterValues) {
    int more = units.count();
    reserve(text, more, afterValues);
    for (int i = 0; i < more; i++) {
      keys[count + i] = units.key(i);
      starts[count + i] = units.start(i);
      ends[count + i] = units.end(i);
      flags[count + i] = (byte) (units.flags(i) | (negates(units, i, text) ? NEGATES : 0));
      if (isLabel(text, units.end(i))) {
        addLabel(count + i);
      }
    }
    for (int sentence = 0; sentence < units.sentences(); sentence++) {
      flags[count + units.first(sentence)] |= BEGINS;
    }
    added(more);
  }

  /** The same of a chunk whose units were kept. */
  void add(Kept units, Utf8Span text, int afterValues) {
    int more = units.keys.length;
    reserve(text, more, afterValues);
    System.arraycopy(units.keys, 0, keys, count, more);
    System.arraycopy(units.flags, 0, flags, count, more);
    System.arraycopy(units.starts, 0, starts, count, more);
    System.arraycopy(units.ends, 0, ends, count, more);
    for (int label : units.labels) {
      addLabel(count + label);
    }
    added(more);
  }

  /** The units of the chunk that was taken up last. */
  Kept kept() {
    return new Kept(this, firsts[chunks - 1], count);
  }

  private void reserve(Utf8Span text, int more, int afterValues) {
    if (chunks + 1 >= firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * firsts.length);
      firstValues = Arrays.copyOf(firstValues, firsts.length);
      texts = Arrays.copyOf(texts, firsts.length);
    }
    texts[chunks] = text;
    firsts[chunks++] = count;
    firstValues[chunks] = afterValues;
    if (count + more > keys.length) {
      int size = Math.max(count + more, 2 * keys.length);
      keys = Arrays.copyOf(keys, size);
      flags = Arrays.copyOf(flags, size);
      starts = Arrays.copyOf(starts, size);
      ends = Arrays.copyOf(ends, size);
      previous = new int[size];
    }
  }

  /** True if a colon and a blank stand at a byte, or behind the blank there. */
  private static boolean isLabel(Utf8Span text, int end) {
    int colon = end < text.length() && text.byteAt(end) == ' ' ? end + 1 : end;
    return colon + 1 < text.length() && text.byteAt(colon) == ':' && text.byteAt(colon + 1) == ' ';
  }

  private void addLabel(int position) {
    if (labelCount == labels.length) {
      labels = Arrays.copyOf(labels, 2 * labelCount);
    }
    labels[labelCount++] = position;
  }

  /** Number of words that are followed by a colon and a blank. */
  int labels() {
    return labelCount;
  }

  /** The position of the last word before a colon. */
  int label(int index) {
    return labels[index];
  }

  /** The first label from a position on. */
  int labelsFrom(int position) {
    int at = Arrays.binarySearch(labels, 0, labelCount, position);
    return at < 0 ? -at - 1 : at;
  }

  private void added(int more) {
    count += more;
    firsts[chunks] = count;
  }

  /** True if a pair of characters or syllables begins with one that negates. */
  static boolean negates(Units units, int unit, Utf8Span text) {
    int at = units.start(unit);
    if ((units.flags(unit) & Units.GRAM) == 0 || at + 3 > text.length()) {
      return false;
    }
    int character =
        (text.byteAt(at) & 0xF) << 12
            | (text.byteAt(at + 1) & 0x3F) << 6
            | (text.byteAt(at + 2) & 0x3F);
    boolean negates = "不没沒未無无非勿别".indexOf(character) >= 0;
    for (int i = 0; i < NEGATING_SYLLABLES.length && !negates; i++) {
      negates = begins(text, at, NEGATING_SYLLABLES[i]);
    }
    return negates || (isThai(character) && forbids(units, unit, text));
  }

  private static boolean isThai(int character) {
    return character >= 0x0E00 && character < 0x0E80;
  }

  /** Do not: its first letter may be read as the end of the syllable before. */
  private static boolean forbids(Units units, int unit, Utf8Span text) {
    int from = units.start(unit);
    boolean more = unit + 1 < units.count() && units.start(unit + 1) > from;
    int to = more ? units.start(unit + 1) : units.end(unit);
    boolean forbids = false;
    for (int at = from; at < to && !forbids; at++) {
      forbids =
          begins(text, at, DO_NOT) && !begins(text, at + DO_NOT.length(), LETTER_BEHIND_DO_NOT);
    }
    return forbids;
  }

  private static boolean begins(Utf8Span text, int at, Utf8Span syllable) {
    int length = syllable.length();
    int i = at + length <= text.length() ? 0 : length + 1;
    while (i < length && text.byteAt(at + i) == syllable.byteAt(i)) {
      i++;
    }
    return i == length;
  }

  /**
   * Builds the index of the pairs that an answer has, and of few others; no more chunks are taken
   * up. Another answer to the same evidence gets one of all pairs, which serves any further one.
   */
  void build(Units answer) {
    if (isComplete) {
      return;
    }
    isComplete = isBuilt;
    isBuilt = true;
    int found = 0;
    if (isComplete) {
      found = count;
    } else {
      readPairs(answer);
      found = findPairs();
    }
    int size = Math.max(512, Integer.highestOneBit(Math.max(1, found)) * 4);
    if (heads.length < size) {
      heads = new int[size];
    } else {
      Arrays.fill(heads, 0, size, 0);
    }
    mask = size - 1;
    if (!isComplete) {
      for (int i = 0; i < found; i++) {
        link(pairs[i]);
      }
      return;
    }
    for (int chunk = 0; chunk < chunks; chunk++) {
      for (int i = firsts[chunk]; i + 1 < firsts[chunk + 1]; i++) {
        link(i);
      }
    }
  }

  private void link(int position) {
    int slot = slot(keys[position], keys[position + 1]);
    previous[position] = heads[slot] - 1;
    heads[slot] = position + 1;
  }

  /** A bit for each pair of the answer, several of which share one. */
  private void readPairs(Units answer) {
    Arrays.fill(filter, 0);
    for (int i = 0; i + 1 < answer.count(); i++) {
      int bit = (int) (hash(answer.key(i), answer.key(i + 1)) >>> FILTER_SHIFT);
      filter[bit >>> 6] |= 1L << bit;
    }
  }

  /** Lists the positions of pairs that the answer may have; how many there are. */
  private int findPairs() {
    if (pairs.length < keys.length) {
      pairs = new int[keys.length];
    }
    int found = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int last = firsts[chunk + 1] - 1;
      long left = firsts[chunk] < last ? keys[firsts[chunk]] : 0;
      for (int i = firsts[chunk]; i < last; i++) {
        long right = keys[i + 1];
        int bit = (int) (hash(left, right) >>> FILTER_SHIFT);
        pairs[found] = i;
        found += (int) (filter[bit >>> 6] >>> bit) & 1;
        left = right;
      }
    }
    return found;
  }

  private static long hash(long left, long right) {
    return (left + Long.rotateLeft(right, 29)) * 0x9e3779b97f4a7c15L;
  }

  private int slot(long left, long right) {
    int slot = (int) (hash(left, right) >>> 32) & mask;
    for (int head = heads[slot]; head != 0; head = heads[slot]) {
      if (keys[head - 1] == left && keys[head] == right) {
        break;
      }
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** The last position of a pair, or -1. */
  int last(long left, long right) {
    return count == 0 ? -1 : heads[slot(left, right)] - 1;
  }

  /** The position before of the same pair, or -1. */
  int before(int position) {
    return previous[position];
  }

  int count() {
    return count;
  }

  long key(int position) {
    return keys[position];
  }

  int flags(int position) {
    return flags[position] & 0xFF & ~BEGINS;
  }

  /** Index of the first byte of a position in its chunk. */
  int startByte(int position) {
    return starts[position];
  }

  /** Index after the last byte of a position in its chunk. */
  int endByte(int position) {
    return ends[position];
  }

  /** True if a sentence begins here. */
  boolean begins(int position) {
    return (flags[position] & BEGINS) != 0;
  }

  /** True if a comma, colon or semicolon stands before a position: a clause may begin there. */
  boolean isParted(int position) {
    Utf8Span text = texts[chunk(position)];
    for (int at = ends[position - 1]; at < starts[position]; at++) {
      int mark = text.byteAt(at);
      if (mark == ',' || mark == ';' || mark == ':') {
        return true;
      }
    }
    return false;
  }

  /** The chunk of a position. */
  int chunk(int position) {
    int at = Arrays.binarySearch(firsts, 0, chunks, position);
    // a chunk without units begins where the next one does
    while (at >= 0 && at + 1 < chunks && firsts[at + 1] == position) {
      at++;
    }
    return at >= 0 ? at : -at - 2;
  }

  /** The text of a chunk. */
  Utf8Span text(int chunk) {
    return texts[chunk];
  }

  /** The first value of a chunk. */
  int firstValue(int chunk) {
    return firstValues[chunk];
  }

  /** The value after the last one of a chunk. */
  int afterValue(int chunk) {
    return firstValues[chunk + 1];
  }

  /** The position of the first unit of a chunk. */
  int start(int chunk) {
    return firsts[chunk];
  }

  /** The position after the last unit of a chunk. */
  int end(int chunk) {
    return firsts[chunk + 1];
  }
}
