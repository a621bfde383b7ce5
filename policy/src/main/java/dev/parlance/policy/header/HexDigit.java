package dev.parlance.policy.header;

/**
 * The 16-point scale of a header field (ASP paper, section 3.1): digit h stands for h/15.
 *
 * <p>Only headers are written with it; routing works on the values themselves.
 */
public final class HexDigit {
  /** The largest digit, F. */
  public static final int MAX = 15;

  private HexDigit() {}

  /**
   * The digit nearest to {@code value}, ties to the even one; values outside [0,1] are clamped.
   *
   * @throws IllegalArgumentException if {@code value} is NaN, for which no digit would be honest
   */
  public static int digit(double value) {
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("a signal must be a number in [0,1], got NaN");
    }
    return (int) Math.rint(MAX * Math.min(1.0, Math.max(0.0, value)));
  }

  /** How a digit is written: 0-9, A-F. */
  public static char character(int digit) {
    return "0123456789ABCDEF".charAt(check(digit));
  }

  /** What a digit stands for: digit/15. */
  public static double value(int digit) {
    return check(digit) / (double) MAX;
  }

  /** The digit that {@code c} writes (either case), or -1. */
  static int parse(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int lower = c | 0x20;
    return c < 0x80 && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  static int check(int digit) {
    if (digit < 0 || digit > MAX) {
      throw new IllegalArgumentException("a hex digit must lie in 0..15, got " + digit);
    }
    return digit;
  }
}
