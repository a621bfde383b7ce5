package dev.parlance.policy.claim.change;

import dev.parlance.policy.text.Utf8Span;

/** Characters of Han that say the contrary of one another: 食前, 食後; 以上, 以下. */
final class HanOpposites {
  /** Each pair says the contrary. */
  private static final String PAIRS =
      "前後前后左右上下内外內外高低大小多少増減增减買売买卖男女新旧新舊早晚早晩朝夕入出進退进退昼夜冷热冷熱勝敗胜败收支収支長短长短強弱强弱始終始终内后内後";

  /** A character of Han takes so many bytes. */
  private static final int BYTES = 3;

  private HanOpposites() {}

  /** True if two texts of one length differ in one character alone, which says the contrary. */
  static boolean differ(Utf8Span text, int start, int end, Utf8Span other, int from, int to) {
    int length = end - start;
    if (length != to - from) {
      return false;
    }
    int same = 0;
    while (same < length && text.byteAt(start + same) == other.byteAt(from + same)) {
      same++;
    }
    int last = length;
    while (last > same && text.byteAt(start + last - 1) == other.byteAt(from + last - 1)) {
      last--;
    }
    int first = same - same % BYTES;
    return last > same
        && last <= first + BYTES
        && areOpposed(character(text, start + first), character(other, from + first));
  }

  private static int character(Utf8Span text, int at) {
    boolean whole = at + BYTES <= text.length() && (text.byteAt(at) & 0xF0) == 0xE0;
    return !whole
        ? 0
        : (text.byteAt(at) & 0xF) << 12
            | (text.byteAt(at + 1) & 0x3F) << 6
            | (text.byteAt(at + 2) & 0x3F);
  }

  private static boolean areOpposed(int a, int b) {
    for (int i = 0; i < PAIRS.length(); i += 2) {
      int left = PAIRS.charAt(i);
      int right = PAIRS.charAt(i + 1);
      if ((a == left && b == right) || (a == right && b == left)) {
        return true;
      }
    }
    return false;
  }
}
