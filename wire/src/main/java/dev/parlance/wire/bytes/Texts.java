package dev.parlance.wire.bytes;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Small helpers for text that is joined for judging or quoted in a detail. */
public final class Texts {
  private Texts() {}

  /** As {@link #join(List, Arena)}, in an array of its own. */
  public static Utf8Span join(List<Utf8Span> texts) {
    return join(texts, Arena.unpooled());
  }

  /**
   * The texts with a line feed between them, in the memory given; a single one stays a view without
   * a copy.
   */
  public static Utf8Span join(List<Utf8Span> texts, Arena memory) {
    if (texts.size() == 1) {
      return texts.getFirst();
    }
    int length = Math.max(0, texts.size() - 1);
    for (Utf8Span text : texts) {
      length = Math.addExact(length, text.length());
    }
    int from = memory.reserve(length);
    byte[] joined = memory.array();
    int at = from;
    for (int i = 0; i < texts.size(); i++) {
      Utf8Span text = texts.get(i);
      if (i > 0) {
        joined[at++] = '\n';
      }
      System.arraycopy(text.array(), text.arrayOffset(), joined, at, text.length());
      at += text.length();
    }
    return Utf8Span.of(joined, from, length);
  }

  /**
   * True if there is a letter or a digit. A text that answers nothing and has none ({@code {}},
   * {@code ...}) says nothing; an answer without any is an empty answer.
   */
  public static boolean hasWords(Utf8Span text) {
    for (int i = 0; i < text.length(); i++) {
      byte b = text.byteAt(i);
      if (b < 0) {
        Utf8Span rest = text.slice(i, text.length() - i);
        return rest.toString().codePoints().anyMatch(Character::isLetterOrDigit);
      }
      if (Character.isLetterOrDigit(b)) {
        return true;
      }
    }
    return false;
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A peer's token, cut and made printable ASCII, so that it can stand in a detail. */
  public static String printable(String text, int most) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), most); i++) {
      char c = text.charAt(i);
      out.append(c > 0x20 && c < 0x7f && c != '"' ? c : '?');
    }
    return out.toString();
  }
}
