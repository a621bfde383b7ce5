package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * Says whether a sentence ends between two units, from what stands between them.
 *
 * <p>Points end sentences before a blank, unless they stand behind an abbreviation or an initial.
 * An empty line always ends one; a single line break does unless it only wraps text: the next line
 * begins in lower case, or with a word that the line before had no room for. List items, headings,
 * rows of tables and records are lines that are not wrapped.
 */
final class SentenceBreaks {
  /** Never at the end of a sentence. */
  private static final String TITLES =
      "dr mr mrs ms prof st sr jr hr fr mme mlle sig dott sra dra vs bzw vgl ca approx evtl ggf gen"
          + " col capt sgt lt rev hon gov sen rep eg ie cf al bspw sog resp insb tel geb mio mrd"
          + " tsd";

  /** Abbreviations before a number only. */
  private static final String COUNTED =
      "no nos nr fig figs p pp art sec ch vol abs n eq tab kap ziff bd op chap par pt st núm ref";

  /** Abbreviations unless a capital follows. */
  private static final String OTHERS =
      "etc usw inc ltd co corp est max min dept jan feb mar apr jun jul aug sep sept oct nov dec"
          + " temp avg std inkl exkl zzgl usf ecc sz str hrs hr sec mon tue wed thu fri sat sun";

  /** Behind the number of a day with a point. */
  private static final String MONTHS =
      "januar februar märz april mai juni juli august september oktober november dezember januari"
          + " februari maart mei augustus jan feb mrz apr aug sep okt nov dez";

  /** Lines this long may be wrapped by a width; shorter ones are lines of their own. */
  private static final int SHORTEST_WRAPPED = 40;

  /** A text with longer lines is not wrapped by a width. */
  private static final int WIDEST_WRAPPED = 200;

  private static final int LONG_CLAUSE = 10;
  private static final int LONG_OBJECT = 24;

  private final Units units;
  private boolean ready;
  private long[] titles = {};
  private long[] counted = {};
  private long[] others = {};
  private long[] months = {};

  private byte[] bytes = {};
  private int base;
  private int to;
  private int lineStart;
  private int sentenceStart;
  private int widest;

  /** Separators of a record in the line so far: no blank behind them. */
  private int tight;

  private boolean json;

  // What stands between the two units.
  private int newlines;
  private int lineEnd;
  private int points;
  private boolean full;
  private boolean ends;
  private boolean blankAfter;
  private boolean blank;
  private boolean bullet;
  private boolean comma;
  private boolean quote;

  SentenceBreaks(Units units) {
    this.units = units;
  }

  void start(Utf8Span text) {
    bytes = text.array();
    base = text.arrayOffset();
    to = base + text.length();
    lineStart = base;
    sentenceStart = 0;
    widest = 0;
    tight = 0;
    json = Markup.isJson(bytes, base, to);
  }

  void release() {
    bytes = Utf8Span.EMPTY.array();
  }

  /** True if a sentence begins with {@code unit}, the last one so far, and a gap before it. */
  boolean before(int unit) {
    int from = base + units.end(unit - 1);
    int end = base + units.start(unit);
    byte sign = bytes[from];
    if ((sign == ' ' && end - from == 1)
        || (sign == ',' && end - from == 2 && bytes[from + 1] == ' ' && !json)) {
      return (units.flags(unit) & Units.GRAM) != 0 && isClause(unit) && begun(unit);
    }
    scan(from, end);
    boolean breaks = decide(unit, end);
    if (newlines > 0) {
      lineStart = lineEnd + 1;
      tight = 0;
    }
    return breaks && begun(unit);
  }

  private boolean begun(int unit) {
    sentenceStart = unit;
    return true;
  }

  /** Thai and its neighbours write a blank where others write a point. */
  private boolean isClause(int unit) {
    return unit - sentenceStart >= LONG_CLAUSE
        && (units.flags(unit) & units.flags(unit - 1) & Units.GRAM) != 0;
  }

  private void scan(int from, int end) {
    newlines = 0;
    points = 0;
    full = false;
    ends = false;
    blankAfter = false;
    blank = false;
    bullet = false;
    comma = false;
    quote = false;
    int at = from;
    while (at < end) {
      byte b = bytes[at];
      if (b < 0) {
        at = wide(at, end);
        continue;
      }
      if (b == '<') {
        int tag = Markup.tagEnd(bytes, at, end);
        if (tag > 0) {
          full |= Markup.isBlock(bytes, at) && !isCell(at);
          at = tag;
          continue;
        }
      }
      ascii(b, at);
      at++;
    }
  }

  private boolean isCell(int at) {
    int name = bytes[at + 1] == '/' ? at + 2 : at + 1;
    return (bytes[name] | 0x20) == 't'
        && ((bytes[name + 1] | 0x20) == 'd' || (bytes[name + 1] | 0x20) == 'h')
        && (bytes[name + 2] == '>' || bytes[name + 2] == ' ');
  }

  private void ascii(byte b, int at) {
    switch (b) {
      case '\n' -> newline(at);
      case ' ', '\t', '\r' -> {
        tight += b == '\t' && newlines == 0 ? 2 : 0;
        blank = true;
        blankAfter |= ends || points > 0;
      }
      case '.' -> points++;
      case '!', '?' -> ends = true;
      case '{', '}' -> full |= json;
      case ',', ';' -> {
        comma |= b == ',';
        tight += newlines == 0 && isTight(b, at) ? 1 : 0;
      }
      case '"', '\'' -> quote |= ends;
      case '-', '*', '+', '#', '>', '|' -> bullet |= newlines > 0;
      default -> {}
    }
  }

  /** True of a separator without a blank behind it that does not group digits. */
  private boolean isTight(byte b, int at) {
    boolean groups = b == ',' && at > base && isDigit(at - 1) && isDigit(at + 1);
    return at + 1 < to && bytes[at + 1] > ' ' && !groups;
  }

  private boolean isDigit(int at) {
    return at < to && bytes[at] >= '0' && bytes[at] <= '9';
  }

  private void newline(int at) {
    newlines++;
    lineEnd = at;
    bullet = false;
    blank = true;
    blankAfter |= ends || points > 0;
  }

  private int wide(int at, int end) {
    int codePoint = Markup.codePoint(bytes, at, end);
    if (codePoint < 0) {
      return at + 1;
    }
    switch (codePoint) {
      case 0x3002,
          0xFF01,
          0xFF1F,
          0xFF61,
          0x964,
          0x965,
          0x61F,
          0x6D4,
          0x1362,
          0x104B,
          0x104A,
          0x17D4,
          0x17D5,
          0x2029,
          0x203C,
          0x2047,
          0x2048,
          0x2049 ->
          full = true;
      case 0xFF0E -> points++;
      case 0x201C, 0x201D, 0xBB, 0xAB, 0x2019 -> quote |= ends;
      case 0x2026 -> points += 3;
      case 0x2022, 0x2023, 0x25AA, 0x25CF, 0x25E6, 0x2013, 0x2014, 0x30FB, 0xB7 ->
          bullet |= newlines > 0;
      case 0x85, 0x2028 -> newline(at);
      case 0xA0, 0x3000 -> {
        blank = true;
        blankAfter |= ends || points > 0;
      }
      default -> {}
    }
    return at + Markup.width(codePoint);
  }

  private boolean decide(int unit, int start) {
    if (full || newlines > 1) {
      return true;
    }
    if (ends && blankAfter && !(quote && isSmall(unit, start))) {
      return true;
    }
    if (points > 0 && blankAfter && endsAtPoint(unit)) {
      return true;
    }
    if (newlines == 1) {
      return !wraps(unit, start);
    }
    if (json && comma) {
      return unit - sentenceStart >= LONG_OBJECT;
    }
    return blank && isClause(unit);
  }

  private boolean endsAtPoint(int unit) {
    boolean upper = (units.flags(unit) & Units.UPPER) != 0;
    if (points > 1) {
      return upper || newlines > 0;
    }
    int before = unit - 1;
    int length = units.end(before) - units.start(before);
    boolean digits = (units.flags(unit) & Units.DIGITS) != 0;
    if ((units.flags(before) & Units.DIGITS) != 0) {
      // A list number, or the day of a date as German writes it.
      boolean small = length <= 2;
      return !(small && ((!upper && !digits) || startsLine(before) || isMonth(unit)));
    }
    if (length == 1 && (units.flags(before) & Units.WORD) != 0) {
      return upper && isHalfDay(before);
    }
    return !isAbbreviation(units.key(before), upper, digits);
  }

  private boolean startsLine(int unit) {
    if (unit == sentenceStart) {
      return true;
    }
    return base + units.end(unit - 1) <= lineStart;
  }

  /** The month behind the day of a date. */
  private boolean isMonth(int unit) {
    prepare();
    return Arrays.binarySearch(months, units.key(unit)) >= 0;
  }

  /** The m of a.m. and p.m., at the end of a sentence if a capital follows. */
  private boolean isHalfDay(int unit) {
    int at = base + units.start(unit);
    return at - 2 >= base
        && bytes[at - 1] == '.'
        && (bytes[at] | 0x20) == 'm'
        && ((bytes[at - 2] | 0x20) == 'p' || (bytes[at - 2] | 0x20) == 'a');
  }

  private boolean isAbbreviation(long key, boolean upper, boolean digits) {
    prepare();
    return Arrays.binarySearch(titles, key) >= 0
        || (digits && Arrays.binarySearch(counted, key) >= 0)
        || (!upper && Arrays.binarySearch(others, key) >= 0);
  }

  private void prepare() {
    if (!ready) {
      ready = true;
      titles = keys(TITLES);
      counted = keys(COUNTED);
      others = keys(OTHERS);
      months = keys(MONTHS);
    }
  }

  private long[] keys(String words) {
    return Arrays.stream(words.split(" ")).mapToLong(units::keyOf).sorted().toArray();
  }

  /** True if the one line break in the gap only wraps text. */
  private boolean wraps(int unit, int start) {
    int length = lineEnd - lineStart;
    byte first = bytes[Math.min(lineStart, to - 1)];
    if (bullet || first == '#' || first == '|' || isNumbered(unit) || tight >= 2) {
      return false;
    }
    byte last = lastOfLine();
    if (last == ':') {
      return false;
    }
    if (last == ',' || isSmall(unit, start)) {
      return true;
    }
    int next = units.end(unit) - units.start(unit);
    int width = widest();
    return length >= SHORTEST_WRAPPED
        && width <= WIDEST_WRAPPED
        && length + 1 + next >= width * 17 / 20;
  }

  /** True if the unit begins in lower case, in a script that has it. */
  private boolean isSmall(int unit, int start) {
    return (units.flags(unit) & (Units.WORD | Units.UPPER | Units.DIGITS)) == Units.WORD
        && (bytes[start] > 0 || Character.isLowerCase(Markup.codePoint(bytes, start, to)));
  }

  private byte lastOfLine() {
    int at = lineEnd;
    while (at > lineStart && bytes[at - 1] >= 0 && bytes[at - 1] <= ' ') {
      at--;
    }
    return at > lineStart ? bytes[at - 1] : 0;
  }

  /** True if the unit is the number or letter of a list item. */
  private boolean isNumbered(int unit) {
    int end = base + units.end(unit);
    int length = units.end(unit) - units.start(unit);
    return length <= 3
        && end + 1 < to
        && (bytes[end] == '.' || bytes[end] == ')')
        && (bytes[end + 1] == ' ' || bytes[end + 1] == '\t');
  }

  /** Length of the longest line of the text. */
  private int widest() {
    if (widest == 0) {
      int from = base;
      for (int i = base; i <= to; i++) {
        if (i == to || bytes[i] == '\n') {
          widest = Math.max(widest, i - from);
          from = i + 1;
        }
      }
    }
    return widest;
  }
}
