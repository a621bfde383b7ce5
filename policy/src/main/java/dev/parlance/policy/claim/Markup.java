package dev.parlance.policy.claim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** What stands in a text for something else: code points as bytes, entities, escapes, tags. */
public final class Markup {
  private static final int LONGEST_TAG = 512;
  private static final int LONGEST_ENTITY = 10;
  private static final int LONGEST_INDENT = 64;

  private static final Map<String, Integer> ENTITIES =
      Map.ofEntries(
          Map.entry("amp", (int) '&'),
          Map.entry("lt", (int) '<'),
          Map.entry("gt", (int) '>'),
          Map.entry("quot", (int) '"'),
          Map.entry("apos", (int) '\''),
          Map.entry("nbsp", 0xA0),
          Map.entry("deg", 0xB0),
          Map.entry("euro", 0x20AC),
          Map.entry("pound", 0xA3),
          Map.entry("szlig", 0xDF),
          Map.entry("auml", 0xE4),
          Map.entry("ouml", 0xF6),
          Map.entry("uuml", 0xFC),
          Map.entry("Auml", 0xC4),
          Map.entry("Ouml", 0xD6),
          Map.entry("Uuml", 0xDC),
          Map.entry("eacute", 0xE9),
          Map.entry("egrave", 0xE8),
          Map.entry("agrave", 0xE0),
          Map.entry("ccedil", 0xE7),
          Map.entry("ntilde", 0xF1),
          Map.entry("rsquo", 0x2019),
          Map.entry("minus", 0x2212),
          Map.entry("times", 0xD7),
          Map.entry("micro", 0xB5),
          Map.entry("le", 0x2264),
          Map.entry("ge", 0x2265),
          Map.entry("ndash", 0x2013),
          Map.entry("mdash", 0x2014),
          Map.entry("plusmn", 0xB1),
          Map.entry("yen", 0xA5),
          Map.entry("sup1", 0xB9),
          Map.entry("sup2", 0xB2),
          Map.entry("sup3", 0xB3),
          Map.entry("frac12", 0xBD),
          Map.entry("frac14", 0xBC),
          Map.entry("frac34", 0xBE),
          Map.entry("permil", 0x2030),
          Map.entry("thinsp", 0x2009),
          Map.entry("shy", 0xAD));

  /** Words that stand behind a hyphen and a blank without going on with the word before. */
  private static final String[] NO_ENDINGS = {
    "and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "the", "is"
  };

  /** What stands before an apostrophe in French and Italian as a word of its own, as bytes. */
  private static final long[] ELISIONS =
      packed(
          "c", "d", "j", "l", "m", "n", "s", "t", "qu", "un", "all", "dell", "nell", "dall", "sull",
          "quell", "jusqu", "lorsqu", "puisqu", "quest");

  /** Names of tags that part what stands before and behind them, as bytes. */
  private static final long[] BLOCKS =
      packed(
          "p", "br", "li", "ul", "ol", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
          "div", "table", "tbody", "thead", "section", "article", "dt", "dd", "pre", "option");

  private Markup() {}

  private static long[] packed(String... words) {
    long[] packed = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      byte[] ascii = words[i].getBytes(StandardCharsets.US_ASCII);
      for (int j = 0; j < ascii.length; j++) {
        packed[i] |= (long) ascii[j] << (8 * j);
      }
    }
    Arrays.sort(packed);
    return packed;
  }

  /** The code point whose bytes begin at {@code at}, or -1 if they are malformed. */
  public static int codePoint(byte[] bytes, int at, int to) {
    int lead = bytes[at];
    if (lead >= 0) {
      return lead;
    }
    int width =
        (lead & 0xE0) == 0xC0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : (lead & 0xF8) == 0xF0 ? 4 : 9;
    if (at + width > to) {
      return -1;
    }
    int codePoint = lead & 0x7F >> width;
    for (int i = 1; i < width; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return -1;
      }
      codePoint = codePoint << 6 | (bytes[at + i] & 0x3F);
    }
    boolean valid =
        width == width(codePoint)
            && codePoint <= Character.MAX_CODE_POINT
            && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    return valid ? codePoint : -1;
  }

  /** Number of bytes of a code point. */
  public static int width(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  /** True if there is a letter, mark or digit of a script with blanks at {@code at}. */
  static boolean isLetterAt(byte[] bytes, int at, int to) {
    if (at >= to) {
      return false;
    }
    if (bytes[at] >= 0) {
      return Folding.ASCII_LOWER[bytes[at]] != 0;
    }
    int codePoint = codePoint(bytes, at, to);
    if (codePoint < 0) {
      return false;
    }
    int kind = Folding.kind(Folding.of(codePoint));
    return kind == Folding.LETTER || kind == Folding.DIGIT || kind == Folding.SEVERAL;
  }

  /** True if the text is an object or array of JSON, as far as its beginning tells. */
  public static boolean isJson(byte[] bytes, int from, int to) {
    int first = skipBlanks(bytes, from, to);
    if (first == to || (bytes[first] != '{' && bytes[first] != '[')) {
      return false;
    }
    int second = skipBlanks(bytes, first + 1, to);
    return second < to && (bytes[second] == '"' || bytes[second] == '{');
  }

  private static int skipBlanks(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && at < from + LONGEST_INDENT && bytes[at] >= 0 && bytes[at] <= ' ') {
      at++;
    }
    return at;
  }

  /** True if a word of these bytes stands before an apostrophe as a word of its own. */
  static boolean isElision(long word, int length) {
    return length < Long.BYTES && Arrays.binarySearch(ELISIONS, word) >= 0;
  }

  /**
   * Where a word goes on that a hyphen has parted at the end of a line, or of one that is a line no
   * more; 0 if it does not.
   *
   * @param at the index after the hyphen
   */
  static int wordGoesOn(byte[] bytes, int at, int to) {
    int next = skipBlanks(bytes, at, to);
    if (next == at || next == to || bytes[next] < 'a' || bytes[next] > 'z') {
      return bytesGoOn(bytes, at, next, to);
    }
    for (String word : NO_ENDINGS) {
      if (isWord(word, bytes, next, to)) {
        return 0;
      }
    }
    return next;
  }

  private static int bytesGoOn(byte[] bytes, int at, int next, int to) {
    if (next == at || next == to || bytes[next] >= 0) {
      return 0;
    }
    int codePoint = codePoint(bytes, next, to);
    return codePoint > 0 && Character.isLowerCase(codePoint) ? next : 0;
  }

  private static boolean isWord(String word, byte[] bytes, int at, int to) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i == to || bytes[at + i] != word.charAt(i)) {
        return false;
      }
    }
    return !isLetterAt(bytes, at + word.length(), to);
  }

  /**
   * Reads an HTML entity.
   *
   * @return its length above 21 bits of its code point, or 0 if there is none
   */
  public static int entity(byte[] bytes, int at, int to) {
    int end = at + 1;
    while (end < to && end - at <= LONGEST_ENTITY && (isAlnum(bytes[end]) || bytes[end] == '#')) {
      end++;
    }
    if (end == to || bytes[end] != ';' || end - at < 3) {
      return 0;
    }
    String name = new String(bytes, at + 1, end - at - 1, StandardCharsets.US_ASCII);
    int codePoint = name.charAt(0) == '#' ? numeric(name) : ENTITIES.getOrDefault(name, 0);
    return codePoint <= 0 ? 0 : (end + 1 - at) << 21 | codePoint;
  }

  private static int numeric(String name) {
    boolean hex = name.length() > 2 && (name.charAt(1) | 0x20) == 'x';
    return number(name, hex ? 2 : 1, hex ? 16 : 10);
  }

  private static int number(String digits, int from, int radix) {
    int value = 0;
    for (int i = from; i < digits.length(); i++) {
      int digit = Character.digit(digits.charAt(i), radix);
      if (digit < 0 || value > Character.MAX_CODE_POINT) {
        return 0;
      }
      value = value * radix + digit;
    }
    boolean valid =
        value <= Character.MAX_CODE_POINT
            && (value < Character.MIN_SURROGATE || value > Character.MAX_SURROGATE);
    return valid ? value : 0;
  }

  /**
   * Reads an escape of JSON, as {@link #entity}: four digits anywhere, letters within JSON only.
   */
  public static int escape(byte[] bytes, int at, int to, boolean json) {
    if (at + 1 >= to) {
      return 0;
    }
    byte b = bytes[at + 1];
    if (b == 'u' && at + 6 <= to) {
      int value = number(new String(bytes, at + 2, 4, StandardCharsets.ISO_8859_1), 0, 16);
      return value == 0 ? 0 : 6 << 21 | value;
    }
    boolean blank = json && (b == 'n' || b == 't' || b == 'r' || b == 'b' || b == 'f');
    return blank ? 2 << 21 | ' ' : 0;
  }

  /** The index after the tag or comment that begins at {@code at}, or 0 if none does. */
  public static int tagEnd(byte[] bytes, int at, int to) {
    int name = at + 1 < to && bytes[at + 1] == '/' ? at + 2 : at + 1;
    if (name >= to || !(isLetter(bytes[name]) || bytes[name] == '!')) {
      return 0;
    }
    int limit = Math.min(to, at + LONGEST_TAG);
    for (int i = name; i < limit && bytes[i] != '<'; i++) {
      if (bytes[i] == '>') {
        return i + 1;
      }
    }
    return 0;
  }

  /** True if the tag at {@code at} parts what stands before and behind it. */
  public static boolean isBlock(byte[] bytes, int at) {
    int name = bytes[at + 1] == '/' ? at + 2 : at + 1;
    long word = 0;
    int i = 0;
    while (i < Long.BYTES && isAlnum(bytes[name + i])) {
      word |= (long) (bytes[name + i] | 0x20) << (8 * i++);
    }
    return Arrays.binarySearch(BLOCKS, word) >= 0;
  }

  private static boolean isLetter(byte b) {
    return (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
  }

  private static boolean isAlnum(byte b) {
    return b >= 0 && Folding.ASCII_LOWER[b] != 0;
  }
}
