package dev.parlance.policy.claim;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text that is written from another one, and for each of its bytes the byte of the other that it
 * comes from. Reusable scratch, for one thread.
 *
 * <p>Runs of bytes are copied, whose origins run along, or put, whose origin is one byte.
 */
final class Rewritten {
  /** What is kept between texts. */
  private static final int KEEP_BYTES = 1 << 16;

  private byte[] bytes = new byte[256];
  private int size;
  private int[] starts = new int[32];

  /** Origin of a run's first byte; of a run that was put, its complement. */
  private int[] origins = new int[32];

  private int runs;

  void clear() {
    if (bytes.length > KEEP_BYTES || starts.length > KEEP_BYTES) {
      bytes = new byte[256];
      starts = new int[32];
      origins = new int[32];
    }
    size = 0;
    runs = 0;
  }

  int size() {
    return size;
  }

  Utf8Span text() {
    return Utf8Span.of(bytes, 0, size);
  }

  /** The last byte, or a line feed if there is none. */
  byte last() {
    return size == 0 ? (byte) '\n' : bytes[size - 1];
  }

  /**
   * Copies {@code source[from, to)}.
   *
   * @param origin of the first byte
   */
  void copy(byte[] source, int from, int to, int origin) {
    if (from < to) {
      if (runs == 0
          || origins[runs - 1] < 0
          || origins[runs - 1] + size - starts[runs - 1] != origin) {
        run(origin);
      }
      reserve(to - from);
      System.arraycopy(source, from, bytes, size, to - from);
      size += to - from;
    }
  }

  /** Puts a text that stands for what begins at {@code origin}. */
  void put(String text, int origin) {
    if (text.isEmpty()) {
      return;
    }
    if (runs == 0 || origins[runs - 1] != ~origin) {
      run(~origin);
    }
    if (text.length() == 1 && text.charAt(0) < 0x80) {
      reserve(1);
      bytes[size++] = (byte) text.charAt(0);
    } else {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      reserve(encoded.length);
      System.arraycopy(encoded, 0, bytes, size, encoded.length);
      size += encoded.length;
    }
  }

  /**
   * Appends another text that was written.
   *
   * @param base added to its origins
   */
  void append(Rewritten other, int base) {
    for (int run = 0; run < other.runs; run++) {
      int start = other.starts[run];
      int end = run + 1 < other.runs ? other.starts[run + 1] : other.size;
      int origin = other.origins[run];
      run(origin < 0 ? ~(~origin + base) : origin + base);
      reserve(end - start);
      System.arraycopy(other.bytes, start, bytes, size, end - start);
      size += end - start;
    }
  }

  /** Puts a line feed, unless a line begins here. */
  void line(int origin) {
    if (last() != '\n') {
      put("\n", origin);
    }
  }

  /** The byte that byte {@code offset} comes from; for the end, the one after that of the last. */
  int origin(int offset) {
    if (size == 0) {
      return 0;
    }
    if (offset >= size) {
      return origin(size - 1) + 1;
    }
    int run = Arrays.binarySearch(starts, 0, runs, offset);
    run = run < 0 ? -run - 2 : run;
    return origins[run] < 0 ? ~origins[run] : origins[run] + offset - starts[run];
  }

  private void run(int origin) {
    if (runs == starts.length) {
      starts = Arrays.copyOf(starts, 2 * runs);
      origins = Arrays.copyOf(origins, 2 * runs);
    }
    starts[runs] = size;
    origins[runs++] = origin;
  }

  private void reserve(int count) {
    if (bytes.length - size < count) {
      bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
    }
  }
}
