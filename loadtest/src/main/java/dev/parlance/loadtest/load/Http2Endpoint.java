package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;

/**
 * One end of an HTTP/2 connection on Netty's codec, for load generator and fake upstream: gathers
 * whole messages. Netty keeps streams, windows and header tables; its guards against hostile peers
 * are left out.
 */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
abstract class Http2Endpoint extends Http2ConnectionHandler {
  /** No body is larger, so streams need no further window. */
  private static final int STREAM_WINDOW = 64 << 20;

  /** Room that a connection has for what comes in. */
  private static final int CONNECTION_WINDOW = 1 << 30;

  private static final int MAX_STREAMS = 1024;

  private final IntObjectMap<Incoming> incoming = new IntObjectHashMap<>();
  private boolean settingsSeen;

  /** What has come of a message so far. */
  private static final class Incoming {
    final Http2Headers headers;
    ByteBuf body = Unpooled.EMPTY_BUFFER;

    Incoming(Http2Headers headers) {
      this.headers = headers;
    }
  }

  /** The parts that a connection handler is made of. */
  record Codec(
      Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
    static Codec client() {
      return of(false, new Http2Settings().pushEnabled(false));
    }

    static Codec server() {
      return of(true, new Http2Settings().maxConcurrentStreams(MAX_STREAMS));
    }

    private static Codec of(boolean server, Http2Settings settings) {
      Http2Connection connection = new DefaultHttp2Connection(server);
      connection
          .remote()
          .flowController(
              new DefaultHttp2RemoteFlowController(
                  connection, new UniformStreamByteDistributor(connection)));
      // A length is different every time: entered into the peer's table, it would only fill it.
      Http2ConnectionEncoder encoder =
          new DefaultHttp2ConnectionEncoder(
              connection,
              new DefaultHttp2FrameWriter((name, _) -> "content-length".contentEquals(name)));
      return new Codec(
          new DefaultHttp2ConnectionDecoder(
              connection, encoder, new DefaultHttp2FrameReader(false)),
          encoder,
          settings.initialWindowSize(STREAM_WINDOW));
    }
  }

  Http2Endpoint(Codec codec) {
    super(codec.decoder(), codec.encoder(), codec.settings(), true, true);
    codec.decoder().frameListener(new Frames());
  }

  /** The peer's settings are known: from now on something may be sent. */
  abstract void onReady(ChannelHandlerContext ctx);

  /**
   * A message has come in to its end.
   *
   * @param body borrowed for the call
   */
  abstract void onMessage(
      ChannelHandlerContext ctx, int stream, Http2Headers headers, ByteBuf body);

  /** The peer has ended a stream before its end. */
  abstract void onReset(ChannelHandlerContext ctx, int stream);

  /** The peer will take no streams after this one. */
  abstract void onGoAway(ChannelHandlerContext ctx, int lastStream);

  /** What came in is no HTTP/2; the connection is closed afterwards. */
  abstract void onMalformed();

  /** Something failed that is not the peer's HTTP/2; the connection is closed afterwards. */
  abstract void onFailure(Throwable cause);

  /** Sends a whole message as far as windows allow; does not flush. Takes over the body. */
  final void send(ChannelHandlerContext ctx, int stream, Http2Headers headers, ByteBuf body) {
    encoder().writeHeaders(ctx, stream, headers, 0, false, ctx.newPromise());
    encoder().writeData(ctx, stream, body, 0, true, ctx.newPromise());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    if (ctx.channel().isActive()) {
      widen(ctx);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    super.channelActive(ctx);
    widen(ctx);
  }

  private void widen(ChannelHandlerContext ctx) throws Http2Exception {
    connection()
        .local()
        .flowController()
        .incrementWindowSize(
            connection().connectionStream(),
            CONNECTION_WINDOW - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
    flush(ctx);
  }

  private final class Frames extends Http2FrameAdapter {
    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
      if (!settingsSeen) {
        settingsSeen = true;
        onReady(ctx);
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean ends) {
      CharSequence status = headers.status();
      boolean isInterim = status != null && status.length() == 3 && status.charAt(0) == '1';
      if (!isInterim && !incoming.containsKey(stream)) { // else trailers
        incoming.put(stream, new Incoming(headers));
      }
      if (ends) {
        end(ctx, stream, Unpooled.EMPTY_BUFFER);
      }
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean ends) {
      int used = data.readableBytes() + padding;
      Incoming message = incoming.get(stream);
      if (message == null) {
        return used; // a stream that was given up
      }
      boolean isWhole = ends && !message.body.isReadable();
      if (!isWhole) {
        if (message.body.capacity() == 0) {
          message.body = ctx.alloc().buffer(2 * Math.max(128, data.readableBytes()));
        }
        message.body.writeBytes(data, data.readerIndex(), data.readableBytes());
      }
      if (ends) {
        end(ctx, stream, isWhole ? data : message.body);
      }
      return used;
    }

    private void end(ChannelHandlerContext ctx, int stream, ByteBuf body) {
      Incoming message = incoming.remove(stream);
      if (message != null) {
        try {
          onMessage(ctx, stream, message.headers, body.isReadable() ? body : message.body);
        } finally {
          message.body.release();
        }
      }
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long error) {
      forget(stream);
      onReset(ctx, stream);
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext ctx, int lastStream, long error, ByteBuf text) {
      onGoAway(ctx, lastStream);
    }
  }

  private void forget(int stream) {
    Incoming message = incoming.remove(stream);
    if (message != null) {
      message.body.release();
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception fault) {
    onMalformed();
    ctx.close();
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException fault) {
    if (outbound) {
      super.onStreamError(ctx, true, cause, fault);
    } else {
      onConnectionError(ctx, false, cause, fault);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
      super.exceptionCaught(ctx, cause);
    } else {
      onFailure(cause);
      ctx.close();
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
    super.handlerRemoved0(ctx);
    incoming.values().forEach(message -> message.body.release());
    incoming.clear();
  }
}
