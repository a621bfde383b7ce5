package dev.parlance.proxy.exchange.body;

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
import java.util.Optional;

/**
 * The body of the message under way, as long as nobody else owns its bytes: as it came on the wire,
 * without content coding as it is read, and with the verdict spliced in as it goes on.
 */
public final class BodyHolder {
  private static final Decoded.Plain NOTHING = new Decoded.Plain(PlainBody.none(), false);

  /** What came of decoding. */
  public sealed interface Decoded {
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

  private Optional<ByteBuf> bytes;
  private Decoded.Plain plain = NOTHING;

  /**
   * A body.
   *
   * @param body taken over
   */
  public BodyHolder(ByteBuf body) {
    this.bytes = Optional.of(body);
  }

  /** The next message; what is left of the one before is released. */
  public void put(ByteBuf body) {
    release();
    bytes = Optional.of(body);
    plain = NOTHING;
  }

  /**
   * A body that has gone out comes back, without content coding.
   *
   * @param sent as it was decoded; its memory is still the exchange's
   */
  public void again(PlainBody sent) {
    put(Unpooled.wrappedBuffer(sent.toBytes()));
    plain = new Decoded.Plain(sent, false);
  }

  /** The body as it was decoded; empty before that. */
  public Decoded.Plain plain() {
    return plain;
  }

  public boolean isPresent() {
    return bytes.isPresent();
  }

  /** The bytes, which stay here. */
  public ByteBuf look() {
    return bytes.orElseThrow();
  }

  /** The bytes, which belong to the caller from now on; empty ones if they are gone. */
  public ByteBuf take() {
    ByteBuf taken = bytes.orElse(Unpooled.EMPTY_BUFFER);
    bytes = Optional.empty();
    return taken;
  }

  public void release() {
    take().release();
  }

  /**
   * Decodes a copy. A body that is declared to be two things would be judged as the one and read as
   * the other.
   *
   * @param memory for the copy, and for what is made of it
   */
  public Decoded decode(HttpHeaders headers, HttpMessageLimits limits, Arena memory) {
    Decoded decoded = decode(headers, look(), limits, memory);
    if (decoded instanceof Decoded.Plain read) {
      plain = read;
    }
    return decoded;
  }

  private static Decoded decode(
      HttpHeaders headers, ByteBuf body, HttpMessageLimits limits, Arena memory) {
    if (saysTwoTypes(headers)) {
      return new Decoded.Refused(
          WireFault.BAD_MESSAGE, "several Content-Type fields; expected at most one");
    }
    if (!body.isReadable() || !headers.contains(HttpHeaderNames.CONTENT_ENCODING)) {
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
  public static boolean saysTwoTypes(HttpHeaders headers) {
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

  /** Size of the body that {@link #takeEdited} makes, in bytes. */
  public long sizeAfter(List<Edit> edits) {
    if (edits.isEmpty()) {
      return look().readableBytes();
    }
    long size = plain.body().length();
    for (Edit edit : edits) {
      size += edit.inserted().length - edit.removed();
    }
    return size;
  }

  /**
   * The body that goes on, which belongs to the caller from now on. Without edits the very bytes
   * that came, coding and all; with edits the plain bytes with the edits in, and without the fields
   * that spoke about the old bytes.
   */
  public ByteBuf takeEdited(List<Edit> edits, HttpHeaders headers, ByteBufAllocator allocator) {
    ByteBuf original = take();
    if (edits.isEmpty()) {
      return original;
    }
    try {
      VerdictFields.bodyChanged(headers);
      if (plain.coded()) {
        headers.remove(HttpHeaderNames.CONTENT_ENCODING);
      }
      return Splicer.apply(plain.body(), edits, allocator);
    } finally {
      original.release();
    }
  }
}
