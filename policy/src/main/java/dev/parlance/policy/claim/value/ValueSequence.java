package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.value.Values.Bound;

/**
 * The value of a text that was found last, and what it is together with the next one: a range, a
 * score, one measure in two units, two days of a month.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class ValueSequence {
  /** Numbers with more are not written in two units. */
  static final long MAX_PARTS = 100_000;

  private final ValueTokens tokens;
  private final NumberContext context;
  private final PlainNumber number;
  private final Values values;

  /** The value found last, or -1. */
  int last;

  /** The token behind it. */
  int lastNext;

  /** Whether a word like between stands before it, or one like from. */
  private boolean lastBetween;

  private boolean lastFrom;
  private int lastScale;

  /**
   * A sequence of values.
   *
   * @param number the number that was read last
   */
  ValueSequence(ValueTokens tokens, NumberContext context, PlainNumber number, Values values) {
    this.tokens = tokens;
    this.context = context;
    this.number = number;
    this.values = values;
  }

  /** A text begins. */
  void start() {
    last = -1;
    lastNext = -1;
    lastBetween = false;
    lastFrom = false;
  }

  /** True if only a word or mark for to or and stands between the last value and this token. */
  boolean isRange(int token) {
    if (last < 0 || lastNext != token - 1) {
      return false;
    }
    if (tokens.gap(lastNext) > NARROW || tokens.gap(token) > NARROW) {
      return false;
    }
    if (tokens.type(lastNext) == SYMBOL) {
      long c = tokens.value(lastNext);
      boolean dash = c == '-' || c == 0x2013 || c == '~' || c == 0x2212;
      return dash && (tokens.isGlued(lastNext) == tokens.isGlued(token));
    }
    return tokens.is(lastNext, WordRole.TO) || (lastBetween && tokens.is(lastNext, WordRole.AND));
  }

  /** Makes a range of the last value and this one, if they are one. */
  void range(int value, int first) {
    if (!isRange(first)
        || isScore(value)
        || values.kind(last) == ValueKind.IDENTIFIER
        || (values.unit(last) != NO_UNIT
            && values.unit(value) != NO_UNIT
            && tokens.lexicon.units.dimension(values.unit(last))
                != tokens.lexicon.units.dimension(values.unit(value)))) {
      return;
    }
    if (values.bound(last).ordinal() <= Bound.ABOUT.ordinal()
        || (values.is(last, Values.SOFT_BOUND) && values.bound(last) == Bound.AT_MOST)) {
      values.setBound(last, Bound.FROM);
      values.setBound(value, Bound.TO);
    }
    if (values.kind(last) == ValueKind.NUMBER && values.kind(value) == ValueKind.NUMBER) {
      // 10–20 million
      if (lastScale == 0 && number.scaled > 0) {
        values.scale(last, number.scaled);
      }
      if (values.unit(last) == NO_UNIT) {
        values.setUnit(last, values.unit(value));
      } else if (values.unit(value) == NO_UNIT
          && tokens.lexicon.units.isCurrency(values.unit(last))) {
        values.setUnit(value, values.unit(last));
      }
    }
  }

  /** True of the last two numbers if they are 21 to 9: the greater one first, and nothing else. */
  private boolean isScore(int value) {
    return !lastFrom
        && values.kind(last) == ValueKind.NUMBER
        && values.kind(value) == ValueKind.NUMBER
        && values.unit(last) == NO_UNIT
        && values.unit(value) == NO_UNIT
        && !values.is(last, Values.FINGERPRINT)
        && !values.is(value, Values.FINGERPRINT)
        && ValueComparison.value(values, last, 0) > ValueComparison.value(values, value, 0);
  }

  /** 12–14 April: the first is a day too. */
  void sameMonth(int before, int value) {
    long date = values.mantissa(value);
    if (values.kind(before) == ValueKind.NUMBER
        && ValueDate.day(date) > 0
        && values.exponent(before) <= 1
        && values.unit(before) == NO_UNIT
        && !values.is(before, Values.RATIONAL)) {
      long day =
          values.mantissa(before) * PlainNumber.power10(StrictMath.max(0, values.exponent(before)));
      if (values.exponent(before) >= 0 && day >= 1 && day <= 31) {
        values.setDate(
            before, ValueDate.of(ValueDate.year(date), ValueDate.month(date), (int) day));
      }
    }
  }

  /** True of the minutes of 1 h 30 min, the inches of 5 ft 10 in: a whole part of the last unit. */
  boolean isPart(int value, int first) {
    boolean and = lastNext == first - 1 && tokens.is(lastNext, WordRole.AND);
    if (last != value - 1
        || last < 0
        || (lastNext != first && !and)
        || values.kind(last) != ValueKind.NUMBER
        || values.unit(last) <= 0
        || values.unit(value) <= 0
        || values.bound(value) != Bound.NONE
        || tokens.gap(first) > NARROW) {
      return false;
    }
    long many = ValueComparison.wholeNumber(values, last);
    long few = ValueComparison.wholeNumber(values, value);
    double ratio = ratioOfUnits(value);
    boolean whole = ratio > 1.5 && StrictMath.abs(ratio - StrictMath.round(ratio)) < 1e-9 * ratio;
    return whole && many > 0 && many < MAX_PARTS && few > 0 && few < ratio && ratio < MAX_PARTS;
  }

  /** Adds a part to the last value, which has the unit of the part from now on. */
  void addPart(int value) {
    long whole = StrictMath.round(ValueComparison.wholeNumber(values, last) * ratioOfUnits(value));
    values.merge(whole + ValueComparison.wholeNumber(values, value), values.unit(value));
  }

  /** How many of a value's units the last one's unit is; 0 if that cannot be said. */
  private double ratioOfUnits(int value) {
    int small = values.unit(value);
    int large = values.unit(last);
    if (tokens.lexicon.units.dimension(small) != tokens.lexicon.units.dimension(large)
        || tokens.lexicon.units.inBase(small, 0) != 0
        || tokens.lexicon.units.inBase(large, 0) != 0) {
      return 0;
    }
    return tokens.lexicon.units.inBase(large, 1) / tokens.lexicon.units.inBase(small, 1);
  }

  /**
   * Adds what stands beside a value, which is the last one from now on; the token to go on with.
   */
  int done(int value, int first, int next) {
    lastScale = values.kind(value) == ValueKind.NUMBER ? number.scaled : 0;
    values.setWords(value, context.wordBefore(first), context.wordAfter(next));
    last = value;
    lastNext = next;
    lastFrom = first > 0 && tokens.typeBefore(first) == WORD && tokens.is(first - 1, WordRole.FROM);
    lastBetween =
        first > 0 && tokens.typeBefore(first) == WORD && tokens.is(first - 1, WordRole.BETWEEN);
    return StrictMath.max(next, first + 1);
  }
}
