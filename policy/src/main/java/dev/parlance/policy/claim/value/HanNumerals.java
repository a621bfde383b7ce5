package dev.parlance.policy.claim.value;

/**
 * A reader of numerals of Chinese and Japanese: {@code 二千} and {@code 两千} are 2000, {@code 二〇二六} is
 * 2026.
 */
final class HanNumerals {
  private static final String MEASURES =
      "个個年月日号號時时小分秒天周週星期岁歳人名位次台件只隻条條張张枚本度元円圆块米公斤克升倍種种项項阶階层層部回かヶヵカ目間点點成瓶组組颗顆" + "匹册冊杯箱袋包ミキメグリパ";
  private static final long LIMIT = 1_000_000_000_000_000L;

  /** Nobody writes more, and what is no number is read again from its second character. */
  private static final int MAX_NUMERALS = 24;

  private long total;
  private long section;
  private long digit;
  private long positional;
  private int count;
  private boolean multiplied;
  private boolean refused;

  static boolean isNumeral(int c) {
    return digitOf(c) >= 0 || unitOf(c) > 0;
  }

  /** True of characters that things are counted by. */
  static boolean isMeasure(int c) {
    return c < 0x10000 && MEASURES.indexOf(c) >= 0;
  }

  private static int digitOf(int c) {
    return switch (c) {
      case '〇', '零' -> 0;
      case '一' -> 1;
      case '二', '两', '兩' -> 2;
      case '三' -> 3;
      case '四' -> 4;
      case '五' -> 5;
      case '六' -> 6;
      case '七' -> 7;
      case '八' -> 8;
      case '九' -> 9;
      default -> -1;
    };
  }

  private static long unitOf(int c) {
    return switch (c) {
      case '十' -> 10;
      case '百' -> 100;
      case '千' -> 1000;
      case '万', '萬' -> 10_000;
      case '亿', '億' -> 100_000_000;
      default -> 0;
    };
  }

  void start() {
    total = 0;
    section = 0;
    digit = -1;
    positional = 0;
    count = 0;
    multiplied = false;
    refused = false;
  }

  /** Adds a numeral; false if the character is none. */
  boolean add(int c) {
    int next = digitOf(c);
    long unit = unitOf(c);
    if ((next < 0 && unit == 0) || count == MAX_NUMERALS) {
      return false;
    }
    if (next >= 0) {
      positional = positional < LIMIT ? positional * 10 + next : LIMIT;
      // A second digit right behind one is no number with units in it.
      refused |= multiplied && digit > 0;
      digit = next;
    } else if (unit < 10_000) {
      refused |= count == 0 && unit > 10;
      section += StrictMath.max(digit, digit < 0 && unit == 10 ? 1 : digit) * unit;
      digit = 0;
      multiplied = true;
    } else {
      refused |= count == 0;
      long sum = section + StrictMath.max(digit, 0);
      total =
          total < LIMIT
              ? (unit > 10_000 ? total + sum : sum) * unit + (unit > 10_000 ? 0 : total)
              : LIMIT;
      section = 0;
      digit = 0;
      multiplied = true;
    }
    count++;
    return true;
  }

  int count() {
    return count;
  }

  /** The number, or -1 if the numerals are none. */
  long value() {
    long value = multiplied ? total + section + StrictMath.max(digit, 0) : positional;
    return refused || count == 0 || count == MAX_NUMERALS || value >= LIMIT ? -1 : value;
  }
}
