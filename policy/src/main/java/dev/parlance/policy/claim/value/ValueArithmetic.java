package dev.parlance.policy.claim.value;

import java.util.function.IntPredicate;

/**
 * Simple arithmetic by which a value follows from others that the answer names beside it: sums,
 * differences, shares, and products with percentages.
 *
 * <p>Which operands count is the caller's affair: those that the evidence carries. A value that
 * only the question has is none.
 */
public final class ValueArithmetic {
  /** Most operands that are looked at: those nearest to the value. */
  public static final int MAX_OPERANDS = 8;

  private final ValueLexicon lexicon;
  private final int[] operands = new int[MAX_OPERANDS];
  private final double[] numbers = new double[MAX_OPERANDS];
  private final double[] shares = new double[MAX_OPERANDS];
  private int numberCount;
  private int shareCount;

  public ValueArithmetic(ValueLexicon lexicon) {
    this.lexicon = lexicon;
  }

  /** Says which values may be calculated with. */
  @FunctionalInterface
  public interface Operands {
    /** True if the evidence carries value {@code i} of the answer. */
    boolean isCarried(int i);
  }

  /**
   * True if a value follows from operands among the values of the same answer from {@code from} to
   * before {@code to} (its sentence, and perhaps the one before).
   */
  public boolean isDerived(Values answer, int value, int from, int to, Operands carried) {
    if (answer.kind(value) != ValueKind.NUMBER || answer.is(value, Values.FINGERPRINT)) {
      return false;
    }
    int unit = answer.unit(value);
    double length =
        lexicon.units.isTime(unit) ? lexicon.units.inBase(unit, signed(answer, value)) : 0;
    if (length > 0 && isSpan(answer, length, value, from, to, carried)) {
      return true;
    }
    int count = nearest(answer, value, from, to, carried);
    numberCount = 0;
    shareCount = 0;
    for (int i = 0; i < count; i++) {
      take(answer, operands[i], unit);
    }
    double result = signed(answer, value);
    double place = PlainNumber.tenTo(answer.lastPlace(value));
    // A whole result may have been rounded only if it is exact otherwise.
    double tolerance = place < 1 ? place / 2 : 1e-9 * StrictMath.abs(result);
    boolean share = lexicon.units.isProportion(unit) || unit == lexicon.units.points;
    return share
        ? isShare(result, tolerance)
        : isSum(result, tolerance) || isProduct(result) || isWithShare(result, tolerance);
  }

  /**
   * True if a value follows from two that stand side by side in the evidence, which says how: 480
   * seats of "8 cars with 60 seats each", 25 percent of "from 80 to 100 euros".
   *
   * @param from the first value of the sentence of the evidence
   * @param after the one behind its last
   * @param isEach true if the evidence says that there are so many of the value in each of others
   */
  public boolean follows(
      Values answer, int value, Values evidence, int from, int after, IntPredicate isEach) {
    if (answer.kind(value) != ValueKind.NUMBER || answer.is(value, Values.FINGERPRINT)) {
      return false;
    }
    double result = StrictMath.abs(signed(answer, value));
    double place = PlainNumber.tenTo(answer.lastPlace(value));
    boolean share = lexicon.units.isProportion(answer.unit(value));
    int last = StrictMath.min(after, from + MAX_OPERANDS) - 1;
    for (int i = from; i < last; i++) {
      if (!isOperand(evidence, i) || !isOperand(evidence, i + 1)) {
        continue;
      }
      double a = signed(evidence, i);
      double b = signed(evidence, i + 1);
      boolean change =
          evidence.bound(i) == Values.Bound.FROM && evidence.bound(i + 1) == Values.Bound.TO;
      if (share) {
        double changed = StrictMath.abs(b / a - 1) * 100;
        if (change && a > 0 && isNear(result, changed, place < 1 ? place / 2 : 0.5)) {
          return true;
        }
      } else if (a > 1
          && b > 0
          && isWhole(a)
          && isNear(result, a * b, 0)
          && isSameThing(answer, value, evidence, i + 1)
          && isEach.test(i + 1)) {
        return true;
      }
    }
    return false;
  }

  /** True if a whole number of an answer, times an amount of the evidence, is a total of it. */
  public boolean isTimes(Values answer, int times, int total, Values evidence, int amount) {
    if (!isOperand(answer, times) || !isOperand(answer, total) || !isOperand(evidence, amount)) {
      return false;
    }
    double count = signed(answer, times);
    return isWhole(count)
        && count > 1
        && answer.hasUnit(total)
        && lexicon.units.dimension(answer.unit(total))
            == lexicon.units.dimension(evidence.unit(amount))
        && isNear(signed(answer, total), count * signed(evidence, amount), 0);
  }

  /** True of so many seats and so many seats, so many euros and so many euros. */
  private static boolean isSameThing(Values answer, int value, Values evidence, int other) {
    return answer.hasUnit(value)
        ? answer.unit(value) == evidence.unit(other)
        : !evidence.hasUnit(other)
            && answer.wordAfter(value) != 0
            && answer.wordAfter(value) == evidence.wordAfter(other);
  }

  /** The time from one date to another, or from one time of day to a later one, in seconds. */
  private static boolean isSpan(
      Values answer, double length, int value, int from, int to, Operands carried) {
    int first = StrictMath.max(from, value - MAX_OPERANDS);
    int after = StrictMath.min(to, value + MAX_OPERANDS + 1);
    for (int i = first; i < after; i++) {
      for (int j = first; j < after; j++) {
        if (i != j
            && answer.kind(i) == answer.kind(j)
            && span(answer.kind(i), answer.mantissa(i), answer.mantissa(j)) == length
            && carried.isCarried(i)
            && carried.isCarried(j)) {
          return true;
        }
      }
    }
    return false;
  }

  private static double span(ValueKind kind, long begin, long end) {
    return switch (kind) {
      case DATE -> ValueDate.days(begin, end) * 86_400.0;
      case TIME -> ValueTime.second(end) - ValueTime.second(begin);
      default -> 0;
    };
  }

  /** Collects the operands, nearest first to the value and then farther on both sides. */
  private int nearest(Values answer, int value, int from, int to, Operands carried) {
    int count = 0;
    int before = value - 1;
    int after = value + 1;
    for (int looked = 0;
        looked < 4 * MAX_OPERANDS && count < MAX_OPERANDS && (before >= from || after < to);
        looked++) {
      if (before >= from) {
        if (isOperand(answer, before) && carried.isCarried(before)) {
          operands[count++] = before;
        }
        before--;
      } else if (after < to) {
        if (isOperand(answer, after) && carried.isCarried(after)) {
          operands[count++] = after;
        }
        after++;
      }
    }
    return count;
  }

  private static boolean isOperand(Values answer, int i) {
    return answer.kind(i) == ValueKind.NUMBER
        && !answer.is(i, Values.FINGERPRINT | Values.LABEL | Values.WEAK);
  }

  private static double signed(Values values, int i) {
    double value = ValueComparison.value(values, i, 0);
    return ValueComparison.sign(values, i) == Values.MINUS ? -value : value;
  }

  private void take(Values answer, int i, int unit) {
    int other = answer.unit(i);
    if (lexicon.units.isProportion(other)) {
      shares[shareCount++] = lexicon.units.inBase(other, signed(answer, i));
      if (!lexicon.units.isProportion(unit)) {
        return;
      }
    }
    if (other == unit
        || other == ValueLexicon.NO_UNIT
        || unit == ValueLexicon.NO_UNIT
        || lexicon.units.isProportion(unit)) {
      numbers[numberCount++] = signed(answer, i);
    } else if (lexicon.units.dimension(other) != 0
        && lexicon.units.dimension(other) == lexicon.units.dimension(unit)) {
      numbers[numberCount++] =
          lexicon.units.inBase(other, signed(answer, i)) / lexicon.units.inBase(unit, 1);
    } else if (ValueComparison.wholeNumber(answer, i) > 1000) {
      // Three years from 2019 to 2022: a difference of years has a unit, years have none.
      numbers[numberCount++] = signed(answer, i);
    }
  }

  private static boolean isNear(double a, double b, double tolerance) {
    return StrictMath.abs(a - b) <= tolerance * (1 + 1e-9) + 1e-9 * StrictMath.abs(b);
  }

  /** Sum of two or more that stand together, or a difference of two. */
  private boolean isSum(double result, double tolerance) {
    for (int i = 0; i < numberCount; i++) {
      double sum = numbers[i];
      for (int j = i + 1; j < numberCount; j++) {
        sum += numbers[j];
        if (isNear(result, sum, tolerance)
            || isNear(result, numbers[i] + numbers[j], tolerance)
            || isNear(StrictMath.abs(result), StrictMath.abs(numbers[i] - numbers[j]), tolerance)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Three boxes of twelve, four chairs at 59.50: a product of two numbers, one of them whole. */
  private boolean isProduct(double result) {
    for (int i = 0; i < numberCount; i++) {
      for (int j = i + 1; j < numberCount; j++) {
        boolean whole = isWhole(numbers[i]) || isWhole(numbers[j]);
        if (whole
            && numbers[i] > 1
            && numbers[j] > 1
            && isNear(result, numbers[i] * numbers[j], 0)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isWhole(double number) {
    return number == StrictMath.rint(number);
  }

  /** A share of a number, or a number with a share added or taken off. */
  private boolean isWithShare(double result, double tolerance) {
    for (int i = 0; i < numberCount; i++) {
      for (int j = 0; j < shareCount; j++) {
        double part = numbers[i] * shares[j];
        if (isNear(result, part, tolerance)
            || isNear(result, numbers[i] + part, tolerance)
            || isNear(result, numbers[i] - part, tolerance)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Percent: a quotient, a change, a difference or sum of percentages. */
  private boolean isShare(double result, double tolerance) {
    for (int i = 0; i < numberCount; i++) {
      for (int j = 0; j < numberCount; j++) {
        double quotient = i == j || numbers[j] == 0 ? Double.NaN : numbers[i] / numbers[j] * 100;
        double change = StrictMath.abs(quotient - 100);
        if (isNear(result, quotient, tolerance)
            || isNear(StrictMath.abs(result), change, tolerance)) {
          return true;
        }
      }
    }
    for (int i = 0; i < shareCount; i++) {
      for (int j = i + 1; j < shareCount; j++) {
        double sum = (shares[i] + shares[j]) * 100;
        double difference = StrictMath.abs(shares[i] - shares[j]) * 100;
        if (isNear(result, sum, tolerance)
            || isNear(StrictMath.abs(result), difference, tolerance)) {
          return true;
        }
      }
      if (isNear(result, 100 - shares[i] * 100, tolerance)) {
        return true;
      }
    }
    return false;
  }
}
