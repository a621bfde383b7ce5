package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.value.Values.Bound;

/**
 * Compares values by what they say. Pure: depends on the two values only; a value with two readings
 * is the better of them.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public final class ValueComparison {
  /** Of doubles that come of exact numbers by one or two roundings. */
  private static final double EXACT = 1e-9;

  private static final int HALF_DAY = 12 * 3600;
  private static final int DAY = 2 * HALF_DAY;
  private static final double MILLION = 1e6;

  private final ValueLexicon lexicon;
  private final IdentifierReader names;

  public ValueComparison(ValueLexicon lexicon) {
    this.lexicon = lexicon;
    names = new IdentifierReader(new ValueTokens(lexicon, Values.Look.in(lexicon)), lexicon.seed());
  }

  /**
   * How value {@code i} of a claim stands to value {@code j} of the evidence. Not symmetric: a
   * claim may say less than its evidence (2026 for 1 September 2026), and may round.
   */
  public ValueMatch match(Values claim, int i, Values evidence, int j) {
    ValueKind kind = claim.kind(i);
    ValueKind other = evidence.kind(j);
    if (kind != other) {
      return ofTwoKinds(claim, i, kind, evidence, j, other);
    }
    return switch (kind) {
      case NUMBER -> numbers(claim, i, evidence, j);
      case DATE -> dates(claim, i, evidence, j);
      case TIME -> withBounds(times(claim, i, evidence, j), claim, i, evidence, j);
      case RATIO, VERSION ->
          claim.mantissa(i) == evidence.mantissa(j) ? ValueMatch.SAME : ValueMatch.IDENTIFIER;
      case IDENTIFIER -> names(claim, i, evidence, j);
    };
  }

  private static ValueMatch names(Values claim, int i, Values evidence, int j) {
    int a = claim.exponent(i);
    int b = evidence.exponent(j);
    return claim.mantissa(i) == evidence.mantissa(j) && (a == b || a == 0 || b == 0)
        ? ValueMatch.SAME
        : ValueMatch.IDENTIFIER;
  }

  private ValueMatch ofTwoKinds(
      Values claim, int i, ValueKind kind, Values evidence, int j, ValueKind other) {
    if (kind == ValueKind.NUMBER) {
      return switch (other) {
        case DATE -> numberAndDate(claim, i, evidence.mantissa(j));
        case TIME -> numberAndTime(claim, i, evidence.mantissa(j));
        case IDENTIFIER ->
            isDigitsOf(claim, i, evidence.mantissa(j)) ? ValueMatch.SAME : ValueMatch.OTHER;
        default -> ValueMatch.OTHER;
      };
    }
    if (other == ValueKind.NUMBER) {
      return switch (kind) {
        case DATE -> dateAndNumber(claim.mantissa(i), evidence, j);
        case TIME -> numberAndTime(evidence, j, claim.mantissa(i));
        case IDENTIFIER ->
            isDigitsOf(evidence, j, claim.mantissa(i)) ? ValueMatch.SAME : ValueMatch.OTHER;
        default -> ValueMatch.OTHER;
      };
    }
    return ValueMatch.OTHER;
  }

  private boolean isDigitsOf(Values numbers, int i, long fingerprint) {
    long whole = wholeNumber(numbers, i);
    return whole > 0
        && numbers.unit(i) == ValueLexicon.NO_UNIT
        && names.ofDigits(whole) == fingerprint;
  }

  /** A number as a whole one, or -1. */
  static long wholeNumber(Values values, int i) {
    int exponent = values.exponent(i);
    if (values.is(i, Values.RATIONAL | Values.FINGERPRINT) || exponent < 0 || exponent > 18) {
      return -1;
    }
    long power = PlainNumber.power10(exponent);
    return values.mantissa(i) <= Long.MAX_VALUE / power ? values.mantissa(i) * power : -1;
  }

  private static boolean isBare(Values values, int i) {
    return values.unit(i) == ValueLexicon.NO_UNIT && values.is(i, Values.PLAIN);
  }

  /** A year or day alone, where the evidence has the whole date. */
  private static ValueMatch numberAndDate(Values claim, int i, long date) {
    long number = wholeNumber(claim, i);
    if (!isBare(claim, i) || number <= 0) {
      return ValueMatch.OTHER;
    }
    if (number == ValueDate.year(date) && number >= 1000) {
      return ValueDate.isDecade(date) ? ValueMatch.NUMBER_ONLY : ValueMatch.SAME;
    }
    return number == ValueDate.day(date)
        ? claim.is(i, Values.ORDINAL) ? ValueMatch.SAME : ValueMatch.NUMBER_ONLY
        : ValueMatch.OTHER;
  }

  private static ValueMatch dateAndNumber(long date, Values evidence, int j) {
    long number = wholeNumber(evidence, j);
    boolean only =
        number > 0
            && isBare(evidence, j)
            && ((ValueDate.year(date) == number && ValueDate.month(date) == 0)
                || (ValueDate.year(date) == 0 && ValueDate.day(date) == number));
    return only ? ValueMatch.NUMBER_ONLY : ValueMatch.OTHER;
  }

  /** 18.10 is ten past six where the other one is a time. */
  private ValueMatch numberAndTime(Values numbers, int i, long time) {
    int unit = numbers.unit(i);
    // à 14 h, om 18 uur
    boolean hour = lexicon.units.isHour(unit) && numbers.lastPlace(i) == 0;
    if (numbers.is(i, Values.RATIONAL | Values.FINGERPRINT)
        || (unit != ValueLexicon.NO_UNIT && !hour)) {
      return ValueMatch.OTHER;
    }
    long second = secondOf(numbers, i);
    int other = ValueTime.second(time);
    return second < 0
        ? ValueMatch.OTHER
        : second == other
            ? numbers.lastPlace(i) == -2 ? ValueMatch.SAME : ValueMatch.NUMBER_ONLY
            : second % HALF_DAY == other % HALF_DAY && second < other
                ? ValueMatch.NUMBER_ONLY
                : ValueMatch.OTHER;
  }

  /** Equal shares; a third is 33 percent, too. */
  private static boolean isShare(double a, double b, boolean periodic) {
    return isNear(a, b) || (periodic && StrictMath.abs(a - b) < 0.005);
  }

  /** The time of day that a number is if it is one: 18.10, 18; or -1. */
  static long secondOf(Values numbers, int i) {
    int place = numbers.lastPlace(i);
    int shift = numbers.exponent(i) - place;
    if ((place != -2 && place != 0) || shift < 0 || shift > 4) {
      return -1;
    }
    long digits = numbers.mantissa(i) * PlainNumber.power10(shift);
    long hour = place == 0 ? digits : digits / 100;
    long minute = place == 0 ? 0 : digits % 100;
    return digits >= 0 && hour <= 24 && minute < 60 ? hour * 3600 + minute * 60 : -1;
  }

  private static ValueMatch times(Values claim, int i, Values evidence, int j) {
    long a = claim.mantissa(i);
    long b = evidence.mantissa(j);
    int zone = ValueTime.zone(a);
    int otherZone = ValueTime.zone(b);
    if (zone != 0 && otherZone != 0 && zone != otherZone) {
      return ValueMatch.TIME;
    }
    boolean lacking = zone != 0 && otherZone == 0;
    // 24:00 is midnight
    int second = ValueTime.second(a) % DAY;
    int other = ValueTime.second(b) % DAY;
    if (second == other) {
      boolean half = claim.is(i, Values.AMBIGUOUS) != evidence.is(j, Values.AMBIGUOUS);
      return lacking || (half && second < HALF_DAY && evidence.is(j, Values.AMBIGUOUS))
          ? ValueMatch.NUMBER_ONLY
          : ValueMatch.SAME;
    }
    boolean later =
        (claim.is(i, Values.AMBIGUOUS) && second % HALF_DAY + HALF_DAY == other)
            || (evidence.is(j, Values.AMBIGUOUS) && other % HALF_DAY + HALF_DAY == second);
    return later ? ValueMatch.NUMBER_ONLY : ValueMatch.TIME;
  }

  private static ValueMatch dates(Values claim, int i, Values evidence, int j) {
    long a = claim.mantissa(i);
    long b = evidence.mantissa(j);
    ValueMatch match = withBounds(dates(a, b), claim, i, evidence, j);
    if (claim.is(i, Values.AMBIGUOUS)) {
      match = match.better(dates(ValueDate.exchanged(a), b));
    }
    if (evidence.is(j, Values.AMBIGUOUS)) {
      match = match.better(dates(a, ValueDate.exchanged(b)));
    }
    return match;
  }

  private static ValueMatch dates(long a, long b) {
    if (ValueDate.isDecade(a) || ValueDate.isDecade(b)) {
      boolean within = ValueDate.year(a) / 10 == ValueDate.year(b) / 10;
      return !within
          ? ValueMatch.DATE
          : ValueDate.isDecade(a) ? ValueMatch.SAME : ValueMatch.NUMBER_ONLY;
    }
    int part = ValueDate.quarterOf(a);
    if (part != 0 && ValueDate.quarterOf(b) == 0 && ValueDate.month(b) != 0) {
      int month = ValueDate.month(b) - 1;
      boolean within = part <= 4 ? month / 3 == part - 1 : month / 6 == part - 5;
      return !within ? ValueMatch.DATE : oneYear(ValueDate.year(a), ValueDate.year(b));
    }
    int more = 0;
    int common = 0;
    for (int field = 0; field < 4; field++) {
      int x = field(a, field);
      int y = field(b, field);
      if (x != 0 && y != 0) {
        if (x != y) {
          return ValueMatch.DATE;
        }
        common++;
      } else if (x != 0) {
        more++;
      }
    }
    return common == 0 ? ValueMatch.OTHER : more > 0 ? ValueMatch.NUMBER_ONLY : ValueMatch.SAME;
  }

  private static ValueMatch oneYear(int year, int other) {
    return year == 0 || year == other
        ? ValueMatch.SAME
        : other == 0 ? ValueMatch.NUMBER_ONLY : ValueMatch.DATE;
  }

  private static int field(long date, int field) {
    return switch (field) {
      case 0 -> ValueDate.day(date);
      case 1 -> ValueDate.month(date);
      case 2 -> ValueDate.quarterOf(date);
      default -> ValueDate.year(date);
    };
  }

  private ValueMatch numbers(Values claim, int i, Values evidence, int j) {
    ValueMatch match = numbers(claim, i, 0, evidence, j, 0);
    if (claim.is(i, Values.AMBIGUOUS) && !match.isCarried()) {
      match = match.better(numbers(claim, i, -3, evidence, j, 0));
    }
    if (evidence.is(j, Values.AMBIGUOUS) && !match.isCarried()) {
      match = match.better(numbers(claim, i, 0, evidence, j, -3));
    }
    return match;
  }

  private ValueMatch numbers(
      Values claim, int i, int shift, Values evidence, int j, int otherShift) {
    boolean equal = isEqual(claim, i, shift, evidence, j, otherShift);
    int unit = claim.unit(i);
    int other = evidence.unit(j);
    ValueMatch match;
    if (equal) {
      match = units(unit, other);
      // -40 °C are -40 °F.
      if (match == ValueMatch.UNIT
          && lexicon.units.dimension(unit) == lexicon.units.dimension(other)) {
        match = otherNumbers(claim, i, shift, evidence, j, otherShift).better(ValueMatch.UNIT);
      }
      if (match == ValueMatch.SAME && isOtherVersion(claim, i, evidence, j)) {
        match = ValueMatch.NUMBER;
      }
    } else {
      match = otherNumbers(claim, i, shift, evidence, j, otherShift);
    }
    if (!match.isCarried()) {
      return match;
    }
    if (sign(claim, i) != sign(evidence, j)) {
      return ValueMatch.SIGN;
    }
    return withBounds(match, claim, i, evidence, j);
  }

  private static boolean isEqual(
      Values claim, int i, int shift, Values evidence, int j, int otherShift) {
    int kinds = Values.RATIONAL | Values.FINGERPRINT;
    return claim.mantissa(i) == evidence.mantissa(j)
        && (claim.exponent(i) + shift == evidence.exponent(j) + otherShift)
        && (claim.flags(i) & kinds) == (evidence.flags(j) & kinds);
  }

  /** 2.10 is another version than 2.1. */
  private static boolean isOtherVersion(Values claim, int i, Values evidence, int j) {
    return claim.is(i, Values.NAMED)
        && evidence.is(j, Values.NAMED)
        && claim.lastPlace(i) != evidence.lastPlace(j)
        && claim.lastPlace(i) < 0
        && evidence.lastPlace(j) < 0;
  }

  /** True of 4.2 and 4.3.1, both of which a name stands before. */
  public boolean areVersions(Values claim, int i, Values evidence, int j) {
    return isVersion(claim, i) && isVersion(evidence, j);
  }

  private static boolean isVersion(Values values, int i) {
    return values.is(i, Values.NAMED)
        && (values.kind(i) == ValueKind.VERSION || values.lastPlace(i) < 0);
  }

  /** True of a percentage. */
  public boolean isProportion(Values values, int i) {
    return values.kind(i) == ValueKind.NUMBER && lexicon.units.isProportion(values.unit(i));
  }

  /** True if the two are of one kind: both years, both amounts of a currency, both bare numbers. */
  public boolean isAlike(Values claim, int i, Values evidence, int j) {
    if (areVersions(claim, i, evidence, j)) {
      return true;
    }
    return claim.kind(i) == evidence.kind(j)
        && lexicon.units.dimension(claim.unit(i)) == lexicon.units.dimension(evidence.unit(j))
        && claim.hasUnit(i) == evidence.hasUnit(j)
        && isCalendar(claim, i) == isCalendar(evidence, j);
  }

  /** True of degrees that do not say which, and degrees of temperature. */
  private boolean isDegrees(int unit, int other) {
    return lexicon.units.isAngle(unit) && lexicon.units.isTemperature(other);
  }

  private ValueMatch units(int unit, int other) {
    if (unit == other) {
      return ValueMatch.SAME;
    }
    if (unit == ValueLexicon.NO_UNIT
        || other == ValueLexicon.NO_UNIT
        || isDegrees(unit, other)
        || isDegrees(other, unit)) {
      return ValueMatch.NUMBER_ONLY;
    }
    if (lexicon.units.isCurrency(unit) && lexicon.units.isCurrency(other)) {
      return ValueMatch.CURRENCY;
    }
    // 5 € and 5 €/month: one of them says less.
    boolean part =
        (CompoundUnit.right(unit) != 0
                && CompoundUnit.left(unit) == other
                && CompoundUnit.leftPower(unit) == 1)
            || (CompoundUnit.right(other) != 0
                && CompoundUnit.left(other) == unit
                && CompoundUnit.leftPower(other) == 1);
    return part ? ValueMatch.NUMBER_ONLY : ValueMatch.UNIT;
  }

  private ValueMatch otherNumbers(
      Values claim, int i, int shift, Values evidence, int j, int otherShift) {
    int unit = claim.unit(i);
    int other = evidence.unit(j);
    if (isFingerprint(claim, i) || isFingerprint(evidence, j)) {
      return ValueMatch.NUMBER;
    }
    double a = value(claim, i, shift);
    double b = value(evidence, j, otherShift);
    if (unit == other) {
      return isRounded(claim, i, shift, a, b) ? ValueMatch.ROUNDED : ValueMatch.NUMBER;
    }
    if (unit == ValueLexicon.NO_UNIT || other == ValueLexicon.NO_UNIT) {
      int proportion = unit == ValueLexicon.NO_UNIT ? other : unit;
      if (lexicon.units.isProportion(proportion)
          && isShare(
              lexicon.units.isProportion(unit) ? lexicon.units.inBase(unit, a) : a,
              lexicon.units.isProportion(other) ? lexicon.units.inBase(other, b) : b,
              claim.is(i, Values.RATIONAL) || evidence.is(j, Values.RATIONAL))) {
        return ValueMatch.CONVERTED;
      }
      // Population: 1.2m
      boolean millions =
          (lexicon.units.isMetre(unit) && isNear(a * MILLION, b))
              || (lexicon.units.isMetre(other) && isNear(a, b * MILLION));
      return millions ? ValueMatch.CONVERTED : ValueMatch.NUMBER;
    }
    int dimension = lexicon.units.dimension(unit);
    if (dimension == 0 || dimension != lexicon.units.dimension(other)) {
      return ValueMatch.NUMBER;
    }
    double signed = sign(claim, i) == Values.MINUS ? -a : a;
    double otherSigned = sign(evidence, j) == Values.MINUS ? -b : b;
    double base = lexicon.units.inBase(unit, signed);
    double otherBase = lexicon.units.inBase(other, otherSigned);
    if (isNear(base, otherBase)) {
      return ValueMatch.CONVERTED;
    }
    // Converted and rounded: half of the last place that the claim gives, if that is little.
    double place = PlainNumber.tenTo(claim.lastPlace(i) + shift);
    double half = StrictMath.abs(lexicon.units.inBase(unit, signed + place / 2) - base);
    boolean fine = a >= 100 * place || (claim.bound(i) == Bound.ABOUT && a >= 10 * place);
    return fine && StrictMath.abs(base - otherBase) <= half * (1 + EXACT)
        ? ValueMatch.CONVERTED
        : ValueMatch.NUMBER;
  }

  /**
   * True if the claim says about or a bound, and its number is the other one rounded to the places
   * that it shows, to the side that the bound says: over 8 million for 8,537,673.
   */
  private static boolean isRounded(Values claim, int i, int shift, double rounded, double exact) {
    if (rounded == 0 || claim.is(i, Values.RATIONAL | Values.SOFT_BOUND)) {
      return false;
    }
    double place = PlainNumber.tenTo(claim.exponent(i) + shift);
    double off = exact - rounded;
    double most = StrictMath.min(place, rounded * 0.1) * (1 + EXACT);
    return switch (claim.bound(i)) {
      case ABOUT -> StrictMath.abs(off) <= StrictMath.min(place / 2, rounded * 0.1) * (1 + EXACT);
      case MORE, AT_LEAST -> off > 0 && off <= most;
      case LESS, AT_MOST -> off < 0 && -off <= most;
      default -> false;
    };
  }

  private static boolean isNear(double a, double b) {
    return StrictMath.abs(a - b) <= EXACT * StrictMath.max(StrictMath.abs(a), StrictMath.abs(b));
  }

  private static boolean isFingerprint(Values values, int i) {
    return values.is(i, Values.FINGERPRINT);
  }

  /** A number without its sign; not of a fingerprint. */
  static double value(Values values, int i, int shift) {
    if (values.is(i, Values.RATIONAL)) {
      return (double) values.mantissa(i) / values.exponent(i);
    }
    int exponent = values.exponent(i) + shift;
    // Powers of ten up to 22 are exact, and so is one division or product by them.
    double mantissa = values.mantissa(i);
    return exponent >= 0
        ? mantissa * PlainNumber.tenTo(exponent)
        : mantissa / PlainNumber.tenTo(-exponent);
  }

  /** Minus, plus-minus or nothing. */
  static int sign(Values values, int i) {
    return values.mantissa(i) == 0 ? 0 : values.flags(i) & (Values.MINUS | Values.PLUS_MINUS);
  }

  private static boolean isCalendar(Values values, int i) {
    ValueKind kind = values.kind(i);
    long whole = kind == ValueKind.NUMBER ? wholeNumber(values, i) : 0;
    return kind == ValueKind.DATE
        || kind == ValueKind.TIME
        || (whole >= 1000 && whole < 3000 && isBare(values, i));
  }

  /** What becomes of a match when the bounds are looked at too. */
  private static ValueMatch withBounds(
      ValueMatch match, Values claim, int i, Values evidence, int j) {
    if (!match.isCarried()) {
      return match;
    }
    Bound a = claim.bound(i);
    Bound b = evidence.bound(j);
    if (match == ValueMatch.ROUNDED && b.ordinal() <= Bound.ABOUT.ordinal()) {
      return match;
    }
    boolean bounded = a.isLower() || a.isUpper();
    boolean otherBounded = b.isLower() || b.isUpper();
    if ((!bounded && !otherBounded) || a == b) {
      return match;
    }
    boolean soft = claim.is(i, Values.SOFT_BOUND) || evidence.is(j, Values.SOFT_BOUND);
    if (bounded != otherBounded) {
      if (soft || claim.is(i, Values.FIELD)) {
        return match;
      }
      if (a == Bound.AT_MOST && b == Bound.NONE && !claim.is(i, Values.SYMBOL_BOUND)) {
        // Up to 8 kg, of a capacity of 8 kg.
        return match;
      }
      boolean span = a == Bound.FROM || a == Bound.TO || b == Bound.FROM || b == Bound.TO;
      if (span && isCalendar(claim, i) && isCalendar(evidence, j)) {
        // 2019–2021: it was so in 2019.
        return match;
      }
      boolean symbol = claim.is(i, Values.SYMBOL_BOUND) || evidence.is(j, Values.SYMBOL_BOUND);
      return symbol ? ValueMatch.BOUND : ValueMatch.BOUND_LOST;
    }
    // The end of a range is a bound as well, whether it belongs to it or not.
    boolean range = a == Bound.FROM || a == Bound.TO || b == Bound.FROM || b == Bound.TO;
    boolean same = a.isLower() == b.isLower();
    boolean condition = claim.is(i, Values.CONDITION) || evidence.is(j, Values.CONDITION);
    return (range && same) || (soft && (same || condition)) ? match : ValueMatch.BOUND;
  }
}
