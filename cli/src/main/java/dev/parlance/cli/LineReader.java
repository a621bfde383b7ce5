package dev.parlance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream into lines at LF, in constant memory: a line over the limit is reported once and
 * the rest of it is thrown away, so reading goes on at the next line.
 */
public final class LineReader {
  /** What comes next in the stream. */
  public sealed interface Line {
    /**
     * A line.
     *
     * @param bytes what stood before the LF; a copy
     */
    @SuppressWarnings("ArrayRecordComponent") // raw bytes, compared nowhere
    record Whole(byte[] bytes) implements Line {}

    /** A line over the limit. */
    record TooLong() implements Line {}

    /** The stream is over. */
    record End() implements Line {}
  }

  /** Called before a read that may wait: what has been written should be visible by then. */
  @FunctionalInterface
  public interface BeforeWait {
    /** Flushes. */
    void run() throws IOException;
  }

  private final InputStream in;
  private final int lineBytesMax;
  private final BeforeWait beforeWait;
  private final byte[] chunk = new byte[1 << 16];
  private int from;
  private int to;
  private byte[] line = new byte[1 << 12];
  private int length;

  public LineReader(InputStream in, int lineBytesMax, BeforeWait beforeWait) {
    this.in = in;
    this.lineBytesMax = lineBytesMax;
    this.beforeWait = beforeWait;
  }

  public Line next() throws IOException {
    length = 0;
    boolean tooLong = false;
    boolean any = false;
    while (fill()) {
      any = true;
      int end = from;
      while (end < to && chunk[end] != '\n') {
        end++;
      }
      tooLong |= length + (end - from) > lineBytesMax;
      if (!tooLong) {
        append(from, end - from);
      }
      from = end;
      if (end < to) {
        from++;
        return finish(tooLong);
      }
    }
    return any ? finish(tooLong) : new Line.End();
  }

  private Line finish(boolean tooLong) {
    if (line.length > 1 << 20) { // one huge line must not cost its memory for ever
      byte[] whole = Arrays.copyOf(line, length);
      line = new byte[1 << 12];
      return tooLong ? new Line.TooLong() : new Line.Whole(whole);
    }
    return tooLong ? new Line.TooLong() : new Line.Whole(Arrays.copyOf(line, length));
  }

  private boolean fill() throws IOException {
    if (from < to) {
      return true;
    }
    if (in.available() == 0) {
      beforeWait.run();
    }
    int read = in.read(chunk);
    from = 0;
    to = Math.max(read, 0);
    return read > 0;
  }

  private void append(int offset, int count) {
    if (length + count > line.length) {
      line =
          Arrays.copyOf(
              line,
              (int) Math.min(lineBytesMax, Math.max(2L * line.length, length + (long) count)));
    }
    System.arraycopy(chunk, offset, line, length, count);
    length += count;
  }
}
