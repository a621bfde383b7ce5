package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;

/**
 * One end of an HTTP/1.1 connection on Netty's decoder, for load generator and fake upstream:
 * gathers whole messages. What goes out are bytes, so that sending costs nothing. Not for use
 * against hostile peers.
 */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
abstract class Http1Endpoint extends SimpleChannelInboundHandler<HttpObject> {
  /** A piece of a body is as large as what has come in. */
  private static final HttpDecoderConfig CONFIG =
      new HttpDecoderConfig()
          .setMaxHeaderSize(64 * 1024)
          .setMaxChunkSize(1 << 20)
          .setValidateHeaders(false);

  private final ChannelHandler decoder;
  private HttpMessage head =
      new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE);
  private ByteBuf body = Unpooled.EMPTY_BUFFER;

  Http1Endpoint(ChannelHandler decoder) {
    this.decoder = decoder;
  }

  /** Reads requests. */
  static ChannelHandler requests() {
    return new HttpRequestDecoder(CONFIG);
  }

  /** Reads answers; one that does not say how long it is has no body, instead of no end. */
  static ChannelHandler answers() {
    return new HttpResponseDecoder(CONFIG) {
      @Override
      protected boolean isContentAlwaysEmpty(HttpMessage answer) {
        return super.isContentAlwaysEmpty(answer)
            || (!HttpUtil.isContentLengthSet(answer)
                && !HttpUtil.isTransferEncodingChunked(answer));
      }
    };
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * A whole message has come in.
   *
   * @param body without chunk framing; borrowed for the call
   */
  abstract void onMessage(ChannelHandlerContext ctx, HttpMessage head, ByteBuf body);

  /** The bytes make no message; the connection is closed afterwards. */
  abstract void onMalformed();

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    ctx.pipeline().addBefore(ctx.name(), null, decoder);
  }

  @Override
  protected final void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    if (part.decoderResult().isFailure()) {
      onMalformed();
      ctx.close();
      return;
    }
    if (part instanceof HttpMessage message) {
      head = message;
    }
    if (part instanceof HttpContent piece) {
      boolean isLast = part instanceof LastHttpContent;
      if (isLast && !body.isReadable()) {
        onMessage(ctx, head, piece.content());
      } else {
        gather(ctx, piece.content());
        if (isLast) {
          onMessage(ctx, head, body);
          forget();
        }
      }
    }
  }

  private void gather(ChannelHandlerContext ctx, ByteBuf piece) {
    if (body.capacity() == 0) {
      body = ctx.alloc().buffer(2 * Math.max(128, piece.readableBytes()));
    }
    body.writeBytes(piece, piece.readerIndex(), piece.readableBytes());
  }

  private void forget() {
    body.release();
    body = Unpooled.EMPTY_BUFFER;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    forget();
  }
}
