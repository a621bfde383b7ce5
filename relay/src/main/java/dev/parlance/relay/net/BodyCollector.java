package dev.parlance.relay.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Gathers a body up to a bound. A body that comes in one piece is kept as it came; pieces are
 * copied together, so that a sender of one-byte chunks cannot make us hold a read buffer for each.
 */
public final class BodyCollector {
  private static final int FIRST_BYTES = 4096;
  private static final int MOST_AHEAD = 4;

  private final ByteBufAllocator allocator;
  private final int maxBytes;
  private @Nullable ByteBuf held;
  private boolean copied;
  private long expected;

  public BodyCollector(ByteBufAllocator allocator, int maxBytes) {
    this.allocator = allocator;
    this.maxBytes = maxBytes;
  }

  public int maxBytes() {
    return maxBytes;
  }

  public int bytes() {
    return held == null ? 0 : held.readableBytes();
  }

  /**
   * Says how large the body will be, so that room for it need not be made again and again. What was
   * only announced takes no more room than {@value #MOST_AHEAD} times what has come.
   */
  public void expect(long bytes) {
    expected = bytes;
  }

  /**
   * Takes a piece, which it owns from now on whatever happens.
   *
   * @return false if the body would be over the bound; the piece is gone then
   */
  public boolean add(ByteBuf piece) {
    int length = piece.readableBytes();
    if (length > maxBytes - bytes()) {
      piece.release();
      return false;
    }
    if (length == 0) {
      piece.release();
    } else if (held == null) {
      held = piece;
    } else {
      try {
        copyTarget(held, length).writeBytes(piece);
      } finally {
        piece.release();
      }
    }
    return true;
  }

  private ByteBuf copyTarget(ByteBuf present, int more) {
    if (copied) {
      return present;
    }
    int come = present.readableBytes() + more;
    long ahead = Math.min(expected, (long) MOST_AHEAD * come);
    int wanted = (int) Math.max(Math.max(FIRST_BYTES, ahead), come);
    ByteBuf target = allocator.buffer(Math.min(wanted, maxBytes), maxBytes);
    target.writeBytes(present);
    present.release();
    held = target;
    copied = true;
    return target;
  }

  /** Hands the body over; the collector is empty afterwards. */
  public ByteBuf take() {
    ByteBuf body = held == null ? Unpooled.EMPTY_BUFFER : held;
    held = null;
    copied = false;
    expected = 0;
    return body;
  }

  public void release() {
    take().release();
  }
}
