package dev.parlance.demo.agent;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into the chunks in which a stream brings it. */
final class Chunks {
  private static final int CHARS_MIN = 24;

  private Chunks() {}

  /**
   * Pieces of {@value #CHARS_MIN} characters or a little more, cut behind blank space; one after
   * the other they are the text.
   */
  static List<String> of(String text) {
    List<String> chunks = new ArrayList<>();
    int from = 0;
    for (int at = 1; at < text.length(); at++) {
      if (at - from >= CHARS_MIN && Character.isWhitespace(text.charAt(at - 1))) {
        chunks.add(text.substring(from, at));
        from = at;
      }
    }
    chunks.add(text.substring(from));
    return chunks;
  }
}
