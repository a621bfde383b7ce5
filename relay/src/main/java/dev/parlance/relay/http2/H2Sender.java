package dev.parlance.relay.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.relay.net.FlushCoalescer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what one HTTP/2 connection says. Nothing leaves before {@link #flush} or {@link
 * #flushSoon}. A write that fails does so because its stream or the connection has ended, which
 * whoever cares is told otherwise.
 */
public final class H2Sender {
  private static final Logger LOG = LoggerFactory.getLogger(H2Sender.class);

  private final Http2ConnectionHandler handler;
  private final H2ClosedStreams closed;
  private @Nullable ChannelHandlerContext attached;
  private boolean unflushed;
  private boolean flushDue;

  public H2Sender(Http2ConnectionHandler handler, H2ClosedStreams closed) {
    this.handler = handler;
    this.closed = closed;
  }

  /** The handler is in its pipeline. */
  public void attach(ChannelHandlerContext ctx) {
    attached = ctx;
  }

  public ChannelHandlerContext context() {
    ChannelHandlerContext ctx = attached;
    if (ctx == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return ctx;
  }

  private void sent(ChannelFuture write) {
    unflushed = true;
    write.addListener(done -> {
      if (!done.isSuccess()) {
        LOG.trace("a frame was not written: {}", String.valueOf(done.cause()));
      }
    });
  }

  public void headers(int stream, Http2Headers head, boolean last) {
    ChannelHandlerContext ctx = context();
    sent(handler.encoder().writeHeaders(ctx, stream, head, 0, last, ctx.newPromise()));
  }

  /** Sends a piece of a body, which it owns. */
  public void data(int stream, ByteBuf piece, boolean last) {
    ChannelHandlerContext ctx = context();
    sent(handler.encoder().writeData(ctx, stream, piece, 0, last, ctx.newPromise()));
  }

  /**
   * Sends a whole body, which it owns.
   *
   * @param whenWritten called once all of it has been taken by the windows and the socket
   */
  public void body(int stream, ByteBuf body, Runnable whenWritten) {
    ChannelHandlerContext ctx = context();
    unflushed = true;
    handler
        .encoder()
        .writeData(ctx, stream, body, 0, true, ctx.newPromise())
        .addListener(done -> {
          if (done.isSuccess()) {
            whenWritten.run();
          }
        });
  }

  /** Ends a body, with these trailers if there are any. */
  public void end(int stream, HttpHeaders trailers) {
    if (trailers.isEmpty()) {
      data(stream, Unpooled.EMPTY_BUFFER, true);
    } else {
      headers(stream, H2Head.trailers(trailers), true);
    }
  }

  public void reset(int stream, Http2Error error) {
    closed.resetByUs(stream);
    ChannelHandlerContext ctx = context();
    sent(handler.resetStream(ctx, stream, error.code(), ctx.newPromise()));
  }

  /** Says GOAWAY, at once. */
  public void goAway(int lastStream, Http2Error error, String why) {
    ChannelHandlerContext ctx = context();
    ByteBuf debug = Unpooled.copiedBuffer(why, US_ASCII);
    try {
      // Not by the handler, which closes behind a GOAWAY: unread bytes would then reset the
      // connection, and the peer might never see it.
      if (handler.connection().goAwaySent(lastStream, error.code(), debug)) {
        debug.retain();
        sent(
            handler
                .encoder()
                .frameWriter()
                .writeGoAway(ctx, lastStream, error.code(), debug, ctx.newPromise()));
      }
    } catch (Http2Exception e) {
      LOG.debug("a GOAWAY was not written", e);
    } finally {
      debug.release();
    }
    flush();
  }

  public void flush() {
    handler.flush(context());
  }

  /** Lets everything go with what other channels have to say, which is soon. */
  public void flushSoon() {
    if (!flushDue) {
      flushDue = true;
      FlushCoalescer.later(context().channel());
    }
  }

  /** True if something was written since the last flush. */
  public boolean hasUnflushed() {
    ChannelOutboundBuffer buffer = context().channel().unsafe().outboundBuffer();
    return unflushed || (buffer != null && buffer.totalPendingWriteBytes() > 0);
  }

  /** Everything goes now. */
  public void flushing() {
    unflushed = false;
    flushDue = false;
  }
}
