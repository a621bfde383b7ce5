package dev.parlance.policy.text;

import java.text.Normalizer;
import java.util.Arrays;

/**
 * A text in the form in which tokens and citations are read: Unicode NFKC, then without the code
 * points of general category Cf (convention {@code asp-text-1}, step 1), as valid UTF-8.
 *
 * <p>A reusable buffer, for one thread. Pure ASCII is its own normal form and is used where it
 * lies, without a copy; only the neighbourhood of non-ASCII characters goes through {@link
 * Normalizer}. Malformed UTF-8 reads as U+FFFD, which is in no token.
 *
 * <p>The time is linear whatever the text. Canonical ordering sorts each run of combining marks by
 * insertion, quadratic in its length, so runs of more than {@value #MAX_MARK_RUN} marks (no writing
 * system comes near) are normalised in pieces of that many.
 */
public final class NormalizedText {
  static final int MAX_MARK_RUN = 128;

  /** An ASCII gap this long ends a piece; shorter ones are cheaper to take along. */
  private static final int PIECE_GAP_BYTES = 32;

  /** What is kept between messages; a larger buffer is given back. */
  private static final int KEEP_BYTES = 1 << 18;

  private byte[] buffer = new byte[0];
  private byte[] bytes = buffer;
  private int start;
  private int end;
  private boolean ascii;

  /** True if what nobody sees is left out. */
  private boolean visible;

  /** Takes up {@code text}; the bytes under it must not change while this is in use. */
  public void set(Utf8Span text) {
    set(text, TextOrigins.UNTOLD);
  }

  /**
   * The same without marks and letters that nobody sees (joiners of graphemes, variation selectors,
   * Hangul fillers): in the middle of a word they would hide it from who looks for it.
   */
  public void setVisible(Utf8Span text) {
    visible = true;
    set(text, TextOrigins.UNTOLD);
    visible = false;
  }

  /** The same, and tells where each byte comes from. */
  void set(Utf8Span text, TextOrigins origins) {
    byte[] source = text.array();
    int from = text.arrayOffset();
    int to = from + text.length();
    int next = Words.asciiEnd(source, from, to);
    ascii = next == to;
    if (ascii) {
      bytes = source;
      start = from;
      end = to;
      origins.same(from, 0, text.length());
      return;
    }
    if (buffer.length < text.length()) {
      buffer = new byte[text.length() + (text.length() >> 3)];
    }
    end = 0;
    int at = from;
    while (next < to) {
      // An ASCII character never composes with what stands before it, so a piece may start at one.
      int pieceStart = Math.max(at, next - 1);
      origins.same(end, at - from, pieceStart - at);
      append(source, at, pieceStart);
      int pieceEnd = pieceEnd(source, next, to);
      String piece =
          new String(
              source, pieceStart, pieceEnd - pieceStart, java.nio.charset.StandardCharsets.UTF_8);
      int normalStart = end;
      append(piece);
      origins.changed(buffer, normalStart, end, piece, pieceStart - from, pieceEnd - from);
      at = pieceEnd;
      next = Words.asciiEnd(source, at, to);
    }
    origins.same(end, at - from, to - at);
    append(source, at, to);
    bytes = buffer;
    start = 0;
  }

  /**
   * True if {@code text}, before any of it is normalised, has a token that no citation marker can
   * hold, as far as its beginning tells; false if the whole has to be looked at.
   *
   * <p>Up to the first bracket or character beyond ASCII nothing is in a marker, and a letter or
   * digit there stays one whatever follows: a mark behind it composes with it to a letter or stays
   * beside it. So for nearly every text the first word is enough.
   */
  public static boolean beginsWithToken(Utf8Span text) {
    byte[] bytes = text.array();
    int from = text.arrayOffset();
    for (int i = from; i < from + text.length(); i++) {
      byte b = bytes[i];
      if (b < 0 || b == '[' || b == '(') {
        return false;
      }
      if (Letters.ASCII_LOWER[b] != 0) {
        return true;
      }
    }
    return false;
  }

  /** Lets go of the text, and of the buffer if it has grown out of the ordinary. */
  public void release() {
    if (buffer.length > KEEP_BYTES) {
      buffer = new byte[0];
    }
    bytes = buffer;
    start = 0;
    end = 0;
    ascii = true;
  }

  byte[] bytes() {
    return bytes;
  }

  /** True if there is nothing but ASCII in it; false tells nothing. */
  boolean isAscii() {
    return ascii;
  }

  /** Index of the first byte in {@link #bytes()}. */
  public int start() {
    return start;
  }

  /** Index after the last byte in {@link #bytes()}. */
  public int end() {
    return end;
  }

  @Override
  public String toString() {
    return new String(bytes, start, end - start, java.nio.charset.StandardCharsets.UTF_8);
  }

  private static int pieceEnd(byte[] source, int firstNonAscii, int to) {
    int lastNonAscii = firstNonAscii;
    for (int i = firstNonAscii + 1; i < to && i - lastNonAscii <= PIECE_GAP_BYTES; i++) {
      if (source[i] < 0) {
        lastNonAscii = i;
      }
    }
    return lastNonAscii + 1;
  }

  private void append(byte[] source, int from, int to) {
    reserve(to - from);
    System.arraycopy(source, from, buffer, end, to - from);
    end += to - from;
  }

  private void append(String piece) {
    String normal = nfkc(piece);
    for (int i = 0; i < normal.length(); ) {
      int codePoint = normal.codePointAt(i);
      i += Character.charCount(codePoint);
      if (Character.getType(codePoint) != Character.FORMAT && !(visible && isUnseen(codePoint))) {
        reserve(Utf8Bytes.MAX_BYTES);
        end = Utf8Bytes.put(codePoint, buffer, end);
      }
    }
  }

  /** True of what is no format character, and nobody sees all the same. */
  static boolean isUnseen(int c) {
    return c == 0x34F
        || c == 0x115F
        || c == 0x1160
        || c == 0x2065
        || (c >= 0xFE00 && c <= 0xFE0F)
        || (c >= 0xE0100 && c <= 0xE01EF);
  }

  private void reserve(int count) {
    if (buffer.length - end < count) {
      buffer = Arrays.copyOf(buffer, Math.max(end + count, buffer.length + (buffer.length >> 1)));
    }
  }

  /** NFKC in linear time, see the type's doc. */
  static String nfkc(String text) {
    StringBuilder pieces = null;
    int pieceStart = 0;
    int marks = 0;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      if (!isMark(codePoint)) {
        marks = 0;
      } else if (++marks > MAX_MARK_RUN) {
        if (pieces == null) {
          pieces = new StringBuilder(text.length());
        }
        pieces.append(Normalizer.normalize(text.substring(pieceStart, i), Normalizer.Form.NFKC));
        pieceStart = i;
        marks = 1;
      }
      i += Character.charCount(codePoint);
    }
    String last = Normalizer.normalize(text.substring(pieceStart), Normalizer.Form.NFKC);
    return pieces == null ? last : pieces.append(last).toString();
  }

  /** True if the compatibility decomposition of {@code codePoint} may begin with a non-starter. */
  static boolean isMark(int codePoint) {
    // The half-width voicing marks are letters by category, but decompose to combining marks.
    return Letters.isMark(Character.getType(codePoint))
        || codePoint == 0xFF9E
        || codePoint == 0xFF9F;
  }
}
