package dev.parlance.proxy.exchange;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.BodyDecoder;
import dev.parlance.wire.bytes.BodyDecoder.Decoding;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.List;

/** From the bytes on the wire to the bytes that are read, and back with the verdict spliced in. */
final class Bodies {
  /** What came of decoding. */
  sealed interface Decoded {
    /**
     * A body without content coding.
     *
     * @param coded true if a coding was taken off; then its bytes are in an array of their own
     */
    record Plain(PlainBody body, boolean coded) implements Decoded {}

    /**
     * Not decodable within the bounds, or declared to be several things.
     *
     * @param detail for the peer
     */
    record Refused(WireFault fault, String detail) implements Decoded {}
  }

  private Bodies() {}

  /** No body. */
  static Decoded.Plain nothing() {
    return new Decoded.Plain(PlainBody.none(), false);
  }

  /**
   * Decodes a copy; the buffer stays as it is and with its owner. A body that is declared to be two
   * things would be judged as the one and read as the other.
   *
   * @param memory for the copy, and for what is made of it
   */
  static Decoded decode(HttpHeaders headers, ByteBuf body, HttpMessageLimits limits, Arena memory) {
    if (saysTwoTypes(headers)) {
      return new Decoded.Refused(
          WireFault.BAD_MESSAGE, "several Content-Type fields; expected at most one");
    }
    if (!headers.contains(HttpHeaderNames.CONTENT_ENCODING)) {
      return new Decoded.Plain(PlainBody.copyOf(body, memory), false);
    }
    Decoding decoding =
        BodyDecoder.decode(
            headers.getAll(HttpHeaderNames.CONTENT_ENCODING),
            ByteBufUtil.getBytes(body),
            limits.bodyBytes(),
            limits.inflationRatio());
    return switch (decoding) {
      case Decoding.Decoded(byte[] plain, boolean coded) ->
          new Decoded.Plain(PlainBody.of(plain, memory), coded);
      case Decoding.Refused(WireFault fault, String detail) -> new Decoded.Refused(fault, detail);
    };
  }

  /** True if the body is declared to be of two types. */
  static boolean saysTwoTypes(HttpHeaders headers) {
    Iterator<String> types = headers.valueStringIterator(HttpHeaderNames.CONTENT_TYPE);
    if (!types.hasNext()) {
      return false;
    }
    String first = types.next();
    while (types.hasNext()) {
      if (!types.next().equals(first)) {
        return true;
      }
    }
    return false;
  }

  /** Size of the body that {@link #edited} makes, in bytes. */
  static long sizeAfter(ByteBuf original, Decoded.Plain plain, List<Edit> edits) {
    if (edits.isEmpty()) {
      return original.readableBytes();
    }
    long size = plain.body().length();
    for (Edit edit : edits) {
      size += edit.inserted().length - edit.removed();
    }
    return size;
  }

  /**
   * The body that goes on. Without edits the very bytes that came, coding and all; with edits the
   * plain bytes with the edits in, and without the fields that spoke about the old bytes.
   *
   * @param original taken over
   */
  static ByteBuf edited(
      ByteBuf original,
      Decoded.Plain plain,
      List<Edit> edits,
      HttpHeaders headers,
      ByteBufAllocator allocator) {
    if (edits.isEmpty()) {
      return original;
    }
    VerdictFields.bodyChanged(headers);
    if (!plain.coded()) {
      return Splicer.apply(original, edits, allocator);
    }
    original.release();
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    // What goes out is written when the memory of the exchange may be another's already.
    return Splicer.apply(Unpooled.wrappedBuffer(plain.body().toBytes()), edits, allocator);
  }
}
