package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.WordKey;

/** A number without sign and unit, as far as {@link NumberReader} has read it. */
final class PlainNumber {
  private static final double[] TENS = new double[64];

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = StrictMath.pow(10, i - TENS.length / 2);
    }
  }

  static final int MAX_DIGITS = 18;

  /** The value is this by ten to the exponent; no multiple of ten unless 0. */
  long mantissa;

  int exponent;

  /** Power of ten of the last digit that was written. */
  int lastPlace;

  /** A thousandth of it may be meant as well. */
  boolean ambiguous;

  /** The mantissa is a fingerprint of more digits than a number holds. */
  boolean fingerprint;

  /** The value is the mantissa divided by the exponent, in lowest terms. */
  boolean rational;

  /** Grouped, with decimals or multiplied: no year, no name of anything. */
  boolean plain;

  /** The token behind it, and the byte where it ends. */
  int next;

  int end;

  /** The power of ten of a word behind it. */
  int scaled;

  /** How many were appended. */
  int digits;

  /** No digit was read. */
  void clear() {
    mantissa = 0;
    exponent = 0;
    lastPlace = 0;
    ambiguous = false;
    fingerprint = false;
    rational = false;
    plain = true;
    digits = 0;
    scaled = 0;
  }

  /** So many more digits. */
  void append(long value, int count) {
    if (count > MAX_DIGITS || digits + count > MAX_DIGITS || fingerprint) {
      if (!fingerprint && digits > 0) {
        mantissa = print(0, mantissa, digits);
      }
      mantissa = count > MAX_DIGITS ? mantissa * 31 + value : print(mantissa, value, count);
      fingerprint = true;
    } else {
      mantissa = mantissa * power10(count) + value;
    }
    digits += count;
  }

  private static long print(long before, long value, int count) {
    long print = before;
    for (int i = count - 1; i >= 0; i--) {
      print = WordKey.mix(print + value / power10(i) % 10 + 1, 0x9e3779b97f4a7c15L);
    }
    return print;
  }

  static long power10(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /** Ten to a power: the library's function allocates. */
  static double tenTo(int power) {
    int place = power + TENS.length / 2;
    return place >= 0 && place < TENS.length ? TENS[place] : StrictMath.pow(10, power);
  }

  /** Makes it a decimal fraction where that is exact, else one in lowest terms. */
  void fraction(long whole, long numerator, long denominator) {
    plain = false;
    long top = numerator + whole * denominator;
    long a = top;
    long b = denominator;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    long divisor = StrictMath.max(1, a);
    top /= divisor;
    long bottom = denominator / divisor;
    int places = 0;
    long scaled = bottom;
    while (scaled % 2 == 0) {
      scaled /= 2;
      places++;
    }
    int fives = 0;
    while (scaled % 5 == 0) {
      scaled /= 5;
      fives++;
    }
    if (scaled == 1 && top < 1_000_000_000L) {
      int decimals = StrictMath.max(places, fives);
      mantissa = top * (power10(decimals) / bottom);
      exponent = -decimals;
      normalise();
    } else {
      mantissa = top;
      exponent = (int) bottom;
      rational = true;
    }
  }

  /** Multiplies by ten to a power. */
  void raise(int by) {
    exponent += by;
    plain = false;
  }

  /** Keeps the last place that was written, and takes tens off the mantissa. */
  void normalise() {
    lastPlace = exponent;
    if (fingerprint || rational) {
      return;
    }
    if (mantissa == 0) {
      exponent = 0;
      return;
    }
    while (mantissa % 10 == 0) {
      mantissa /= 10;
      exponent++;
    }
  }
}
