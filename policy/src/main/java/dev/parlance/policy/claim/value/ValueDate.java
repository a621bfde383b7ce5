package dev.parlance.policy.claim.value;

/**
 * Dates as numbers: day in 5 bits, month in 4, quarter (half years are 5 and 6) in 3, year in 12,
 * and one that says that the whole decade is meant. 0 is what is not said.
 */
final class ValueDate {
  private static final int MONTH = 5;
  private static final int QUARTER = 9;
  private static final int YEAR = 12;
  private static final int DECADE = 24;

  /** No leap year. */
  private static final int COMMON_YEAR = 2025;

  private ValueDate() {}

  static long of(int year, int month, int day) {
    return (long) year << YEAR | (long) month << MONTH | day;
  }

  static long quarter(int year, int quarter) {
    return (long) year << YEAR | (long) quarter << QUARTER;
  }

  static long decade(int year) {
    return (long) year << YEAR | 1L << DECADE;
  }

  static int day(long date) {
    return (int) date & 31;
  }

  static int month(long date) {
    return (int) (date >> MONTH) & 15;
  }

  static int quarterOf(long date) {
    return (int) (date >> QUARTER) & 7;
  }

  static int year(long date) {
    return (int) (date >> YEAR) & 4095;
  }

  static boolean isDecade(long date) {
    return (date >> DECADE & 1) != 0;
  }

  /**
   * Days from one date to a later one, of the same year if one of them has none; 0 if a day or
   * month is not said.
   */
  static long days(long begin, long end) {
    int year = year(begin) != 0 ? year(begin) : year(end) != 0 ? year(end) : COMMON_YEAR;
    int other = year(end) != 0 ? year(end) : year;
    boolean whole = month(begin) * day(begin) * month(end) * day(end) != 0;
    return whole
        ? dayNumber(other, month(end), day(end)) - dayNumber(year, month(begin), day(begin))
        : 0;
  }

  /** Days since one long ago, in the Gregorian calendar: a year begins with March for it. */
  private static long dayNumber(int year, int month, int day) {
    long y = month < 3 ? year - 1 : year;
    int m = month < 3 ? month + 9 : month - 3;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
  }

  /** The date with day and month exchanged. */
  @SuppressWarnings("ArgumentSelectionDefectChecker") // that is what it is for
  static long exchanged(long date) {
    return of(year(date), day(date), month(date));
  }
}
