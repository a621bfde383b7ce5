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

  /** The date with day and month exchanged. */
  @SuppressWarnings("ArgumentSelectionDefectChecker") // that is what it is for
  static long exchanged(long date) {
    return of(year(date), day(date), month(date));
  }
}
