package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;
import java.util.List;

/**
 * The texts of protocol errors. Up to {@value #MAX_BYTES} bytes together they pass unjudged and
 * counted (a callers' client needs them, and nothing could be held against them); longer ones are
 * read like an answer.
 */
public final class ErrorTexts {
  /** Most bytes of all texts of an error that pass without being judged. */
  static final int MAX_BYTES = 512;

  private ErrorTexts() {}

  public static boolean areShort(List<Utf8Span> texts) {
    long bytes = 0;
    for (Utf8Span text : texts) {
      bytes += text.length();
    }
    return bytes <= MAX_BYTES;
  }
}
