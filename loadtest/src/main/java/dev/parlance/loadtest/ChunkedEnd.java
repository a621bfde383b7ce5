package dev.parlance.loadtest;

import java.io.IOException;

/** Follows a chunked body to its end, trailers included, without keeping any of it. */
final class ChunkedEnd {
  private static final int MAX_LINE = 8192;

  private enum State {
    SIZE,
    DATA,
    DATA_END,
    TRAILER,
    END
  }

  private State state = State.SIZE;
  private final StringBuilder line = new StringBuilder();
  private long left;
  private long dataBytes;

  /** True once the last chunk and what stands behind it have come. */
  boolean reached() {
    return state == State.END;
  }

  /** Bytes inside the chunks so far: how they are cut is everybody's own affair. */
  long dataBytes() {
    return dataBytes;
  }

  void take(byte[] bytes, int from, int to) throws IOException {
    int at = from;
    while (at < to) {
      switch (state) {
        case DATA -> {
          long taken = Math.min(left, to - at);
          at += (int) taken;
          left -= taken;
          dataBytes += taken;
          if (left == 0) {
            state = State.DATA_END;
          }
        }
        case SIZE, DATA_END, TRAILER -> {
          char c = (char) bytes[at++];
          if (c == '\n') {
            lineEnds();
          } else if (c != '\r') {
            line.append(c);
          }
          if (line.length() > MAX_LINE) {
            throw new IOException("a line without an end between chunks");
          }
        }
        case END -> throw new IOException("bytes behind the last chunk");
      }
    }
  }

  private void lineEnds() throws IOException {
    String text = line.toString();
    line.setLength(0);
    switch (state) {
      case SIZE -> {
        left = size(text);
        state = left == 0 ? State.TRAILER : State.DATA;
      }
      case DATA_END -> {
        if (!text.isEmpty()) {
          throw new IOException("a chunk is longer than it says");
        }
        state = State.SIZE;
      }
      case TRAILER -> state = text.isEmpty() ? State.END : State.TRAILER;
      case DATA, END -> throw new IllegalStateException("no line ends here");
    }
  }

  /** The number before any extension. */
  private static long size(String line) throws IOException {
    int end = line.indexOf(';');
    String digits = (end < 0 ? line : line.substring(0, end)).strip();
    if (!digits.matches("[0-9a-fA-F]{1,15}")) {
      throw new IOException("no size of a chunk: " + line);
    }
    return Long.parseLong(digits, 16);
  }
}
