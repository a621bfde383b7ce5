package dev.parlance.proxy.exchange;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The bytes of a stream that no whole event has taken yet. Kept only where nothing may be held
 * back: there even what is no event goes on, byte for byte.
 */
final class RawTail {
  private byte[] bytes = {};
  private int from;
  private int to;

  /** Bytes have arrived; the buffer stays with the caller. */
  void add(ByteBuf arrived) {
    int more = arrived.readableBytes();
    if (to + more > bytes.length) {
      byte[] into = new byte[Math.max(to - from + more, 2 * (to - from))];
      System.arraycopy(bytes, from, into, 0, to - from);
      bytes = into;
      to -= from;
      from = 0;
    }
    arrived.getBytes(arrived.readerIndex(), bytes, to, more);
    to += more;
  }

  /** An event has taken this many. */
  void drop(int count) {
    from = Math.min(to, from + count);
    if (from == to) {
      from = 0;
      to = 0;
    }
  }

  /** What is left. */
  byte[] rest() {
    return Arrays.copyOfRange(bytes, from, to);
  }
}
