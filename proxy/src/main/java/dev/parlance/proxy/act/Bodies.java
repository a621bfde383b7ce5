package dev.parlance.proxy.act;

import dev.parlance.proxy.relay.HttpMessageLimits;
import dev.parlance.proxy.wire.BodyDecoder;
import dev.parlance.proxy.wire.BodyDecoder.Decoding;
import dev.parlance.proxy.wire.Edit;
import dev.parlance.proxy.wire.Splicer;
import dev.parlance.proxy.wire.WireFault;
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
  /** No body. */
  static final Decoding.Decoded NOTHING = new Decoding.Decoded(new byte[0], false);

  private Bodies() {}

  /**
   * Decodes a copy; the buffer stays as it is and with its owner. A body that is declared to be two
   * things would be judged as the one and read as the other.
   */
  static Decoding decode(HttpHeaders headers, ByteBuf body, HttpMessageLimits limits) {
    if (saysTwoTypes(headers)) {
      return new Decoding.Refused(
          WireFault.BAD_MESSAGE, "several Content-Type fields; expected at most one");
    }
    return BodyDecoder.decode(
        headers.contains(HttpHeaderNames.CONTENT_ENCODING)
            ? headers.getAll(HttpHeaderNames.CONTENT_ENCODING)
            : List.of(),
        ByteBufUtil.getBytes(body),
        limits.bodyBytes(),
        limits.inflationRatio());
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
  static long sizeAfter(ByteBuf original, Decoding.Decoded plain, List<Edit> edits) {
    if (edits.isEmpty()) {
      return original.readableBytes();
    }
    long size = plain.body().length;
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
      Decoding.Decoded plain,
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
    return Splicer.apply(Unpooled.wrappedBuffer(plain.body()), edits, allocator);
  }
}
