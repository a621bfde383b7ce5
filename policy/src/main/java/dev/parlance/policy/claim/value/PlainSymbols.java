package dev.parlance.policy.claim.value;

import java.text.Normalizer;

/**
 * The characters that stand for others in symbols of units, whose case counts: squared ones ({@code
 * ㎏}), full width, small forms, mathematical and circled letters.
 */
final class PlainSymbols {
  private static final int[] NONE = {};

  private static final int LETTERLIKE = 0x2100;
  private static final int CIRCLED = 0x24B6;
  private static final int SQUARED = 0x3371;
  private static final int SMALL = 0xFE60;
  private static final int FULL_WIDTH = 0xFF01;
  private static final int MATHEMATICAL = 0x1D400;

  private static final int[][] LETTERLIKES = plain(LETTERLIKE, 0x214F);
  private static final int[][] CIRCLES = plain(CIRCLED, 0x24E9);
  private static final int[][] SQUARES = plain(SQUARED, 0x33DF);
  private static final int[][] SMALLS = plain(SMALL, 0xFE6B);
  private static final int[][] FULL_WIDTHS = plain(FULL_WIDTH, 0xFF5E);
  private static final int[][] MATHEMATICALS = plain(MATHEMATICAL, 0x1D7FF);

  private PlainSymbols() {}

  private static int[][] plain(int from, int to) {
    int[][] plain = new int[to - from + 1][];
    for (int c = from; c <= to; c++) {
      String self = Character.toString(c);
      String all = Normalizer.normalize(self, Normalizer.Form.NFKC);
      plain[c - from] =
          all.equals(self) ? NONE : all.codePoints().map(Spelling::sameSymbol).toArray();
    }
    return plain;
  }

  /** What a character stands for; empty if for itself. The array is not to be changed. */
  static int[] of(int c) {
    if (c < LETTERLIKE) {
      return NONE;
    }
    int[] found = at(LETTERLIKES, c - LETTERLIKE);
    if (found.length == 0 && c > 0x2150) {
      found =
          c < SQUARED
              ? at(CIRCLES, c - CIRCLED)
              : c < SMALL
                  ? at(SQUARES, c - SQUARED)
                  : c < FULL_WIDTH
                      ? at(SMALLS, c - SMALL)
                      : c < MATHEMATICAL
                          ? at(FULL_WIDTHS, c - FULL_WIDTH)
                          : at(MATHEMATICALS, c - MATHEMATICAL);
    }
    return found;
  }

  private static int[] at(int[][] table, int index) {
    return index >= 0 && index < table.length ? table[index] : NONE;
  }

  /** The one character that a character stands for, or itself. */
  static int single(int c) {
    int[] plain = of(c);
    return plain.length == 1 ? plain[0] : c;
  }
}
