package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

/** Reads dates and times of day. The fields are those of what was read last. */
final class CalendarReader {
  /** How a text orders the numbers of a date that is all numbers. */
  enum Order {
    UNKNOWN,
    DAY_FIRST,
    MONTH_FIRST
  }

  /** The longest numeral of a month: VIII. */
  private static final int MAX_NUMERAL = 4;

  private final ValueTokens tokens;
  private Order order = Order.UNKNOWN;
  private boolean shortYears;

  ValueKind kind = ValueKind.DATE;

  /** A {@link ValueDate} or a {@link ValueTime}. */
  long packed;

  /** Day and month may be meant the other way round; a time may be twelve hours later. */
  boolean ambiguous;

  int first;
  int next;

  CalendarReader(ValueTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Tells what the text's own use or its language says.
   *
   * @param newShortYears 1.9.26 may be a date
   */
  void style(Order newOrder, boolean newShortYears) {
    order = newOrder;
    shortYears = newShortYears;
  }

  /** Reads a date or time that begins with digits. */
  boolean read(int token) {
    ambiguous = false;
    first = token;
    return !tokens.isLong(token) && (readTime(token) || readDate(token));
  }

  private boolean readDate(int token) {
    kind = ValueKind.DATE;
    return numeric(token)
        || dayFirst(token)
        || romanMonth(token)
        || han(token)
        || quarterBehind(token)
        || decade(token);
  }

  private boolean date(long year, long month, long day, int behind) {
    packed = ValueDate.of((int) year, (int) month, (int) day);
    next = behind;
    return true;
  }

  private boolean isNumber(int token, int minDigits, int maxDigits) {
    return tokens.type(token) == DIGITS
        && tokens.digits(token) >= minDigits
        && tokens.digits(token) <= maxDigits;
  }

  private boolean isGlued(int token, int minDigits, int maxDigits) {
    return isNumber(token, minDigits, maxDigits) && tokens.isGlued(token) && !tokens.isWords(token);
  }

  private static boolean isDay(long day) {
    return day >= 1 && day <= 31;
  }

  private static boolean isMonth(long month) {
    return month >= 1 && month <= 12;
  }

  /** 2026-09-01, 1.9.2026, 01/09/26, 09/2026, 2026-09. */
  private boolean numeric(int token) {
    if (tokens.isWords(token) || tokens.type(token + 1) != SYMBOL || !tokens.isGlued(token + 1)) {
      return false;
    }
    int separator = (int) tokens.value(token + 1);
    if ((separator != '-' && separator != '/' && separator != '.' && separator != 0x2013)
        || !isGlued(token + 2, 1, 4)) {
      return false;
    }
    boolean three =
        tokens.isSymbol(token + 3, separator)
            && tokens.isGlued(token + 3)
            && isGlued(token + 4, 1, 4);
    boolean four =
        three
            && tokens.isSymbol(token + 5, separator)
            && tokens.isGlued(token + 5)
            && isGlued(token + 6, 1, 9);
    if (four) {
      return false;
    }
    long a = tokens.value(token);
    long b = tokens.value(token + 2);
    if (!three) {
      if (separator == '/' && tokens.digits(token + 2) == 4 && isMonth(a) && isYear(token + 2)) {
        return date(b, a, 0, token + 3);
      }
      // am 1.9. um 8 Uhr
      if (separator == '.'
          && order == Order.DAY_FIRST
          && isDay(a)
          && isMonth(b)
          && tokens.isSymbol(token + 3, '.')
          && tokens.isGlued(token + 3)
          && !tokens.isGlued(token + 4)) {
        return date(0, b, a, token + 4);
      }
      boolean yearMonth = isYear(token) && tokens.digits(token + 2) == 2 && isMonth(b) && b < 10;
      return separator == '-' && yearMonth && date(a, b, 0, token + 3);
    }
    long c = tokens.value(token + 4);
    if (isYear(token)) {
      return isMonth(b) && isDay(c) && date(a, b, c, behindIso(token + 5));
    }
    boolean year = isYear(token + 4) && tokens.digits(token + 4) == 4;
    if (!year
        && tokens.digits(token + 4) == 2
        && (separator == '/' || (separator == '.' && shortYears))) {
      c += c < 70 ? 2000 : 1900;
      year = true;
    }
    return year && dayAndMonth(a, b, c, separator, token + 5);
  }

  private boolean dayAndMonth(long a, long b, long year, int separator, int behind) {
    boolean dayFirst = isDay(a) && isMonth(b);
    boolean monthFirst = isMonth(a) && isDay(b);
    if (!dayFirst && !monthFirst) {
      return false;
    }
    boolean points = separator == '.' || order == Order.DAY_FIRST;
    if (dayFirst && monthFirst) {
      ambiguous = separator != '.' && order == Order.UNKNOWN && a != b;
      return (order == Order.MONTH_FIRST && separator != '.')
          ? date(year, a, b, behind)
          : date(year, b, a, behind);
    }
    return (dayFirst || (points && isMonth(b)))
        ? date(year, b, a, behind)
        : date(year, a, b, behind);
  }

  private boolean isYear(int token) {
    return tokens.digits(token) == 4 && tokens.value(token) >= 1000 && tokens.value(token) <= 2999;
  }

  /** Behind an ISO date: the letter that the time follows. */
  private int behindIso(int token) {
    boolean time =
        tokens.type(token) == WORD
            && tokens.isGlued(token)
            && tokens.end(token) - tokens.start(token) == 1
            && isGlued(token + 1, 2, 2);
    return time ? token + 1 : token;
  }

  /** 1 September 2026, 1st of September, 1. September, 1 de septiembre de 2026. */
  private boolean dayFirst(int token) {
    if (!isNumber(token, 1, 2) || !isDay(tokens.value(token))) {
      return false;
    }
    int i = behindOrdinal(token + 1);
    if (tokens.is(i, WordRole.OF) && tokens.gap(i) == SPACE) {
      i++;
    }
    int month = month(i);
    // "No one may enter" is no day in May.
    boolean verb =
        month != 0
            && tokens.isWords(token)
            && tokens.lexicon.isMonthGated(tokens.entry(i))
            && tokens.byteAt(tokens.start(i)) >= 'a';
    if (month == 0 || verb) {
      return false;
    }
    i = behindPoint(i + 1);
    return year(month, tokens.value(token), i);
  }

  /** 12.III.2026, 12 III 2026. */
  private boolean romanMonth(int token) {
    if (!isNumber(token, 1, 2) || !isDay(tokens.value(token)) || tokens.isWords(token)) {
      return false;
    }
    int numeral = behindPoint(token + 1);
    int month = tokens.gap(numeral) <= NARROW ? romanNumber(numeral) : 0;
    int year = behindPoint(numeral + 1);
    return isMonth(month)
        && isNumber(year, 4, 4)
        && isYear(year)
        && tokens.gap(year) <= NARROW
        && !tokens.isWords(year)
        && date(tokens.value(year), month, tokens.value(token), year + 1);
  }

  /** The number that a few capitals are, or 0. */
  private int romanNumber(int token) {
    if (tokens.type(token) != WORD || tokens.end(token) - tokens.start(token) > MAX_NUMERAL) {
      return 0;
    }
    int number = 0;
    int last = 0;
    for (int i = tokens.end(token) - 1; i >= tokens.start(token); i--) {
      int digit =
          switch (tokens.byteAt(i)) {
            case 'I' -> 1;
            case 'V' -> 5;
            case 'X' -> 10;
            default -> 0;
          };
      if (digit == 0) {
        return 0;
      }
      number += digit < last ? -digit : digit;
      last = Math.max(last, digit);
    }
    return number;
  }

  private int behindOrdinal(int token) {
    if (tokens.isGlued(token)
        && (tokens.isSymbol(token, '.') || tokens.is(token, WordRole.ORDINAL))) {
      return token + 1;
    }
    return token;
  }

  private int behindPoint(int token) {
    return tokens.isSymbol(token, '.') && tokens.isGlued(token) ? token + 1 : token;
  }

  private int month(int token) {
    int entry = tokens.entry(token);
    boolean near = tokens.gap(token) <= NARROW;
    if (!near && tokens.isSymbol(token, '-')) {
      return 0;
    }
    return entry == 0 || !near ? 0 : tokens.lexicon.month(entry);
  }

  /** The year behind day and month, if there is one. */
  private boolean year(int month, long day, int token) {
    int i = token;
    if (tokens.isSymbol(i, ',') && tokens.isGlued(i)) {
      i++;
    }
    if (tokens.is(i, WordRole.OF) && tokens.gap(i) == SPACE) {
      i++;
    }
    if (isNumber(i, 4, 4)
        && isYear(i)
        && tokens.gap(i) <= NARROW
        && !tokens.isWords(i)
        && !isGroupOf(i)) {
      return date(tokens.value(i), month, day, i + 1);
    }
    return date(0, month, day, token);
  }

  /** True if digits go on behind a point or colon: 1200.50 is no year. */
  private boolean isGroupOf(int token) {
    return tokens.type(token + 1) == SYMBOL
        && tokens.isGlued(token + 1)
        && tokens.type(token + 2) == DIGITS
        && tokens.isGlued(token + 2)
        && (tokens.value(token + 1) == '.' || tokens.value(token + 1) == ':');
  }

  /** Reads a date that begins with the name of a month. */
  boolean readMonth(int token) {
    ambiguous = false;
    first = token;
    kind = ValueKind.DATE;
    int entry = tokens.entry(token);
    int month = entry == 0 ? 0 : tokens.lexicon.month(entry);
    if (month == 0) {
      return false;
    }
    boolean gated = tokens.lexicon.isMonthGated(entry);
    int initial = tokens.byteAt(tokens.start(token));
    boolean capital = initial >= 'A' && initial <= 'Z';
    int i = behindPoint(token + 1);
    if (isNumber(i, 1, 2)
        && isDay(tokens.value(i))
        && tokens.gap(i) <= NARROW
        && !tokens.isWords(i)
        && (capital || !gated)
        && !isTimeOrDecimal(i)) {
      int behind = behindOrdinal(i + 1);
      if (tokens.isSymbol(behind - 1, '.')) {
        behind = i + 1;
      }
      return year(month, tokens.value(i), behind);
    }
    int j = i;
    if ((tokens.is(j, WordRole.OF) && tokens.gap(j) == SPACE)
        || (tokens.isSymbol(j, ',') && tokens.isGlued(j))) {
      j++;
    }
    if (isNumber(j, 4, 4) && isYear(j) && tokens.gap(j) <= NARROW && !isGroupOf(j)) {
      return date(tokens.value(j), month, 0, j + 1);
    }
    return !gated && date(0, month, 0, token + 1);
  }

  private boolean isTimeOrDecimal(int token) {
    return tokens.type(token + 1) == SYMBOL
        && tokens.isGlued(token + 1)
        && tokens.type(token + 2) == DIGITS
        && tokens.isGlued(token + 2)
        && tokens.value(token + 1) != '-'
        && tokens.value(token + 1) != 0x2013;
  }

  /** 2026年9月1日, 9月1日. */
  private boolean han(int token) {
    if (isHan(token + 1, '年') && isNumber(token, 4, 4)) {
      if (isNumber(token + 2, 1, 2) && isHan(token + 3, '月') && isMonth(tokens.value(token + 2))) {
        boolean day = isNumber(token + 4, 1, 2) && isDayMark(token + 5);
        return date(
            tokens.value(token),
            tokens.value(token + 2),
            day ? tokens.value(token + 4) : 0,
            token + (day ? 6 : 4));
      }
      return date(tokens.value(token), 0, 0, token + 2);
    }
    if (isHan(token + 1, '月') && isNumber(token, 1, 2) && isMonth(tokens.value(token))) {
      boolean day = isNumber(token + 2, 1, 2) && isDayMark(token + 3);
      return date(0, tokens.value(token), day ? tokens.value(token + 2) : 0, token + (day ? 4 : 2));
    }
    return false;
  }

  private boolean isDayMark(int token) {
    return isHan(token, '日') || isHan(token, '号');
  }

  private boolean isHan(int token, int c) {
    return tokens.type(token) == HAN && tokens.gap(token) <= SPACE && tokens.isHan(token, c);
  }

  /** 3rd quarter 2026. */
  private boolean quarterBehind(int token) {
    if (!isNumber(token, 1, 1) || tokens.value(token) < 1 || tokens.value(token) > 4) {
      return false;
    }
    int i = behindOrdinal(token + 1);
    return i > token + 1
        && tokens.is(i, WordRole.QUARTER)
        && quarter((int) tokens.value(token), i + 1);
  }

  /** A quarter or half year, with the year behind or before it. */
  boolean quarter(int part, int behind) {
    kind = ValueKind.DATE;
    ambiguous = false;
    int i = behind;
    if (tokens.isSymbol(i, '/')
        || tokens.isSymbol(i, '-')
        || tokens.isSymbol(i, '\'')
        || tokens.is(i, WordRole.OF)) {
      i++;
    }
    boolean year = isNumber(i, 4, 4) && isYear(i) && tokens.gap(i) <= NARROW;
    packed = ValueDate.quarter(year ? (int) tokens.value(i) : 0, part);
    next = year ? i + 1 : behind;
    return true;
  }

  /** 1990s, 90er. */
  private boolean decade(int token) {
    long value = tokens.value(token);
    if (tokens.isWords(token)
        || value % 10 != 0
        || (tokens.digits(token) != 4 && tokens.digits(token) != 2)) {
      return false;
    }
    int i = tokens.isSymbol(token + 1, '\'') ? token + 2 : token + 1;
    if (!tokens.isGlued(i) || !tokens.is(i, WordRole.DECADE)) {
      return false;
    }
    if (tokens.digits(token) == 4
        ? !isYear(token)
        : value < 20
            || (tokens.byteAt(tokens.start(i)) == 's' && i == token + 1 && !isAfterThe(token))) {
      return false;
    }
    packed = ValueDate.decade((int) (value < 100 ? 1900 + value : value));
    next = i + 1;
    return true;
  }

  /** 90s may be seconds; the 90s are years. */
  private boolean isAfterThe(int token) {
    return token > 0 && tokens.is(token - 1, WordRole.THE);
  }

  private boolean readTime(int token) {
    kind = ValueKind.TIME;
    if (!isNumber(token, 1, 2) || tokens.value(token) > 24) {
      return false;
    }
    long hour = tokens.value(token);
    long minute = -1;
    long second = 0;
    int i = token + 1;
    boolean colon = tokens.isSymbol(i, ':') && tokens.isGlued(i) && isGlued(i + 1, 2, 2);
    boolean point = tokens.isSymbol(i, '.') && tokens.isGlued(i) && isGlued(i + 1, 2, 2);
    if ((colon || point) && tokens.value(i + 1) < 60) {
      minute = tokens.value(i + 1);
      i += 2;
      if (tokens.isSymbol(i, colon ? ':' : '.')
          && tokens.isGlued(i)
          && isGlued(i + 1, 2, 2)
          && tokens.value(i + 1) < 60) {
        second = tokens.value(i + 1);
        i += 2;
        if (tokens.isSymbol(i, '.') && isGlued(i + 1, 1, 9) && tokens.isGlued(i)) {
          i += 2;
        }
        colon |= false;
      }
      if (tokens.isSymbol(i, colon ? ':' : '.') && tokens.isGlued(i) && isGlued(i + 1, 1, 9)) {
        return false;
      }
    } else if (isHourLetter(i)
        && (isGlued(i + 1, 2, 2) || (isAt(token) && isNumber(i + 1, 2, 2)))
        && tokens.value(i + 1) < 60) {
      return time(token, hour, tokens.value(i + 1), 0, i + 2, true);
    } else if ((isHan(i, '时') || isHan(i, '点')) && !isHan(i + 1, '间')) {
      boolean minutes = isNumber(i + 1, 1, 2) && isHan(i + 2, '分');
      return time(token, hour, minutes ? tokens.value(i + 1) : 0, 0, i + (minutes ? 3 : 1), true);
    }
    boolean half = isHalf(i);
    boolean clock =
        !half
            && tokens.is(i, WordRole.CLOCK)
            && tokens.gap(i) <= SPACE
            && (minute >= 0 || tokens.isClockOnly(i));
    if (half || clock) {
      int behind =
          clock
                  && minute < 0
                  && isNumber(i + 1, 2, 2)
                  && tokens.gap(i + 1) <= SPACE
                  && tokens.value(i + 1) < 60
              ? i + 2
              : -1;
      return behind > 0
          ? time(token, hour, tokens.value(i + 1), 0, behind, true)
          : time(token, hour, StrictMath.max(0, minute), second, i, clock);
    }
    return colon && minute >= 0 && time(token, hour, minute, second, i, false);
  }

  /**
   * Reads the words before an hour that say the minutes: half past nine, quarter to ten, halb zehn.
   *
   * @return how many there are; 0 for an hour without
   */
  int readClockWords(int token) {
    long hour = tokens.value(token);
    if (hour < 1 || hour > 12 || token == 0 || tokens.typeBefore(token) != WORD) {
      return 0;
    }
    if (tokens.is(token - 1, WordRole.HALFHOUR)) {
      return clock(token, hour * 60 - 30, 1);
    }
    if (token < 2 || tokens.type(token - 2) != WORD) {
      return 0;
    }
    boolean half = tokens.is(token - 2, WordRole.HALFPART);
    int minutes = half ? 30 : tokens.is(token - 2, WordRole.QUARTER) ? 15 : 0;
    if (minutes > 0 && tokens.is(token - 1, WordRole.PASTHOUR)) {
      return clock(token, hour * 60 + minutes, 2);
    }
    return minutes == 15 && tokens.is(token - 1, WordRole.TOHOUR)
        ? clock(token, hour * 60 - minutes, 2)
        : 0;
  }

  private int clock(int token, long minutes, int words) {
    kind = ValueKind.TIME;
    packed = ValueTime.of((int) (minutes % 720 * 60), 0);
    ambiguous = true;
    next = token + 1;
    return words;
  }

  /** True behind "at": 10 h 15 by itself is a length of time. */
  private boolean isAt(int token) {
    return token > 0
        && tokens.typeBefore(token) == WORD
        && tokens.is(token - 1, WordRole.ATTIME)
        && tokens.gap(token + 2) <= SPACE;
  }

  private boolean isHourLetter(int token) {
    return tokens.type(token) == WORD
        && tokens.gap(token) <= SPACE
        && tokens.end(token) - tokens.start(token) == 1
        && tokens.byteAt(tokens.start(token)) == 'h';
  }

  /** am, pm, a.m., p.m. */
  private boolean isHalf(int token) {
    if (tokens.type(token) != WORD || tokens.gap(token) > NARROW) {
      return false;
    }
    return tokens.is(token, WordRole.AM)
        || tokens.is(token, WordRole.PM)
        || (tokens.isSymbol(token + 1, '.')
            && tokens.type(token + 2) == WORD
            && tokens.isGlued(token + 1)
            && tokens.isLetter(token + 2, 'm')
            && (tokens.isLetter(token, 'a') || tokens.isLetter(token, 'p')));
  }

  private boolean time(int token, long hour, long minute, long second, int behind, boolean whole) {
    int i = behind;
    boolean afternoon = isHanAfternoon(token);
    boolean half = afternoon;
    if (!whole && isHalf(i)) {
      half = true;
      afternoon = (tokens.byteAt(tokens.start(i)) | 0x20) == 'p';
      i +=
          tokens.isSymbol(i + 1, '.') && tokens.type(i + 2) == WORD && tokens.isLetter(i + 2, 'm')
              ? 3
              : 1;
      if (tokens.isSymbol(i, '.')
          && tokens.isGlued(i)
          && tokens.isSymbol(i - 2, '.')
          && tokens.gap(i + 1) <= SPACE) {
        i++;
      }
    } else if (whole && tokens.is(i, WordRole.CLOCK)) {
      i++;
    }
    long hours = hour;
    if (half && hour <= 12) {
      hours = hour % 12 + (afternoon ? 12 : 0);
    }
    ambiguous =
        !half && !whole && hour >= 1 && hour <= 12 && tokens.digits(token) == (hour > 9 ? 2 : 1);
    int zone = 0;
    if (tokens.type(i) == WORD && tokens.gap(i) <= SPACE && tokens.isZone(i)) {
      zone = tokens.zone(i);
      i++;
    } else if ((tokens.isSymbol(i, '+') || tokens.isSymbol(i, '-') || tokens.isSymbol(i, 0x2212))
        && tokens.isGlued(i)
        && isGlued(i + 1, 2, 2)
        && tokens.isSymbol(i + 2, ':')
        && isGlued(i + 3, 2, 2)) {
      long offset = tokens.value(i + 1) * 60 + tokens.value(i + 3);
      zone =
          (int)
              (offset == 0
                  ? ValueTime.UTC
                  : ValueTime.OFFSET + (tokens.value(i) == '+' ? offset : -offset));
      i += 4;
    }
    kind = ValueKind.TIME;
    packed = ValueTime.of((int) (hours * 3600 + minute * 60 + second), zone);
    next = i;
    return true;
  }

  /** 下午 6 点, 午後6時. */
  private boolean isHanAfternoon(int token) {
    return token >= 2
        && tokens.typeBefore(token) == HAN
        && ((isHan(token - 1, '午') && isHan(token - 2, '下'))
            || (isHan(token - 1, '后') && isHan(token - 2, '午'))
            || (isHan(token - 1, '後') && isHan(token - 2, '午')));
  }
}
