package dev.parlance.policy.claim;

/** Escapes of JSON strings, which stand in other texts, too: {@code \n}, {@code \u00e9}. */
final class Escapes {
  private Escapes() {}

  /**
   * Writes what an escape stands for; what is none is written as it is.
   *
   * @param at where its backslash stands
   * @return its bytes, at least one
   */
  static int write(byte[] bytes, int at, int to, Rewritten out, int origin) {
    if (at + 1 >= to) {
      out.put("\\", origin);
      return 1;
    }
    switch (bytes[at + 1]) {
      case 'n' -> out.put("\n", origin);
      case 't' -> out.put("\t", origin);
      case 'r' -> out.put("\r", origin);
      case 'b', 'f' -> out.put(" ", origin);
      case '"', '\\', '/', '\'' -> out.put(Character.toString(bytes[at + 1]), origin);
      case 'u' -> {
        return unicode(bytes, at, to, out, origin);
      }
      default -> {
        out.put("\\", origin);
        return 1;
      }
    }
    return 2;
  }

  private static int unicode(byte[] bytes, int at, int to, Rewritten out, int origin) {
    int first = hex(bytes, at, to);
    if (first < 0) {
      out.put("\\", origin);
      return 1;
    }
    if (Character.isHighSurrogate((char) first)) {
      int second = hex(bytes, at + 6, to);
      if (second >= 0 && Character.isLowSurrogate((char) second)) {
        out.put(Character.toString(Character.toCodePoint((char) first, (char) second)), origin);
        return 12;
      }
    }
    boolean lone = Character.isSurrogate((char) first);
    out.put(lone ? "\ufffd" : Character.toString(first), origin);
    return 6;
  }

  /** The number of an escape with four hexadecimal digits; -1 if none begins at {@code at}. */
  static int hex(byte[] bytes, int at, int to) {
    if (at + 6 > to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
      return -1;
    }
    int number = 0;
    for (int i = at + 2; i < at + 6; i++) {
      int digit = Character.digit(bytes[i], 16);
      if (digit < 0) {
        return -1;
      }
      number = 16 * number + digit;
    }
    return number;
  }
}
