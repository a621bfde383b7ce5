package dev.parlance.wire.bytes;

import dev.parlance.policy.text.Utf8Span;

/**
 * A text that is accumulated piece by piece. Pieces of running text stand together as they come, so
 * that it does not matter how the speaker cut them; lines stand alone.
 */
public final class TextAccumulator {
  private static final int FIRST_BYTES = 256;

  /** The only piece so far, as long as there is one only. */
  private Utf8Span only = Utf8Span.EMPTY;

  private final Arena memory;
  private byte[] bytes = {};
  private int from;
  private int room;
  private int length;
  private boolean begun;
  private boolean afterLine;

  /**
   * Nothing yet.
   *
   * @param memory for what is put together
   */
  public TextAccumulator(Arena memory) {
    this.memory = memory;
  }

  /** Adds a piece of running text. */
  public void run(Utf8Span piece) {
    if (piece.isEmpty()) {
      begun = true;
      return;
    }
    add(piece, afterLine);
    afterLine = false;
  }

  /** Adds a line of its own. */
  public void line(Utf8Span line) {
    add(line, begun);
    afterLine = true;
  }

  /** What is added next begins a line. */
  public void gap() {
    afterLine |= length > 0;
  }

  private void add(Utf8Span piece, boolean onNewLine) {
    if (length == 0 && !onNewLine) {
      only = piece;
      length = piece.length();
      begun = true;
      return;
    }
    int needed = Math.addExact(length, piece.length() + 1);
    if (room == 0) {
      move(only.array(), only.arrayOffset(), Math.max(FIRST_BYTES, Math.addExact(needed, needed)));
      only = Utf8Span.EMPTY;
    } else if (needed > room) {
      move(bytes, from, Math.max(needed, room + (room >> 1)));
    }
    if (onNewLine) {
      bytes[from + length++] = '\n';
    }
    System.arraycopy(piece.array(), piece.arrayOffset(), bytes, from + length, piece.length());
    length += piece.length();
    begun = true;
  }

  private void move(byte[] source, int sourceFrom, int newRoom) {
    int newFrom = memory.reserve(newRoom);
    bytes = memory.array();
    System.arraycopy(source, sourceFrom, bytes, newFrom, length);
    from = newFrom;
    room = newRoom;
  }

  /** True if anything was added, be it empty. */
  public boolean begun() {
    return begun;
  }

  /** Bytes so far. */
  public int length() {
    return length;
  }

  /** The text so far; what is added later does not change it. */
  public Utf8Span text() {
    return room == 0 ? only : Utf8Span.of(bytes, from, length);
  }
}
