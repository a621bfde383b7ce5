package dev.parlance.policy.claim;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of a text at a time, as a number whose lowest byte is the first one. */
public final class AsciiBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOWER_CASE = 0x20 * ONES;
  private static final long FROM_A = (0x80 - 'a') * ONES;
  private static final long ABOVE_Z = (0x7F - 'z') * ONES;
  private static final long FROM_0 = (0x80 - '0') * ONES;
  private static final long ABOVE_9 = (0x7F - '9') * ONES;

  private static final long CURLY = '{' * ONES;
  private static final long ROUND = '(' * ONES;

  private AsciiBytes() {}

  /** Those from {@code at} on, zeros from {@code to} on. */
  public static long eight(byte[] bytes, int at, int to) {
    int left = to - at;
    if (left >= Long.BYTES) {
      return (long) LONG.get(bytes, at);
    }
    long eight = 0;
    for (int i = 0; i < left; i++) {
      eight |= (bytes[at + i] & 0xFFL) << (i << 3);
    }
    return eight;
  }

  /** How many ASCII letters they begin with. */
  public static int letters(long eight) {
    return leading(letterBits(eight));
  }

  /** How many ASCII letters and digits they begin with. */
  static int lettersAndDigits(long eight) {
    return leading(letterBits(eight) | digitBits(eight));
  }

  /** True if one of the first {@code count} is a digit, all of them being ASCII. */
  static boolean hasDigit(long eight, int count) {
    return (digitBits(eight) & kept(count)) != 0;
  }

  /** False if none is a digit. */
  public static boolean hasDigit(long eight) {
    return digitBits(eight & ~HIGH_BITS) != 0;
  }

  /** True if all are ASCII and none opens a round, square or curly bracket; false of few others. */
  static boolean isWithoutBracket(long eight) {
    // With the bit of lower case a square bracket is a curly one.
    long lower = eight | LOWER_CASE;
    long curly = lower ^ CURLY;
    long round = lower ^ ROUND;
    return ((eight | (curly - ONES & ~curly) | (round - ONES & ~round)) & HIGH_BITS) == 0;
  }

  /** The first {@code count} with the bit of lower case, zeros behind them. */
  public static long lower(long eight, int count) {
    return (eight | LOWER_CASE) & kept(count);
  }

  /** The highest bit of each byte that is a letter; not to be relied on behind one beyond ASCII. */
  private static long letterBits(long eight) {
    long lower = eight | LOWER_CASE;
    return lower + FROM_A & ~(lower + ABOVE_Z) & ~eight & HIGH_BITS;
  }

  private static long digitBits(long eight) {
    return eight + FROM_0 & ~(eight + ABOVE_9) & ~eight & HIGH_BITS;
  }

  private static int leading(long bits) {
    return Long.numberOfTrailingZeros(~bits & HIGH_BITS) >>> 3;
  }

  private static long kept(int count) {
    return count == Long.BYTES ? -1L : (1L << (count << 3)) - 1;
  }
}
