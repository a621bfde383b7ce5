package dev.parlance.wire.api;

import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * Cuts the bytes of a streamed body into events, however they were cut into reads. Keeps the bytes
 * of the unfinished event only, within a bound. Single use, one event loop.
 */
public interface StreamFraming {
  /**
   * Takes bytes; the buffer stays with the caller and is read from its reader index to its end.
   *
   * @return what is wrong; after a fault nothing more may be fed
   */
  Optional<Fault> feed(ByteBuf bytes);

  /** The next whole event, in order; empty until more bytes come. */
  Optional<Frame> next();

  /**
   * The body has ended.
   *
   * @return a fault if an event was left unfinished in a way that a receiver could still take for
   *     content
   */
  Optional<Fault> end();

  /** A new event with this payload, as it goes on the wire. */
  byte[] frame(byte[] payload);

  /** The same under a name, where events have names; an empty one is none. */
  default byte[] frame(String name, byte[] payload) {
    return frame(payload);
  }

  /** Bytes that keep the connection alive and mean nothing; an empty array if there are none. */
  byte[] heartbeat();

  /**
   * A framing error of a stream.
   *
   * @param fault what is wrong
   * @param detail for the log: the bad value and what was expected, at most 200 characters, no text
   */
  record Fault(WireFault fault, String detail) {}
}
