package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.AsciiBytes;
import dev.parlance.policy.text.Utf8Span;

/**
 * What a text itself tells of its numbers before they are read: its language, by common words at
 * its beginning, which of point and comma parts decimals, and whether days stand before months.
 */
final class TextHabits {
  private static final int PROBED_BYTES = 4096;

  private final ValueTokens tokens;
  private final int[] votes = new int[ValueLexicon.LANGUAGES.size()];

  int language;
  ThousandsReader.Style style = ThousandsReader.Style.UNKNOWN;
  CalendarReader.Order order = CalendarReader.Order.UNKNOWN;

  private int pointCertain;
  private int commaCertain;
  private int pointLikely;
  private int commaLikely;
  private int dayFirst;
  private int monthFirst;

  TextHabits(ValueTokens tokens) {
    this.tokens = tokens;
  }

  void read(Utf8Span text) {
    language(text);
    numbers(text);
    boolean foreign = language > ValueLexicon.ENGLISH;
    if (pointCertain > 0 != commaCertain > 0) {
      style = pointCertain > 0 ? ThousandsReader.Style.POINT : ThousandsReader.Style.COMMA;
    } else if (language != 0) {
      style = foreign ? ThousandsReader.Style.COMMA : ThousandsReader.Style.POINT;
    } else if (pointLikely > 0 != commaLikely > 0) {
      style = pointLikely > 0 ? ThousandsReader.Style.POINT : ThousandsReader.Style.COMMA;
    } else {
      style = ThousandsReader.Style.UNKNOWN;
    }
    order =
        dayFirst > 0 == monthFirst > 0
            ? foreign ? CalendarReader.Order.DAY_FIRST : CalendarReader.Order.UNKNOWN
            : dayFirst > 0 ? CalendarReader.Order.DAY_FIRST : CalendarReader.Order.MONTH_FIRST;
  }

  private void language(Utf8Span text) {
    java.util.Arrays.fill(votes, 0);
    tokens.start(text, 0);
    int token = tokens.passOver(0, votes, PROBED_BYTES);
    while (tokens.type(token) != ValueTokens.END && tokens.start(token) < PROBED_BYTES) {
      if (tokens.type(token) == ValueTokens.WORD) {
        tokens.lexicon.count(tokens.entry(token), votes);
      }
      token = tokens.passOver(token + 1, votes, PROBED_BYTES);
    }
    language = 0;
    int most = 0;
    for (int i = 1; i < votes.length; i++) {
      if (votes[i] >= most) {
        language = votes[i] > most ? i : 0;
        most = votes[i];
      }
    }
  }

  private static boolean isDigit(int b) {
    return b >= '0' && b <= '9';
  }

  private void numbers(Utf8Span text) {
    pointCertain = 0;
    commaCertain = 0;
    pointLikely = 0;
    commaLikely = 0;
    dayFirst = 0;
    monthFirst = 0;
    byte[] bytes = text.array();
    int from = text.arrayOffset();
    int to = from + text.length();
    int runStart = from;
    for (int i = from; i < to; i++) {
      while (i == runStart
          && i + Long.BYTES <= to
          && !AsciiBytes.hasDigit(AsciiBytes.eight(bytes, i, to))) {
        i += Long.BYTES;
        runStart = i;
      }
      if (i == to) {
        break;
      }
      int b = bytes[i];
      if (isDigit(b)) {
        continue;
      }
      if ((b == '.' || b == ',' || b == '/')
          && i > runStart
          && i + 1 < to
          && isDigit(bytes[i + 1])) {
        int right = i + 1;
        while (right < to && right < i + 5 && isDigit(bytes[right])) {
          right++;
        }
        int before = runStart > from ? bytes[runStart - 1] : ' ';
        int after = right < to ? bytes[right] : ' ';
        boolean more =
            (after == '.' || after == ',' || after == '/')
                && right + 1 < to
                && isDigit(bytes[right + 1]);
        if (b == '/') {
          date(bytes, runStart, i, right, more && after == '/' && before != '/');
        } else if (before != '/' && before != '-' && before != ':') {
          separator(b, right - i - 1, i - runStart, before, more ? after : 0);
        }
      }
      runStart = i + 1;
    }
  }

  private void date(byte[] bytes, int from, int slash, int right, boolean three) {
    if (!three || slash - from > 2 || right - slash - 1 > 2) {
      return;
    }
    int a = number(bytes, from, slash);
    int b = number(bytes, slash + 1, right);
    dayFirst += a > 12 && a <= 31 && b <= 12 ? 1 : 0;
    monthFirst += b > 12 && b <= 31 && a <= 12 ? 1 : 0;
  }

  private static int number(byte[] bytes, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + bytes[i] - '0';
    }
    return value;
  }

  private void separator(int separator, int right, int left, int before, int after) {
    int other = separator == '.' ? ',' : '.';
    boolean point = separator == '.';
    boolean last = right == 3 && left == 3 && before == separator && after == 0;
    if (last || (right == 3 && left <= 3 && after == other)) {
      // Groups: 1,200.50 or 1,200,000.
      pointCertain += point ? 0 : 1;
      commaCertain += point ? 1 : 0;
    } else if (right != 3 && after == 0 && before != separator && before != other) {
      pointLikely += point ? 1 : 0;
      commaLikely += point ? 0 : 1;
    }
  }
}
