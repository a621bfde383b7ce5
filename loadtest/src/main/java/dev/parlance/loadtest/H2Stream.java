package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/** A stream of an {@link H2Connection}, which alone changes it. */
final class H2Stream {
  private final int id;

  /** Bytes that the peer has room for on this stream; below 0 if it took room back. */
  long window;

  /** What still has to be sent. */
  ByteBuf unsent = Unpooled.EMPTY_BUFFER;

  /** Whether its header block has come in. */
  boolean hasHeaders;

  private ByteBuf received = Unpooled.EMPTY_BUFFER;

  H2Stream(int id, long window) {
    this.id = id;
    this.window = window;
  }

  int id() {
    return id;
  }

  /** The body as far as it was kept. */
  ByteBuf received() {
    return received;
  }

  int receivedBytes() {
    return received.readableBytes();
  }

  void receive(ByteBufAllocator alloc, ByteBuf in, int start, int length) {
    if (received.capacity() == 0) {
      received = alloc.buffer(Math.max(256, 2 * length));
    }
    received.writeBytes(in, start, length);
  }

  boolean hasUnsent() {
    return unsent.capacity() > 0;
  }

  void releaseUnsent() {
    unsent.release();
    unsent = Unpooled.EMPTY_BUFFER;
  }

  void release() {
    releaseUnsent();
    received.release();
    received = Unpooled.EMPTY_BUFFER;
  }
}
