package dev.parlance.proxy.lexicon;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A look at a text that tells, without reading it, whether a line of it may coin, challenge or
 * repair. It may say so of a text without such a line, never the other way round.
 */
final class CoinLines {
  private static final List<byte[]> STARTS =
      List.of(bytes("[part 2]"), bytes("challenge"), bytes("repair"));

  private CoinLines() {}

  private static byte[] bytes(String word) {
    return word.getBytes(StandardCharsets.US_ASCII);
  }

  /** True if a line may do so. */
  static boolean mayStandIn(Utf8Span text) {
    byte[] bytes = text.array();
    int end = text.arrayOffset() + text.length();
    int at = text.arrayOffset();
    while (at < end) {
      while (at < end && isBlank(bytes[at])) {
        at++;
      }
      for (byte[] start : STARTS) {
        if (startsWith(bytes, at, end, start)) {
          return true;
        }
      }
      while (at < end && bytes[at] != '\n') {
        at++;
      }
      at++;
    }
    return false;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  private static boolean startsWith(byte[] bytes, int from, int end, byte[] word) {
    if (end - from < word.length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      byte b = bytes[from + i];
      byte lower = b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
      if (lower != word[i]) {
        return false;
      }
    }
    return true;
  }
}
