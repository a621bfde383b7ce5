package dev.parlance.wire.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Validates UTF-8 as Unicode 3.9 (table 3-7) defines it: no overlong forms, no surrogates, nothing
 * past U+10FFFF, nothing cut short. A byte order mark at the beginning says nothing and is let
 * pass.
 */
public final class Utf8 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final int INVALID = -1;

  private Utf8() {}

  /** What is wrong with the encoding of a text, for the peer; empty if nothing. */
  public static Optional<String> problem(byte[] bytes) {
    return problem(bytes, bytes.length);
  }

  /** As above, of the first bytes of an array. */
  public static Optional<String> problem(byte[] bytes, int length) {
    int invalid = firstInvalid(bytes, 0, length);
    return invalid < 0
        ? Optional.empty()
        : Optional.of("invalid UTF-8 at byte " + invalid + "; expected UTF-8");
  }

  /** Bytes of the byte order mark with which a text begins; 0 if it does not. */
  public static int markBytes(byte[] bytes, int length) {
    boolean marked =
        length >= 3
            && bytes[0] == (byte) 0xef
            && bytes[1] == (byte) 0xbb
            && bytes[2] == (byte) 0xbf;
    return marked ? 3 : 0;
  }

  /** As {@link #problem(byte[], int)}, as the outcome of reading a body. */
  public static <V> Optional<Reading<V>> fault(PlainBody body) {
    return problem(body.array(), body.length())
        .map(detail -> new Reading.Malformed<>(WireFault.BAD_ENCODING, detail));
  }

  /** The index of the first byte of the first sequence that is not UTF-8, or -1. */
  public static int firstInvalid(byte[] bytes) {
    return firstInvalid(bytes, 0, bytes.length);
  }

  /** As {@link #firstInvalid(byte[])}, of the bytes from {@code from} to before {@code to}. */
  public static int firstInvalid(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      while (at <= to - Long.BYTES && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
        at += Long.BYTES;
      }
      if (at == to) {
        break;
      }
      if (bytes[at] >= 0) {
        at++;
        continue;
      }
      int sequence = sequenceLength(bytes, at, to);
      if (sequence == INVALID) {
        return at;
      }
      at += sequence;
    }
    return INVALID;
  }

  /** Length of the sequence at an index, or -1 if it is not UTF-8 or reaches past {@code to}. */
  public static int sequenceLength(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xff;
    if (lead < 0x80) {
      return 1;
    }
    if (lead < 0xc2 || lead > 0xf4) {
      return INVALID;
    }
    int sequence = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (at + sequence > to) {
      return INVALID;
    }
    for (int i = 1; i < sequence; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return INVALID;
      }
    }
    int second = bytes[at + 1] & 0xff;
    boolean overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    boolean surrogate = lead == 0xed && second >= 0xa0;
    boolean beyond = lead == 0xf4 && second >= 0x90;
    return overlong || surrogate || beyond ? INVALID : sequence;
  }
}
