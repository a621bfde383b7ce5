package dev.parlance.policy.claim;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.List;

/**
 * The brackets that stand in the evidence, by what they hold and by the word before them: {@code
 * list[0]}, {@code in [2019]}, {@code [0, 1]}. An answer that has them, too, quotes; it does not
 * cite. Blanks, escapes and the case of ASCII letters do not count.
 *
 * <p>A set of 64-bit fingerprints, of at most {@value #MAX_KEYS}. Which of two brackets with one
 * fingerprint is meant decides only whether one is read as a marker or as text, and text is judged.
 */
final class EvidenceBrackets {
  static final int MAX_KEYS = 1 << 16;

  private static final long ODD = 0x9e3779b97f4a7c15L;
  private static final int MAX_WORD_BYTES = 32;
  private static final int MAX_BLANKS = 4;
  private static final int NO_WORD = 0;

  /** In place of a body: whatever the bracket holds. */
  private static final long INDEXED = 1;

  private long[] keys = new long[64];
  private int size;
  private boolean read;

  /** Takes up the brackets of {@code chunks}, once until {@link #clear}. */
  void read(List<Chunk> chunks) {
    if (!read) {
      read = true;
      chunks.forEach(chunk -> read(chunk.text()));
    }
  }

  private void read(Utf8Span text) {
    byte[] bytes = text.array();
    int from = text.arrayOffset();
    int to = from + text.length();
    for (int at = Bracket.next(bytes, from, to); at < to; at = Bracket.next(bytes, at + 1, to)) {
      int kind = Bracket.opening(bytes, at, to);
      if (kind >= 0) {
        Bracket bracket = Bracket.of(kind);
        int start = at + bracket.width();
        int end = bracket.bodyEnd(bytes, start, to);
        if (end >= 0) {
          long body = fingerprint(bytes, start, end);
          add(body);
          long word = wordBefore(bytes, from, at);
          if (word != NO_WORD) {
            add(behind(word, body));
            if (at > from && bytes[at - 1] != ' ') {
              add(behind(word, INDEXED));
            }
          }
        }
      }
    }
  }

  /** True if a bracket holds the same. */
  boolean has(byte[] bytes, int start, int end) {
    return contains(fingerprint(bytes, start, end));
  }

  /**
   * True if a bracket holds the same and follows the same word.
   *
   * @param from where the text begins
   * @param open where the bracket opens
   */
  boolean hasBehind(byte[] bytes, int from, int open, int start, int end) {
    long word = wordBefore(bytes, from, open);
    return word != NO_WORD && contains(behind(word, fingerprint(bytes, start, end)));
  }

  /** True if a bracket stands right behind the same word: an index, {@code list[0]}. */
  boolean hasIndexed(byte[] bytes, int from, int open) {
    long word = open > from && bytes[open - 1] != ' ' ? wordBefore(bytes, from, open) : NO_WORD;
    return word != NO_WORD && contains(behind(word, INDEXED));
  }

  /** Forgets them. */
  void clear() {
    if (read) {
      read = false;
      size = 0;
      if (keys.length > 1 << 10) {
        keys = new long[64];
      } else {
        Arrays.fill(keys, 0);
      }
    }
  }

  private static long behind(long word, long body) {
    return mix(word * ODD ^ body);
  }

  private static long wordBefore(byte[] bytes, int from, int open) {
    int end = open;
    while (end > from
        && open - end < MAX_BLANKS
        && (bytes[end - 1] == ' ' || bytes[end - 1] == '\\')) {
      end--;
    }
    int start = end;
    while (start > from && end - start < MAX_WORD_BYTES && isOfWord(bytes[start - 1])) {
      start--;
    }
    return start == end ? NO_WORD : fingerprint(bytes, start, end);
  }

  private static boolean isOfWord(byte b) {
    return b < 0 || Character.isLetterOrDigit(b) || b == '_';
  }

  private static long fingerprint(byte[] bytes, int start, int end) {
    long hash = ODD;
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\\') {
        hash = mix(hash ^ Character.toLowerCase(b & 0xFF)) * ODD;
      }
    }
    return mix(hash) | 1;
  }

  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    return z ^ z >>> 31;
  }

  private boolean contains(long key) {
    for (int i = (int) (key >>> 32) & keys.length - 1; keys[i] != 0; i = i + 1 & keys.length - 1) {
      if (keys[i] == key) {
        return true;
      }
    }
    return false;
  }

  private void add(long key) {
    if (size >= MAX_KEYS || key == 0 || contains(key)) {
      return;
    }
    if (2 * ++size > keys.length) {
      long[] smaller = keys;
      keys = new long[2 * smaller.length];
      for (long old : smaller) {
        if (old != 0) {
          put(old);
        }
      }
    }
    put(key);
  }

  private void put(long key) {
    int i = (int) (key >>> 32) & keys.length - 1;
    while (keys[i] != 0) {
      i = i + 1 & keys.length - 1;
    }
    keys[i] = key;
  }
}
