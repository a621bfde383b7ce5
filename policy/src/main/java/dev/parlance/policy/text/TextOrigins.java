package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Which bytes of a text as it was given each byte of its {@linkplain NormalizedText normal form}
 * comes from: stretches that were taken over as they are, and clusters (a character with the marks
 * behind it) that became something else.
 *
 * <p>Off the message path. A cluster is normalised by itself; where the clusters of a piece do not
 * add up to what the piece became as a whole, all of it is one cluster. Linear in the text.
 */
class TextOrigins {
  /** For whom nobody asks: notes nothing. */
  static final TextOrigins UNTOLD =
      new TextOrigins() {
        @Override
        void same(int normal, int source, int length) {}

        @Override
        void changed(
            byte[] normal, int normalStart, int normalEnd, String piece, int source, int end) {}
      };

  /** Vowels and final consonants of Hangul compose with the syllable before them. */
  private static final int JAMO_VOWELS = 0x1160;

  private static final int JAMO_END = 0x11FF;
  private static final int HALF_WIDTH_HANGUL = 0xFFA0;
  private static final int HALF_WIDTH_HANGUL_END = 0xFFDC;

  private int count;
  private int[] normals = new int[16];
  private int[] sources = new int[16];
  private int[] ends = new int[16];

  /** True of a stretch whose bytes are the same ones, one for one. */
  private boolean[] straight = new boolean[16];

  /** Bytes that are what they were. */
  void same(int normal, int source, int length) {
    if (length == 0) {
      return;
    }
    int last = count - 1;
    if (last >= 0
        && straight[last]
        && ends[last] == source
        && normals[last] + (ends[last] - sources[last]) == normal) {
      ends[last] = source + length;
      return;
    }
    add(normal, source, source + length, true);
  }

  /**
   * A piece that was normalised.
   *
   * @param normal holds what became of it
   * @param normalStart where that begins
   * @param normalEnd where it ends
   * @param piece what was given
   * @param source where that begins in the text
   * @param end where it ends
   */
  void changed(byte[] normal, int normalStart, int normalEnd, String piece, int source, int end) {
    int before = count;
    int sourceAt = source;
    int normalAt = normalStart;
    boolean fits = true;
    for (int at = 0; at < piece.length() && fits; ) {
      int next = clusterEnd(piece, at);
      String cluster = piece.substring(at, next);
      byte[] given = cluster.getBytes(StandardCharsets.UTF_8);
      byte[] became = withoutFormat(NormalizedText.nfkc(cluster)).getBytes(StandardCharsets.UTF_8);
      int normalNext = normalAt + became.length;
      fits =
          normalNext <= normalEnd
              && sourceAt + given.length <= end
              && Arrays.equals(normal, normalAt, normalNext, became, 0, became.length);
      if (fits && Arrays.equals(given, became)) {
        same(normalAt, sourceAt, given.length);
      } else if (fits && became.length > 0) {
        add(normalAt, sourceAt, sourceAt + given.length, false);
      }
      sourceAt += given.length;
      normalAt = normalNext;
      at = next;
    }
    if (!fits || normalAt != normalEnd || sourceAt != end) {
      // A stretch before the piece may have been made longer: it is cut where the piece begins.
      count = before;
      if (count > 0 && ends[count - 1] > source) {
        ends[count - 1] = source;
      }
      if (normalEnd > normalStart) {
        add(normalStart, source, end, false);
      }
    }
  }

  private static int clusterEnd(String text, int from) {
    int at = from + Character.charCount(text.codePointAt(from));
    while (at < text.length() && joins(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }

  private static boolean joins(int codePoint) {
    return NormalizedText.isMark(codePoint)
        || (codePoint >= JAMO_VOWELS && codePoint <= JAMO_END)
        || (codePoint >= HALF_WIDTH_HANGUL && codePoint <= HALF_WIDTH_HANGUL_END);
  }

  private static String withoutFormat(String text) {
    StringBuilder kept = new StringBuilder(text.length());
    text.codePoints()
        .filter(codePoint -> Character.getType(codePoint) != Character.FORMAT)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private void add(int normal, int source, int end, boolean isStraight) {
    if (count == normals.length) {
      normals = Arrays.copyOf(normals, 2 * count);
      sources = Arrays.copyOf(sources, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      straight = Arrays.copyOf(straight, 2 * count);
    }
    normals[count] = normal;
    sources[count] = source;
    ends[count] = end;
    straight[count++] = isStraight;
  }

  /** Offset in the text given of the first byte that a byte of the normal form comes from. */
  int start(int normal) {
    int entry = entry(normal);
    return straight[entry] ? sources[entry] + (normal - normals[entry]) : sources[entry];
  }

  /**
   * Offset in the text given after the last byte that the byte before {@code normal} comes from.
   */
  int end(int normal) {
    int entry = entry(normal - 1);
    return straight[entry] ? sources[entry] + (normal - normals[entry]) : ends[entry];
  }

  private int entry(int normal) {
    int found = Arrays.binarySearch(normals, 0, count, normal);
    return found >= 0 ? found : -found - 2;
  }
}
