package dev.parlance.proxy.wire;

import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * Text that grows piece by piece. Pieces of running text stand together as they come, so that it
 * does not matter how the speaker cut them; lines stand alone.
 */
final class SpokenText {
  private static final int FIRST_BYTES = 256;

  /** The only piece so far, as long as there is one only. */
  private Utf8Span only = Utf8Span.EMPTY;

  private byte[] bytes = {};
  private int length;
  private boolean begun;
  private boolean afterLine;

  /** Adds a piece of running text. */
  void run(Utf8Span piece) {
    if (piece.isEmpty()) {
      begun = true;
      return;
    }
    add(piece, afterLine);
    afterLine = false;
  }

  /** Adds a line of its own. */
  void line(Utf8Span line) {
    add(line, begun);
    afterLine = true;
  }

  private void add(Utf8Span piece, boolean onNewLine) {
    if (length == 0 && !onNewLine) {
      only = piece;
      length = piece.length();
      begun = true;
      return;
    }
    if (bytes.length == 0) {
      bytes = new byte[Math.max(FIRST_BYTES, 2 * Math.addExact(length, piece.length() + 1))];
      System.arraycopy(only.array(), only.arrayOffset(), bytes, 0, only.length());
      only = Utf8Span.EMPTY;
    }
    int needed = Math.addExact(length, piece.length() + 1);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
    }
    if (onNewLine) {
      bytes[length++] = '\n';
    }
    System.arraycopy(piece.array(), piece.arrayOffset(), bytes, length, piece.length());
    length += piece.length();
    begun = true;
  }

  /** True if anything was added, be it empty. */
  boolean begun() {
    return begun;
  }

  /** Bytes so far. */
  int length() {
    return length;
  }

  /** The text so far; what is added later does not change it. */
  Utf8Span text() {
    return bytes.length == 0 ? only : Utf8Span.of(bytes, 0, length);
  }
}
