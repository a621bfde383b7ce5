package dev.parlance.policy.claim;

import java.util.Arrays;

/**
 * Pairs of marks of emphasis, which stand beside a letter: {@code *a*}, {@code __b__}, also within
 * a word ({@code re*place*d}; not with low lines). Linear: where marks of a width were looked for
 * in vain they are not looked for again.
 */
final class Emphasis {
  private static final int MAX_SPAN_BYTES = 512;
  private static final int MAX_NESTED = 8;
  private static final int MAX_MARKS = 3;

  /** Where those close that are open. */
  private final int[] closers = new int[MAX_NESTED];

  private int nested;

  /** Up to where none closes: of asterisks and of low lines, of each width. */
  private final int[][] searched = new int[2][MAX_MARKS + 1];

  void begin(int from) {
    nested = 0;
    Arrays.fill(searched[0], from);
    Arrays.fill(searched[1], from);
  }

  /** True if what was opened closes at {@code at}. */
  boolean closes(int at) {
    for (int i = nested - 1; i >= 0; i--) {
      if (closers[i] == at) {
        nested = i;
        return true;
      }
    }
    return false;
  }

  /** True if {@code width} marks at {@code at} open what closes further on. */
  boolean opens(byte[] bytes, int from, int to, int at, int width) {
    byte mark = bytes[at];
    byte before = at > from ? bytes[at - 1] : (byte) ' ';
    byte after = at + width < to ? bytes[at + width] : (byte) ' ';
    boolean opens = isOfText(after) && !(mark == '_' && isOfWord(before));
    if (width > MAX_MARKS || !opens || nested == MAX_NESTED) {
      return false;
    }
    int close = closer(bytes, to, mark, width, at + width);
    if (close < 0 || (mark == '*' && width == 1 && isProduct(bytes, before, at + 1, close))) {
      return false;
    }
    closers[nested++] = close;
    return true;
  }

  private int closer(byte[] bytes, int to, byte mark, int width, int start) {
    int[] vain = searched[mark == '*' ? 0 : 1];
    int end = (int) Math.min(to, start + (long) MAX_SPAN_BYTES);
    for (int i = Math.max(start, vain[width]); i < end && bytes[i] != '\n'; i++) {
      if (bytes[i] == mark) {
        int behind = i;
        while (behind < to && bytes[behind] == mark) {
          behind++;
        }
        boolean inWord = mark == '_' && behind < to && isOfWord(bytes[behind]);
        if (behind - i == width && i > start && isOfText(bytes[i - 1]) && !inWord) {
          return i;
        }
        i = behind - 1;
      }
      vain[width] = i + 1;
    }
    return -1;
  }

  /** {@code 2*3*4}: there is no letter between the marks, and a number before them. */
  private static boolean isProduct(byte[] bytes, byte before, int start, int close) {
    if (!Character.isDigit(before)) {
      return false;
    }
    for (int i = start; i < close; i++) {
      if (bytes[i] < 0 || Character.isLetter(bytes[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfText(byte b) {
    return b < 0 || b > ' ';
  }

  private static boolean isOfWord(byte b) {
    return b < 0 || Character.isLetterOrDigit(b);
  }
}
