package dev.parlance.policy.text;

/** Looks for decimal digits in tokens. */
final class Digits {
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Digits() {}

  /** True if a token that is read as two numbers has a decimal digit of any script in it. */
  static boolean isIn(long first, long second) {
    if (hasAsciiDigit(first) || hasAsciiDigit(second)) {
      return true;
    }
    if (((first | second) & HIGH_BITS) == 0) {
      return false;
    }
    byte[] bytes = new byte[TokenReader.PACKED_BYTES];
    int length = 0;
    for (; length < bytes.length; length++) {
      long half = length < 8 ? first : second;
      bytes[length] = (byte) (half >>> (8 * length));
      if (bytes[length] == 0) {
        break;
      }
    }
    return isIn(bytes, 0, length);
  }

  /** True if a token has a decimal digit of any script in it. */
  static boolean isIn(byte[] token, int from, int to) {
    for (int i = from; i < to; ) {
      int width = Utf8Bytes.width(token[i]);
      if (Character.getType(Utf8Bytes.get(token, i, width)) == Character.DECIMAL_DIGIT_NUMBER) {
        return true;
      }
      i += width;
    }
    return false;
  }

  /** Of the bytes of a token only ASCII digits have bit 5 and neither bit 6 nor bit 7. */
  private static boolean hasAsciiDigit(long bytes) {
    return (bytes << 2 & ~(bytes << 1) & ~bytes & HIGH_BITS) != 0;
  }
}
