package dev.parlance.relay.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes received from a peer that are not parsed yet. Usually the one buffer that the socket
 * filled, which goes on as it is if its rest is wanted whole.
 */
public final class InboundBuffer {
  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf held;

  public InboundBuffer(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Takes more, which it owns from now on. */
  public void add(ByteBuf bytes) {
    held =
        held == null
            ? bytes
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, held, bytes);
  }

  public int size() {
    return held == null ? 0 : held.readableBytes();
  }

  /** What there is, to be read from; it stays here. */
  public ByteBuf bytes() {
    return held == null ? Unpooled.EMPTY_BUFFER : held;
  }

  /** Takes the next bytes out, of which there have to be so many; the caller owns them. */
  public ByteBuf take(int length) {
    ByteBuf all = bytes();
    if (length < all.readableBytes()) {
      return all.readRetainedSlice(length);
    }
    held = null;
    return all;
  }

  /** Gives a buffer back that has been read to its end. */
  public void settle() {
    if (held != null && !held.isReadable()) {
      drop();
    }
  }

  /** Gives up what there is. */
  public void drop() {
    ByteBuf gone = held;
    held = null;
    if (gone != null) {
      gone.release();
    }
  }
}
