package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.WordKey;

/**
 * The keys under which a value is found: values of which one can carry the other have one in
 * common. The most particular comes first.
 */
final class ValueKeys {
  /** Most keys that a value has. */
  static final int MAX = 24;

  private static final int MILLION = 6;
  private static final int HALF_DAY = 12 * 3600;

  /** Significant digits by which converted values are found. */
  private static final double BASE_SCALE = 1e6;

  private static final int SAYS_ALL = 1;
  private static final int NUMBER = 2;
  private static final int BASE = 3;
  private static final int DATE = 4;
  private static final int TIME = 5;
  private static final int NAME = 6;
  private static final int AFTER = 7;
  private static final int BEFORE = 8;
  private static final int ROUNDED = 9;
  private static final int FIELD = 10;
  private static final long MIN_ACCOUNT = 10_000;

  private final ValueLexicon lexicon;
  private final WordKey hash;
  private final IdentifierReader names;
  private final int proportion;

  final long[] keys = new long[MAX];
  int count;

  ValueKeys(ValueLexicon lexicon) {
    this.lexicon = lexicon;
    hash = new WordKey(lexicon.seed());
    names = new IdentifierReader(new ValueTokens(lexicon, Values.Look.in(lexicon)), lexicon.seed());
    proportion = lexicon.units.percent;
  }

  private void put(int kind, long what) {
    if (count < MAX) {
      keys[count++] = hash.pair(kind, what);
    }
  }

  /** Makes the keys of a value. */
  void of(Values values, int i) {
    count = 0;
    long says = values.mantissa(i);
    switch (values.kind(i)) {
      case NUMBER -> number(values, i);
      case DATE -> date(says, values.is(i, Values.AMBIGUOUS));
      case TIME -> time(ValueTime.second(says), values.is(i, Values.AMBIGUOUS));
      case RATIO, VERSION, IDENTIFIER -> put(NAME, says);
    }
  }

  private void number(Values values, int i) {
    long mantissa = values.mantissa(i);
    int exponent = values.exponent(i);
    int unit = values.unit(i);
    put(
        SAYS_ALL,
        hash.pair(numeral(mantissa, exponent), unit * 8L + ValueComparison.sign(values, i)));
    put(NUMBER, numeral(mantissa, exponent));
    boolean ambiguous = values.is(i, Values.AMBIGUOUS);
    if (ambiguous) {
      put(NUMBER, numeral(mantissa, exponent - 3));
    }
    if (values.is(i, Values.FINGERPRINT)) {
      return;
    }
    rounded(values, i, mantissa, exponent);
    base(values, i, unit, 0);
    if (lexicon.units.isMetre(unit)) {
      // Population: 1.2m
      put(NUMBER, numeral(mantissa, exponent + MILLION));
    }
    if (ambiguous) {
      base(values, i, unit, -3);
    }
    if (unit != ValueLexicon.NO_UNIT && !lexicon.units.isHour(unit)) {
      return;
    }
    long whole = ValueComparison.wholeNumber(values, i);
    if (whole >= MIN_ACCOUNT) {
      put(NAME, names.ofDigits(whole));
    }
    long second = whole > 24 ? -1 : ValueComparison.secondOf(values, i);
    if (second >= 0) {
      put(TIME, second);
    }
  }

  /** What the number is when rounded, for those who say about or more than. */
  private void rounded(Values values, int i, long mantissa, int exponent) {
    if (values.is(i, Values.RATIONAL)) {
      return;
    }
    Values.Bound bound = values.bound(i);
    if (bound != Values.Bound.NONE && bound != Values.Bound.FROM && bound != Values.Bound.TO) {
      put(ROUNDED, numeral(mantissa, exponent));
    }
    long number = mantissa;
    int power = exponent;
    while (number >= 10) {
      number /= 10;
      power++;
      if (number < 1000) {
        putRounded(number, power);
        putRounded(number + 1, power);
      }
    }
  }

  private void putRounded(long number, int power) {
    long plain = number;
    int places = power;
    while (plain % 10 == 0) {
      plain /= 10;
      places++;
    }
    put(ROUNDED, numeral(plain, places));
  }

  private long numeral(long mantissa, int exponent) {
    return hash.pair(mantissa, exponent);
  }

  /** The value in the base unit of its dimension, so that other units find it. */
  private void base(Values values, int i, int unit, int shift) {
    double value = ValueComparison.value(values, i, shift);
    boolean bare = unit == ValueLexicon.NO_UNIT;
    int dimension = lexicon.units.dimension(bare ? proportion : unit);
    if (dimension == 0 || (bare && value >= 1)) {
      return;
    }
    double signed = ValueComparison.sign(values, i) == Values.MINUS && !bare ? -value : value;
    double base = StrictMath.abs(bare ? value : lexicon.units.inBase(unit, signed));
    if (base == 0 || !(base < Double.MAX_VALUE)) {
      put(BASE, dimension);
      return;
    }
    putBase(dimension, base);
    for (int places = 100; bare && values.is(i, Values.RATIONAL) && places <= 1000; places *= 10) {
      double rounded = StrictMath.rint(base * places) / places;
      if (rounded > 0) {
        putBase(dimension, rounded);
      }
    }
  }

  private void putBase(int dimension, double base) {
    int power = (int) StrictMath.floor(StrictMath.log10(base));
    double scaled = base / PlainNumber.tenTo(power) * BASE_SCALE;
    long nearest = (long) StrictMath.rint(scaled);
    put(BASE, base(dimension, power, nearest));
    double off = scaled - nearest;
    if (StrictMath.abs(off) > 0.4999) {
      // Two ways to the same value may round to either side.
      put(BASE, base(dimension, power, nearest + (off > 0 ? 1 : -1)));
    }
  }

  private long base(int dimension, int power, long digits) {
    boolean carried = digits >= 10 * BASE_SCALE;
    return hash.pair(
        dimension, hash.pair(carried ? power + 1 : power, carried ? digits / 10 : digits));
  }

  private void date(long date, boolean ambiguous) {
    int year = ValueDate.year(date);
    int month = ValueDate.month(date);
    int day = ValueDate.day(date);
    put(DATE, date);
    if (ambiguous) {
      put(DATE, ValueDate.exchanged(date));
      put(DATE, ValueDate.of(0, day, month));
    }
    if (day != 0 && year != 0) {
      put(DATE, ValueDate.of(0, month, day));
    }
    if (month != 0 && year != 0) {
      put(DATE, ValueDate.of(year, month, 0));
    }
    if (month != 0) {
      put(DATE, ValueDate.of(0, month, 0));
      int quarter = (month + 2) / 3;
      put(DATE, ValueDate.quarter(year, quarter));
      put(DATE, ValueDate.quarter(0, quarter));
      put(DATE, ValueDate.quarter(year, 5 + month / 7));
    } else if (ValueDate.quarterOf(date) != 0 && year != 0) {
      put(DATE, ValueDate.quarter(0, ValueDate.quarterOf(date)));
    }
    if (year != 0) {
      wholeNumber(year);
      put(DATE, ValueDate.decade(year / 10 * 10));
    }
    if (day != 0) {
      wholeNumber(day);
    }
  }

  private void wholeNumber(long number) {
    long mantissa = number;
    int exponent = 0;
    while (mantissa % 10 == 0) {
      mantissa /= 10;
      exponent++;
    }
    put(NUMBER, numeral(mantissa, exponent));
  }

  private void time(int second, boolean ambiguous) {
    put(TIME, second);
    if (ambiguous) {
      put(TIME, second % HALF_DAY + HALF_DAY);
    }
    if (second >= HALF_DAY) {
      put(TIME, second - HALF_DAY);
    }
  }

  /** True of a number that may be a year, which belongs to no word beside it. */
  private static boolean isYear(Values values, int i) {
    long whole = ValueComparison.wholeNumber(values, i);
    return whole >= 1000 && whole < 3000 && values.is(i, Values.PLAIN);
  }

  /**
   * Makes the keys of the words that a bare number belongs to; a year belongs to none.
   *
   * @param claimed any word before a number of a claim may be the name of a field of the evidence
   */
  void ofNeighbours(Values values, int i, boolean claimed) {
    count = 0;
    if (values.kind(i) != ValueKind.NUMBER || values.hasUnit(i) || isYear(values, i)) {
      return;
    }
    if (values.wordAfter(i) != 0 && !values.is(i, Values.NAMED)) {
      put(AFTER, values.wordAfter(i));
    }
    if (values.wordBefore(i) != 0 && values.is(i, Values.NAMED)) {
      put(BEFORE, values.wordBefore(i));
    }
    if (values.wordBefore(i) != 0
        && (claimed || (values.is(i, Values.FIELD) && !values.is(i, Values.WORDS)))) {
      put(FIELD, values.wordBefore(i));
    }
  }
}
