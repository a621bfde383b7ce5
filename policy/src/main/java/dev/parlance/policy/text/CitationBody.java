package dev.parlance.policy.text;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * What stands between the brackets of a citation marker, lower-cased:
 *
 * <pre>
 * body    = blanks (keyword list | number *(blanks ("," | ";") blanks number)) blanks
 * keyword = ("chunk" | "chunks") (1*(blank | ":" | "#" | "_" | "-") | before a digit: nothing)
 * list    = item *(blanks ("," | ";" | "&amp;" | blank "and" blank) blanks item)
 * item    = [keyword] (digits ("-" | en dash | em dash) digits | id)
 * id      = alnum [*(alnum | "." | "_" | "/" | ":" | "#" | "-") alnum], with a digit in it
 * number  = 1*9 digit, in square brackets only
 * blank   = space | tab
 * </pre>
 *
 * <p>A range {@code a-b} stands for its numbers if a&lt;=b and b-a&lt;={@value #MAX_RANGE}, else
 * for the one id {@code a-b}.
 */
final class CitationBody {
  static final int MAX_RANGE = 63;
  private static final int MAX_BARE_DIGITS = 9;
  private static final String KEYWORD = "chunk";

  private CitationBody() {}

  /** False if no body can begin here: cheap, spares ordinary brackets all that follows. */
  static boolean mayBegin(byte[] bytes, int from, int to, boolean square) {
    int i = afterBlanks(bytes, from, to);
    return (i < to && Letters.isAsciiDigit(bytes[i])) ? square : isKeyword(bytes, i, to);
  }

  /**
   * The one id of a plain body, as nearly all are: {@code Chunk c1} or {@code 12}; empty if the
   * body is not as plain as that, and has to go through {@link #parse}.
   */
  static Optional<String> plainId(byte[] bytes, int from, int to, boolean square) {
    int id = afterBlanks(bytes, from, to);
    int end = to;
    while (end > id && isBlank(bytes[end - 1])) {
      end--;
    }
    boolean bare = !isKeyword(bytes, id, end);
    if (!bare) {
      int word = id + KEYWORD.length();
      word += word < end && (bytes[word] | 0x20) == 's' ? 1 : 0;
      id = word;
      while (id < end && isKeywordSeparator((char) bytes[id])) {
        id++;
      }
      if (id == word || isKeyword(bytes, id, end)) {
        return Optional.empty();
      }
    } else if (!square || end - id > MAX_BARE_DIGITS) {
      return Optional.empty();
    }
    boolean digit = false;
    for (int i = id; i < end; i++) {
      byte b = bytes[i];
      if (b < 0 || Letters.ASCII_LOWER[b] == 0 || (bare && !Letters.isAsciiDigit(b))) {
        return Optional.empty();
      }
      digit |= Letters.isAsciiDigit(b);
    }
    return digit ? Optional.of(CitationId.lowerCase(bytes, id, end)) : Optional.empty();
  }

  private static int afterBlanks(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && isBlank(bytes[i])) {
      i++;
    }
    return i;
  }

  private static boolean isKeyword(byte[] bytes, int from, int to) {
    if (to - from < KEYWORD.length()) {
      return false;
    }
    for (int i = 0; i < KEYWORD.length(); i++) {
      if ((bytes[from + i] | 0x20) != KEYWORD.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the ids of {@code body} to {@code ids}; false if it is none (then some may be added).
   *
   * @param square true if it stands in square brackets
   * @param expand false if nobody wants the ids any more; then ranges are not expanded
   */
  static boolean parse(String body, boolean square, boolean expand, List<String> ids) {
    String text = trim(body);
    int list = afterKeyword(text);
    if (list > 0) {
      return parseList(text.substring(list), expand, ids);
    }
    return square && parseBare(text, ids);
  }

  private static boolean parseBare(String text, List<String> ids) {
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == ',' || text.charAt(i) == ';') {
        String number = trim(text.substring(from, i));
        if (number.length() > MAX_BARE_DIGITS || !isDigits(number)) {
          return false;
        }
        ids.add(number);
        from = i + 1;
      }
    }
    return true;
  }

  private static boolean parseList(String text, boolean expand, List<String> ids) {
    int from = 0;
    for (int i = 0; i <= text.length(); ) {
      int separator = i == text.length() ? 1 : separatorAt(text, i);
      if (separator == 0) {
        i++;
        continue;
      }
      if (!parseItem(trim(text.substring(from, i)), expand, ids)) {
        return false;
      }
      i += separator;
      from = i;
    }
    return true;
  }

  /** Length of the separator at {@code i}, 0 if there is none. */
  private static int separatorAt(String text, int i) {
    char c = text.charAt(i);
    if (c == ',' || c == ';' || c == '&') {
      return 1;
    }
    boolean and =
        isBlank(c)
            && text.startsWith("and", i + 1)
            && i + 4 < text.length()
            && isBlank(text.charAt(i + 4));
    return and ? 5 : 0;
  }

  private static boolean parseItem(String item, boolean expand, List<String> ids) {
    String id = item.substring(afterKeyword(item));
    int dash = 0;
    while (dash < id.length() && Letters.isAsciiDigit(id.charAt(dash))) {
      dash++;
    }
    if (dash > 0
        && dash < id.length()
        && isDash(id.charAt(dash))
        && isDigits(id.substring(dash + 1))) {
      if (expand) {
        addRange(id.substring(0, dash), id.substring(dash + 1), ids);
      }
      return true;
    }
    if (!isId(id)) {
      return false;
    }
    ids.add(id);
    return true;
  }

  private static void addRange(String first, String last, List<String> ids) {
    BigInteger from = new BigInteger(first);
    BigInteger width = new BigInteger(last).subtract(from);
    if (width.signum() < 0 || width.compareTo(BigInteger.valueOf(MAX_RANGE)) > 0) {
      ids.add(first + "-" + last);
      return;
    }
    for (int i = 0; i <= width.intValue(); i++) {
      ids.add(from.add(BigInteger.valueOf(i)).toString());
    }
  }

  /** Index after the keyword and what separates it from the list, 0 if there is no keyword. */
  private static int afterKeyword(String text) {
    if (!text.startsWith(KEYWORD)) {
      return 0;
    }
    int end = KEYWORD.length();
    if (end < text.length() && text.charAt(end) == 's') {
      end++;
    }
    int list = end;
    while (list < text.length() && isKeywordSeparator(text.charAt(list))) {
      list++;
    }
    boolean separated =
        list > end || (list < text.length() && Letters.isAsciiDigit(text.charAt(list)));
    return separated ? list : 0;
  }

  private static boolean isId(String id) {
    boolean digit = false;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean edge = i == 0 || i == id.length() - 1;
      digit |= Letters.isAsciiDigit(c);
      if (!Letters.isAsciiDigit(c)
          && !(c >= 'a' && c <= 'z')
          && (edge || "._/:#-".indexOf(c) < 0)) {
        return false;
      }
    }
    return digit;
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!Letters.isAsciiDigit(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isDash(char c) {
    return c == '-' || c == '\u2013' || c == '\u2014';
  }

  private static boolean isKeywordSeparator(char c) {
    return isBlank(c) || c == ':' || c == '#' || c == '_' || c == '-';
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  private static String trim(String text) {
    return Letters.trim(text, " \t");
  }
}
