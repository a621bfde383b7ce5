package dev.parlance.policy.claim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A kind of bracket in which citations stand. */
@SuppressWarnings({
  "EnumOrdinal",
  "ImmutableEnumChecker"
}) // index of an array that never leaves this process; never written
enum Bracket {
  SQUARE("[", "]"),
  ROUND("(", ")"),
  CURLY("{", "}"),
  LENTICULAR("\u3010", "\u3011"),
  TORTOISE("\u3014", "\u3015"),
  WIDE_SQUARE("\uff3b", "\uff3d"),
  WIDE_ROUND("\uff08", "\uff09"),
  TAG("<", ">"),
  /** What stands between two tags. */
  TAGGED(">", "<");

  /** Most bytes between an opening and its closing bracket. */
  static final int MAX_BODY_BYTES = 512;

  private static final Bracket[] ALL = values();
  private static final Bracket[] WIDE = {LENTICULAR, TORTOISE, WIDE_SQUARE, WIDE_ROUND};

  private final byte[] open;
  private final byte[] close;

  Bracket(String open, String close) {
    this.open = open.getBytes(StandardCharsets.UTF_8);
    this.close = close.getBytes(StandardCharsets.UTF_8);
  }

  /** True for those that mostly hold text. */
  boolean isRound() {
    return this == ROUND || this == CURLY || this == WIDE_ROUND;
  }

  /** Bytes of the opening bracket, and of the closing one. */
  int width() {
    return open.length;
  }

  /** The bracket with an ordinal. */
  static Bracket of(int ordinal) {
    return ALL[ordinal];
  }

  /** Where the next byte stands with which a bracket may open, or the end of the text. */
  static int next(byte[] bytes, int from, int to) {
    int at = from;
    while (at + Long.BYTES <= to && AsciiBytes.isWithoutBracket(AsciiBytes.eight(bytes, at, to))) {
      at += Long.BYTES;
    }
    while (at < to && bytes[at] >= 0 && bytes[at] != '[' && bytes[at] != '(' && bytes[at] != '{') {
      at++;
    }
    return at;
  }

  /** Ordinal of the bracket of a text that opens at {@code at}; -1 if none does. */
  static int opening(byte[] bytes, int at, int to) {
    byte first = bytes[at];
    if (first == '[') {
      return SQUARE.ordinal();
    }
    if (first == '(') {
      return ROUND.ordinal();
    }
    if (first == '{') {
      return CURLY.ordinal();
    }
    if (first == (byte) 0xE3 || first == (byte) 0xEF) {
      for (Bracket bracket : WIDE) {
        if (stands(bracket.open, bytes, at, to)) {
          return bracket.ordinal();
        }
      }
    }
    return -1;
  }

  /**
   * Where a body that begins at {@code start} ends, or -1 if it does not within {@value
   * #MAX_BODY_BYTES} bytes: before the closing bracket, with no blank line, no bracket like the
   * opening one, no {@code [} and no tag in between, and where it is no {@code [}, no {@code (}. So
   * no byte is in more than two bodies.
   */
  int bodyEnd(byte[] bytes, int start, int to) {
    int most = (int) Math.min(to, start + (long) MAX_BODY_BYTES);
    boolean blankLine = false;
    for (int i = start; i < most; i++) {
      byte b = bytes[i];
      if (b == close[0] && stands(close, bytes, i, to)) {
        return i > start ? i : -1;
      }
      if (b == '['
          || b == '<'
          || (b == '(' && this != SQUARE)
          || (b == '\n' && blankLine)
          || (b == open[0] && stands(open, bytes, i, to))) {
        return -1;
      }
      blankLine = b == '\n' || (blankLine && (b == ' ' || b == '\r' || b == '\t'));
    }
    return -1;
  }

  private static boolean stands(byte[] bracket, byte[] bytes, int at, int to) {
    return at + bracket.length <= to
        && Arrays.equals(bytes, at, at + bracket.length, bracket, 0, bracket.length);
  }
}
