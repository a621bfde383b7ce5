package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The canonical form of ids of chunks and citations, in which they are compared. */
public final class CitationId {
  private CitationId() {}

  /** {@code raw} normalised as text is, trimmed, lower-cased code point by code point. */
  public static String canonical(String raw) {
    return isAscii(raw) ? lowerCase(trimmed(raw)) : canonicalForm(raw);
  }

  /** The same by way of the normaliser, for texts that are not ASCII. */
  static String canonicalForm(String raw) {
    StringBuilder kept = new StringBuilder(raw.length());
    NormalizedText.nfkc(raw)
        .codePoints()
        .filter(codePoint -> Character.getType(codePoint) != Character.FORMAT)
        .forEach(kept::appendCodePoint);
    return lowerCase(trimmed(kept.toString()));
  }

  private static String trimmed(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isWhiteSpace(text.charAt(from))) {
      from++;
    }
    while (to > from && isWhiteSpace(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** Some bytes of ASCII as a text in lower case. */
  static String lowerCase(byte[] bytes, int from, int to) {
    byte[] lower = Arrays.copyOfRange(bytes, from, to);
    for (int i = 0; i < lower.length; i++) {
      lower[i] = (byte) Character.toLowerCase(lower[i]);
    }
    return new String(lower, StandardCharsets.ISO_8859_1);
  }

  /** {@code text} in lower case, code point by code point. */
  static String lowerCase(String text) {
    if (!needsLowering(text)) {
      return text;
    }
    StringBuilder lower = new StringBuilder(text.length());
    text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
    return lower.toString();
  }

  private static boolean needsLowering(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || (c >= 'A' && c <= 'Z')) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWhiteSpace(char c) {
    // U+0085 is white space in Unicode and none in Java.
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }
}
