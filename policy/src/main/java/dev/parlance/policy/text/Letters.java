package dev.parlance.policy.text;

/** Characters: the classes of the tokeniser (convention {@code asp-text-1}, step 3), and blanks. */
public final class Letters {
  /** For each ASCII character its lower case if it can stand in a token, else 0. */
  static final byte[] ASCII_LOWER = new byte[128];

  private static final int MARKS =
      1 << Character.NON_SPACING_MARK
          | 1 << Character.COMBINING_SPACING_MARK
          | 1 << Character.ENCLOSING_MARK;
  private static final int LETTERS_AND_NUMBERS =
      1 << Character.UPPERCASE_LETTER
          | 1 << Character.LOWERCASE_LETTER
          | 1 << Character.TITLECASE_LETTER
          | 1 << Character.MODIFIER_LETTER
          | 1 << Character.OTHER_LETTER
          | 1 << Character.DECIMAL_DIGIT_NUMBER
          | 1 << Character.LETTER_NUMBER
          | 1 << Character.OTHER_NUMBER;

  static {
    for (int c = 0; c < ASCII_LOWER.length; c++) {
      if (isLetterOrNumber(Character.getType(c))) {
        ASCII_LOWER[c] = (byte) Character.toLowerCase(c);
      }
    }
  }

  private Letters() {}

  static boolean isMark(int type) {
    return (MARKS >> type & 1) != 0;
  }

  static boolean isLetterOrNumber(int type) {
    return (LETTERS_AND_NUMBERS >> type & 1) != 0;
  }

  static boolean isAsciiDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** True for scripts written without blanks, whose every code point is a token of its own. */
  static boolean isOwnToken(int codePoint) {
    if (codePoint < 0x3040) {
      return false;
    }
    return codePoint <= 0x30FF
        || (codePoint >= 0x31F0 && codePoint <= 0x31FF)
        || (codePoint >= 0x3400 && codePoint <= 0x4DBF)
        || (codePoint >= 0x4E00 && codePoint <= 0x9FFF)
        || (codePoint >= 0xF900 && codePoint <= 0xFAFF)
        || (codePoint >= 0x20000 && codePoint <= 0x2FA1F)
        || (codePoint >= 0x30000 && codePoint <= 0x323AF);
  }

  /** The text without what it begins and ends with of these characters. */
  public static String trim(String text, String blanks) {
    int from = 0;
    int to = text.length();
    while (from < to && blanks.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (to > from && blanks.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return text.substring(from, to);
  }
}
