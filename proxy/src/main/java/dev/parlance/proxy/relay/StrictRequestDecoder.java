package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decodes requests one at a time. While one is being answered, the bytes of the next stay raw: at
 * most {@link #MAX_UNREAD_BYTES} of them are taken from the socket, so that a client that leaves is
 * noticed, and a client that only sends is not.
 */
final class StrictRequestDecoder extends HttpRequestDecoder {
  static final int MAX_UNREAD_BYTES = 64 * 1024;

  /** Chunk sizes and extensions may cost this much beyond eight times the data they carry. */
  private static final int CHUNK_OVERHEAD_BYTES = 16 * 1024;

  private static final int CHUNK_OVERHEAD_RATIO = 8;

  private final HeadScanner scanner = new HeadScanner(HeadScanner.Kind.REQUEST);
  private final Runnable headStarted;
  private boolean inHead = true;
  private boolean startTold;
  private boolean paused;
  private boolean broken;
  private long bodyWireBytes;
  private long bodyBytes;

  /**
   * @param headStarted told once per request, at its first byte
   */
  StrictRequestDecoder(HttpMessageLimits limits, Runnable headStarted) {
    super(DecoderSettings.strict(limits));
    this.headStarted = headStarted;
  }

  /** Leaves everything after the request that has just been decoded unread. */
  void pause() {
    paused = true;
  }

  /** Reads on. Called from inside a read, the decoder sees it by itself; else it is nudged. */
  void resume(ChannelHandlerContext decoderContext, boolean insideRead) throws Exception {
    paused = false;
    decoderContext.channel().config().setAutoRead(true);
    if (!insideRead && actualReadableBytes() > 0) {
      channelRead(decoderContext, Unpooled.EMPTY_BUFFER);
      decoderContext.fireChannelReadComplete();
    }
  }

  /** Drops everything from here on. */
  void discardRest() {
    broken = true;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out)
      throws Exception {
    if (broken) {
      buffer.skipBytes(buffer.readableBytes());
      return;
    }
    if (paused) {
      if (buffer.readableBytes() > MAX_UNREAD_BYTES) {
        ctx.channel().config().setAutoRead(false);
      }
      return;
    }
    if (inHead) {
      Optional<HeadFault> fault = scanner.scan(buffer);
      if (scanner.started() && !startTold) {
        startTold = true;
        headStarted.run();
      }
      if (fault.isPresent()) {
        broken = true;
        buffer.skipBytes(buffer.readableBytes());
        out.add(fault.get());
        return;
      }
    }
    boolean body = !inHead;
    int before = buffer.readableBytes();
    int from = out.size();
    super.decode(ctx, buffer, out);
    if (body) {
      bodyWireBytes += before - buffer.readableBytes();
    }
    for (int i = from; i < out.size(); i++) {
      note(out.get(i));
    }
    if (bodyWireBytes > CHUNK_OVERHEAD_BYTES + (1L + CHUNK_OVERHEAD_RATIO) * bodyBytes) {
      broken = true;
      buffer.skipBytes(buffer.readableBytes());
      out.add(HeadFault.bad("chunk_overhead", "more chunk framing than data"));
    }
  }

  private void note(Object message) {
    if (message instanceof HttpRequest) {
      inHead = false;
    }
    if (message instanceof HttpContent content) {
      bodyBytes += content.content().readableBytes();
    }
    if (message instanceof LastHttpContent) {
      inHead = true;
      startTold = false;
      scanner.reset();
      bodyWireBytes = 0;
      bodyBytes = 0;
    }
  }

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    AsciiString name = super.splitHeaderName(line, start, length);
    if (!inHead && FieldRules.isForbiddenTrailer(name.toString().toLowerCase(Locale.ROOT))) {
      throw new FramingException("trailer_forbidden", "a trailer that would act as a header");
    }
    return name;
  }
}
