package dev.parlance.policy.claim.value;

/**
 * Units as numbers. A simple unit is its number in the lexicon; a compound one is negative:
 *
 * <pre>
 *  31  30..29  28..26  25..23  22..12   11..0
 * +---+------+-------+-------+--------+--------+
 * | 1 | form | power | power | right  | left   |
 * |   |      | right | left  | unit   | unit   |
 * +---+------+-------+-------+--------+--------+
 * </pre>
 *
 * <p>What has more than two parts is a fingerprint of them (form 3): equal or not, never converted.
 */
final class CompoundUnit {
  private static final int POWER = 0;
  private static final int QUOTIENT = 1;
  private static final int PRODUCT = 2;
  private static final int HASHED = 3;
  private static final int UNIT_BITS = 11;

  private CompoundUnit() {}

  static int power(int unit, int exponent) {
    if (exponent == 1) {
      return unit;
    }
    return unit > 0 && exponent >= -4 && exponent <= 3
        ? of(POWER, unit, exponent, 0, 1)
        : hashed(unit, exponent, HASHED);
  }

  static int quotient(int unit, int divisor) {
    return combined(QUOTIENT, unit, divisor);
  }

  static int product(int unit, int factor) {
    return combined(PRODUCT, unit, factor);
  }

  private static int combined(int form, int left, int right) {
    return isPart(left) && isPart(right)
        ? of(form, left(left), leftPower(left), left(right), leftPower(right))
        : hashed(left, right, form);
  }

  /** The first part, which is the unit itself if it is simple. */
  static int left(int unit) {
    return unit > 0 ? unit : isHashed(unit) ? 0 : unit & (1 << (UNIT_BITS + 1)) - 1;
  }

  static int leftPower(int unit) {
    return unit > 0 ? 1 : unit << (32 - 26) >> 29;
  }

  /** The second part, or 0. */
  static int right(int unit) {
    return unit > 0 || isHashed(unit) ? 0 : unit >>> (UNIT_BITS + 1) & (1 << UNIT_BITS) - 1;
  }

  /** The power of the second part, below 0 if it divides. */
  static int rightPower(int unit) {
    if (unit > 0) {
      return 1;
    }
    int power = unit << (32 - 29) >> 29;
    return form(unit) == QUOTIENT ? -power : power;
  }

  static boolean isHashed(int unit) {
    return unit < 0 && form(unit) == HASHED;
  }

  private static int form(int unit) {
    return unit >>> 29 & 3;
  }

  private static boolean isPart(int unit) {
    return unit > 0 || form(unit) == POWER;
  }

  private static int of(int form, int left, int leftPower, int right, int rightPower) {
    return 1 << 31
        | form << 29
        | (rightPower & 7) << 26
        | (leftPower & 7) << 23
        | right << (UNIT_BITS + 1)
        | left;
  }

  private static int hashed(int left, int right, int form) {
    int mixed = (left * 31 + right) * 0x5bd1e995 ^ form * 0x3c6ef372;
    return (mixed ^ mixed >>> 15) | 7 << 29;
  }
}
