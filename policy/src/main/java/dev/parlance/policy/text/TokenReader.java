package dev.parlance.policy.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the tokens of a text (convention {@code asp-text-1}, step 3), some hundred at a time.
 *
 * <p>Tokens are maximal runs of letters, marks and numbers with at least one letter or number in
 * them, lower-cased code point by code point; every code point of the scripts written without
 * blanks is one by itself.
 *
 * <p>A token of at most {@value #PACKED_BYTES} bytes is read as two numbers: its UTF-8 bytes in
 * little-endian order, padded with zeros. No token holds a zero byte, so two tokens are the same
 * exactly if both numbers are. A longer one is {@link #LONG_TOKEN} with its place in the
 * {@linkplain #longBytes() bytes of the long tokens}. Words in ASCII are read where they lie,
 * without a branch for each byte; only what touches another character is read code point by code
 * point.
 *
 * <p>A batch has either words, which are left where they lie, or tokens, both in the order in which
 * they stand in the text.
 *
 * <p>Time is linear whatever the text. Reusable scratch, for one thread.
 */
final class TokenReader {
  /** Longest token that two numbers hold. */
  static final int PACKED_BYTES = 2 * Long.BYTES;

  /**
   * First number of a token that two numbers cannot hold; the second is the complement of its place
   * among the long ones, hence never 0.
   */
  static final long LONG_TOKEN = 0;

  private static final int WINDOW_BYTES = 1024;

  /** Most tokens in a batch. */
  static final int MAX_TOKENS = WINDOW_BYTES / 2 + 1;

  private static final int KEEP_BYTES = 1 << 18;
  private static final byte[] NO_BYTES = {};

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOWER_CASE = 0x2020202020202020L;

  /** The bits of the first and of the second number that belong to a token, by its length. */
  private static final long[] FIRST = new long[PACKED_BYTES + 1];

  private static final long[] SECOND = new long[PACKED_BYTES + 1];

  static {
    for (int length = 1; length <= PACKED_BYTES; length++) {
      FIRST[length] = length < 8 ? (1L << (8 * length)) - 1 : -1L;
      SECOND[length] = length <= 8 ? 0 : length < 16 ? (1L << (8 * (length - 8))) - 1 : -1L;
    }
  }

  private final long[] tokens = new long[2 * MAX_TOKENS];

  /** Where each token of this batch begins and ends; empty for a reader that nobody asks. */
  private final int[] bounds;

  private int tokenStart;
  private final int[] edges = new int[WINDOW_BYTES + Words.SPARE_EDGES];
  private final byte[] pad = new byte[Long.SIZE];
  private int size;

  /** How many words lie in the text, found and not read yet. */
  private int words;

  /** The long tokens of this batch one after the other, then the token being read. */
  private byte[] longBytes = new byte[256];

  private int[] longEnds = new int[16];
  private int longs;
  private int tail;
  private boolean hasLetterOrNumber;

  private byte[] bytes = NO_BYTES;
  private int at;
  private int to;

  /** Up to here there is only ASCII, and no token reaches across. */
  private int plainEnd;

  /** A reader that does not note where tokens stand. */
  TokenReader() {
    this(false);
  }

  private TokenReader(boolean placing) {
    bounds = new int[placing ? 2 * MAX_TOKENS : 0];
  }

  /** A reader that notes where tokens stand. */
  static TokenReader placing() {
    return new TokenReader(true);
  }

  /** Goes to {@code from} in the bytes of {@code text}, which must not change meanwhile. */
  void start(NormalizedText text, int from, int end) {
    bytes = text.bytes();
    at = from;
    to = end;
    plainEnd = text.isAscii() ? end : from;
    forgetBatch();
  }

  /** Lets go of the text, and of scratch that has grown out of the ordinary. */
  void release() {
    bytes = NO_BYTES;
    at = 0;
    to = 0;
    forgetBatch();
    if (longBytes.length > KEEP_BYTES) {
      longBytes = new byte[256];
    }
  }

  /**
   * Reads on, and leaves words in ASCII for the caller to read where they lie, with {@link #first}
   * and {@link #second} those that fit and with {@link #readWord} the others; false if there is
   * neither a further token nor a word.
   */
  boolean nextWords() {
    forgetBatch();
    while (size == 0 && words == 0 && at < to) {
      if (at >= plainEnd) {
        findPlainEnd();
      }
      if (at < plainEnd) {
        findWords();
      } else {
        readExactly();
      }
    }
    return size > 0 || words > 0;
  }

  /** How many words are left to the caller. */
  int words() {
    return words;
  }

  /** Where the words begin and end in {@link #bytes()}, in turn. */
  int[] edges() {
    return edges;
  }

  /** The bytes that the words lie in. */
  byte[] bytes() {
    return bytes;
  }

  /** First number of a word that is short enough and not too near to the end of its bytes. */
  static long first(byte[] bytes, int start, int length) {
    return ((long) LONG.get(bytes, start) | LOWER_CASE) & FIRST[length];
  }

  /** Second number of a word that fits. */
  static long second(byte[] bytes, int start, int length) {
    return ((long) LONG.get(bytes, start + Long.BYTES) | LOWER_CASE) & SECOND[length];
  }

  /** Adds a word to the tokens of this batch. */
  void readWord(int start, int length) {
    tokenStart = start;
    for (int i = start; i < start + length; i++) {
      append(Letters.ASCII_LOWER[bytes[i]]);
    }
    hasLetterOrNumber = true;
    endToken(start + length);
  }

  /** Index in {@link #bytes()} of the first byte of a token of a {@link #placing} reader. */
  int start(int token) {
    return bounds[2 * token];
  }

  /** The index after its last byte. */
  int end(int token) {
    return bounds[2 * token + 1];
  }

  /** How many tokens were read in this batch. */
  int size() {
    return size;
  }

  /** The tokens of this batch, two numbers each. */
  long[] tokens() {
    return tokens;
  }

  /** The long tokens of this batch one after the other, in UTF-8. */
  byte[] longBytes() {
    return longBytes;
  }

  /** How many of the tokens are long. */
  int longs() {
    return longs;
  }

  /** Where a long token begins. */
  int longStart(int which) {
    return which == 0 ? 0 : longEnds[which - 1];
  }

  /** The index after its last byte. */
  int longEnd(int which) {
    return longEnds[which];
  }

  /**
   * A token of this batch as a text, and whether it has a decimal digit; not for the message path.
   */
  Read read(int token) {
    long first = tokens[2 * token];
    if (first == LONG_TOKEN) {
      int which = (int) ~tokens[2 * token + 1];
      int from = longStart(which);
      return new Read(
          new String(longBytes, from, longEnd(which) - from, StandardCharsets.UTF_8),
          TokenTable.Digits.isIn(longBytes, from, longEnd(which)));
    }
    byte[] packed = new byte[PACKED_BYTES];
    LONG.set(packed, 0, first);
    LONG.set(packed, Long.BYTES, tokens[2 * token + 1]);
    int length = PACKED_BYTES;
    while (packed[length - 1] == 0) {
      length--;
    }
    return new Read(
        new String(packed, 0, length, StandardCharsets.UTF_8),
        TokenTable.Digits.isIn(first, tokens[2 * token + 1]));
  }

  /**
   * A token.
   *
   * @param text in lower case
   * @param digit true if it has a decimal digit of any script
   */
  record Read(String text, boolean digit) {}

  private void forgetBatch() {
    size = 0;
    words = 0;
    longs = 0;
    dropToken();
  }

  private void findPlainEnd() {
    int end = Words.asciiEnd(bytes, at, to);
    if (end < to) {
      while (end > at && Letters.ASCII_LOWER[bytes[end - 1]] != 0) {
        end--;
      }
    }
    plainEnd = end;
  }

  /** Finds the words of a window of ASCII. */
  private void findWords() {
    int end = Math.min(plainEnd, at + WINDOW_BYTES);
    int count = Words.cut(bytes, at, end, pad, edges);
    if ((count & 1) != 0) {
      if (end == plainEnd) {
        edges[count++] = end;
      } else if (edges[count - 1] == at) {
        readLongWord();
        return;
      } else {
        // The last word may go on: the next window begins with it.
        end = edges[--count];
      }
    }
    words = count / 2;
    at = end;
  }

  /** Reads a word that fills a window. */
  private void readLongWord() {
    tokenStart = at;
    while (at < plainEnd && Letters.ASCII_LOWER[bytes[at]] != 0) {
      append(Letters.ASCII_LOWER[bytes[at++]]);
    }
    hasLetterOrNumber = true;
    endToken(at);
  }

  /** Reads code point by code point, until ASCII separates tokens again or the batch is full. */
  private void readExactly() {
    while (at < to && size < MAX_TOKENS - 1) {
      byte lead = bytes[at];
      if (lead >= 0) {
        at++;
        byte lower = Letters.ASCII_LOWER[lead];
        if (lower == 0) {
          endToken(at - 1);
          return;
        }
        begin(at - 1);
        append(lower);
        hasLetterOrNumber = true;
      } else {
        int width = Utf8Bytes.width(lead);
        take(Utf8Bytes.get(bytes, at, width), width);
        at += width;
      }
    }
    if (at == to) {
      endToken(at);
    }
  }

  private void take(int codePoint, int width) {
    int type = Character.getType(codePoint);
    if (Letters.isOwnToken(codePoint)) {
      endToken(at);
      begin(at);
      append(codePoint);
      hasLetterOrNumber = true;
      endToken(at + width);
    } else if (Letters.isLetterOrNumber(type)) {
      begin(at);
      append(Character.toLowerCase(codePoint));
      hasLetterOrNumber = true;
    } else if (Letters.isMark(type)) {
      begin(at);
      append(Character.toLowerCase(codePoint));
    } else {
      endToken(at);
    }
  }

  /** Notes where the token being read begins, if this is its first code point. */
  private void begin(int start) {
    if (bounds.length > 0 && tail == longTail()) {
      tokenStart = start;
    }
  }

  private void append(int codePoint) {
    if (longBytes.length - tail < Utf8Bytes.MAX_BYTES) {
      longBytes = Arrays.copyOf(longBytes, longBytes.length * 2);
    }
    tail = Utf8Bytes.put(codePoint, longBytes, tail);
  }

  private void append(byte ascii) {
    if (longBytes.length == tail) {
      longBytes = Arrays.copyOf(longBytes, longBytes.length * 2);
    }
    longBytes[tail++] = ascii;
  }

  private void endToken(int end) {
    if (hasLetterOrNumber) {
      if (bounds.length > 0) {
        bounds[2 * size] = tokenStart;
        bounds[2 * size + 1] = end;
      }
      int from = longTail();
      int length = tail - from;
      if (length <= PACKED_BYTES) {
        tokens[2 * size] = packed(longBytes, from, length);
        tokens[2 * size + 1] = packed(longBytes, from + 8, length - 8);
      } else {
        if (longs == longEnds.length) {
          longEnds = Arrays.copyOf(longEnds, longs * 2);
        }
        longEnds[longs] = tail;
        tokens[2 * size] = LONG_TOKEN;
        tokens[2 * size + 1] = ~longs;
        longs++;
      }
      size++;
    }
    dropToken();
  }

  private void dropToken() {
    tail = longTail();
    hasLetterOrNumber = false;
  }

  private int longTail() {
    return longs == 0 ? 0 : longEnds[longs - 1];
  }

  /** Up to eight bytes as one number, zero for none. */
  static long packed(byte[] bytes, int from, int length) {
    long packed = 0;
    for (int i = 0; i < Math.min(length, 8); i++) {
      packed |= (bytes[from + i] & 0xFFL) << (8 * i);
    }
    return packed;
  }
}
