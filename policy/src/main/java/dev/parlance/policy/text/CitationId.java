package dev.parlance.policy.text;

/** The form in which ids of chunks and citations are compared. */
public final class CitationId {
  private CitationId() {}

  /** {@code raw} normalised as text is, trimmed, lower-cased code point by code point. */
  public static String canonical(String raw) {
    StringBuilder kept = new StringBuilder(raw.length());
    NormalizedText.nfkc(raw)
        .codePoints()
        .filter(codePoint -> Character.getType(codePoint) != Character.FORMAT)
        .forEach(kept::appendCodePoint);
    int from = 0;
    int to = kept.length();
    while (from < to && isWhiteSpace(kept.charAt(from))) {
      from++;
    }
    while (to > from && isWhiteSpace(kept.charAt(to - 1))) {
      to--;
    }
    return lowerCase(kept.substring(from, to));
  }

  static String lowerCase(String text) {
    StringBuilder lower = new StringBuilder(text.length());
    text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
    return lower.toString();
  }

  private static boolean isWhiteSpace(char c) {
    // U+0085 is white space in Unicode and none in Java.
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }
}
