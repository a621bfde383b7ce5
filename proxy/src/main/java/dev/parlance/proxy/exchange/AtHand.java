package dev.parlance.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;

/** The body of the message under way, as long as nobody else owns its bytes. */
final class AtHand {
  private Optional<ByteBuf> bytes;
  private Bodies.Decoded.Plain plain = Bodies.nothing();

  /**
   * A body.
   *
   * @param body taken over
   */
  AtHand(ByteBuf body) {
    this.bytes = Optional.of(body);
  }

  /** The next message; what is left of the one before is released. */
  void put(ByteBuf body) {
    release();
    bytes = Optional.of(body);
    plain = Bodies.nothing();
  }

  /** The same bytes without content coding. */
  void decoded(Bodies.Decoded.Plain decoded) {
    plain = decoded;
  }

  Bodies.Decoded.Plain plain() {
    return plain;
  }

  boolean isPresent() {
    return bytes.isPresent();
  }

  /** The bytes, which stay here. */
  ByteBuf look() {
    return bytes.orElseThrow();
  }

  /** The bytes, which belong to the caller from now on; empty ones if they are gone. */
  ByteBuf take() {
    ByteBuf taken = bytes.orElse(Unpooled.EMPTY_BUFFER);
    bytes = Optional.empty();
    return taken;
  }

  void release() {
    take().release();
  }
}
