package dev.parlance.policy.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds runs of ASCII letters and digits, eight bytes at a time in one register and without a
 * branch for each byte: the lengths of words are what a processor predicts worst.
 */
final class Words {
  /** Most edges that one call can find beyond those that fit: an array needs that many to spare. */
  static final int SPARE_EDGES = 72;

  private static final int BLOCK = Long.SIZE;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOWER_CASE = 0x2020202020202020L;
  private static final long FROM_A = 0x0101010101010101L * (0x80 - 'a');
  private static final long ABOVE_Z = 0x0101010101010101L * (0x7F - 'z');
  private static final long FROM_0 = 0x0101010101010101L * (0x80 - '0');
  private static final long ABOVE_9 = 0x0101010101010101L * (0x7F - '9');

  /** Gathers the lowest bit of each byte in the highest byte, the first byte's lowest. */
  private static final long GATHER = 0x0102040810204080L;

  private Words() {}

  /**
   * Writes the index at which each run begins and the one after its end, in turn; an odd number of
   * edges says that the last run reaches {@code to}.
   *
   * @param bytes from {@code from} to {@code to} all ASCII
   * @param pad scratch of at least 64 bytes
   * @param edges room for one per byte and {@value #SPARE_EDGES} more
   * @return how many edges there are
   */
  static int cut(byte[] bytes, int from, int to, byte[] pad, int[] edges) {
    int count = 0;
    long before = 0;
    int at = from;
    for (; at + BLOCK <= to; at += BLOCK) {
      long in = block(bytes, at);
      count = write(in ^ (in << 1 | before), at, edges, count);
      before = in >>> (BLOCK - 1);
    }
    if (at < to) {
      int rest = to - at;
      long in;
      // What stands behind the range shows in higher bits only, which are cut off.
      if (at + BLOCK <= bytes.length) {
        in = block(bytes, at);
      } else {
        System.arraycopy(bytes, at, pad, 0, rest);
        in = block(pad, 0);
      }
      long kept = (1L << rest) - 1;
      count = write((in ^ (in << 1 | before)) & kept, at, edges, count);
    }
    return count;
  }

  /** A bit for each of 64 bytes, the first in the lowest: set if it is a letter or digit. */
  private static long block(byte[] bytes, int at) {
    return eight((long) LONG.get(bytes, at))
        | eight((long) LONG.get(bytes, at + 8)) << 8
        | eight((long) LONG.get(bytes, at + 16)) << 16
        | eight((long) LONG.get(bytes, at + 24)) << 24
        | eight((long) LONG.get(bytes, at + 32)) << 32
        | eight((long) LONG.get(bytes, at + 40)) << 40
        | eight((long) LONG.get(bytes, at + 48)) << 48
        | eight((long) LONG.get(bytes, at + 56)) << 56;
  }

  private static long eight(long bytes) {
    long lower = bytes | LOWER_CASE;
    long letters = lower + FROM_A & ~(lower + ABOVE_Z);
    long digits = bytes + FROM_0 & ~(bytes + ABOVE_9);
    return ((((letters | digits) & HIGH_BITS) >>> 7) * GATHER) >>> 56;
  }

  /** Appends the indexes of the bits set; writes up to seven places more. */
  private static int write(long bits, int base, int[] edges, int count) {
    int end = count + Long.bitCount(bits);
    long left = bits;
    for (int i = count; i < end; i += 8) {
      for (int j = 0; j < 8; j++) {
        edges[i + j] = base + Long.numberOfTrailingZeros(left);
        left &= left - 1;
      }
    }
    return end;
  }

  /** Index of the first byte that is not ASCII, or {@code to}. */
  static int asciiEnd(byte[] bytes, int from, int to) {
    int i = from;
    while (i + Long.BYTES <= to && ((long) LONG.get(bytes, i) & HIGH_BITS) == 0) {
      i += Long.BYTES;
    }
    while (i < to && bytes[i] >= 0) {
      i++;
    }
    return i;
  }
}
