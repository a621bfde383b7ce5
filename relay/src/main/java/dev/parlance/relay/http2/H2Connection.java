package dev.parlance.relay.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.FlushCoalescer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 connection, as far as a server and a client are alike: frames go to the call of their
 * stream, writes leave in batches, and what a peer may cause is bounded.
 *
 * <p>What is written while a read is under way leaves together at its end. A write that fails does
 * so because its stream or the connection has ended, which whoever cares is told otherwise.
 *
 * @param <C> the call that a stream carries
 */
public abstract class H2Connection<C> extends Http2ConnectionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(H2Connection.class);

  private final H2Parts parts;
  private final SocketChannel channel;
  private final Http2Connection.PropertyKey callKey;
  private @Nullable ChannelHandlerContext attached;
  private boolean insideRead;
  private boolean inReadComplete;
  private boolean unflushed;
  private boolean flushDue;

  /** Largest block of fields that the peer takes. */
  private long peersListBytes = Long.MAX_VALUE;

  private H2Connection(H2Parts parts, SocketChannel channel) {
    super(parts.guard(), parts.encoder(), parts.settings(), true, true);
    this.parts = parts;
    this.channel = channel;
    this.callKey = parts.connection().newKey();
  }

  /**
   * One side of a connection.
   *
   * @param server true if the peer is the client
   */
  protected H2Connection(boolean server, HttpMessageLimits limits, SocketChannel channel) {
    this(server ? H2Parts.server(limits) : H2Parts.client(limits), channel);
  }

  /** Makes the channel speak HTTP/2. */
  public final void install() {
    parts.guard().frameListener(new Frames());
    parts.connection().addListener(new Streams());
    channel.pipeline().addLast(this);
  }

  // What differs between the sides.

  /** A block of fields of a stream: a head, an interim head, or trailers. */
  protected abstract void onFields(int streamId, H2Fields fields, boolean endStream)
      throws Http2Exception;

  /**
   * A piece of a body, which it does not own.
   *
   * @param length with its padding
   * @return how many of its bytes, padding included, the peer may send again at once
   */
  protected abstract int onData(int streamId, ByteBuf piece, int length, boolean endStream)
      throws Http2Exception;

  /** The peer has reset a stream. */
  protected void onReset(int streamId, Optional<Http2Error> error) {}

  protected void onSettings(Http2Settings settings) {}

  /** The peer has acknowledged our settings. */
  protected void onSettingsAck() {}

  protected void onGoAway(int lastStreamId) {}

  protected abstract void streamOpened();

  /**
   * The connection has a fault and ends.
   *
   * @param error what the peer is told
   * @param expected true for a fault of the peer's, false for one of this process
   */
  protected abstract void failed(Throwable cause, Http2Error error, boolean expected);

  @Override
  protected final void onConnectionError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      @Nullable Http2Exception known) {
    failed(cause, known == null ? Http2Error.INTERNAL_ERROR : known.error(), known != null);
  }

  /** One side of a stream has ended. */
  protected void streamHalfClosed(Http2Stream stream) {}

  /**
   * A stream is no more.
   *
   * @param call what it carried, if it still did
   */
  protected abstract void streamClosed(Http2Stream stream, @Nullable C call);

  /** Everything that the windows let through has been given to the socket. */
  protected void flushed() {}

  /** The peer has ended its side of the socket. */
  protected abstract void inputShut();

  /** The socket broke. */
  protected abstract void broke(IOException cause);

  // What comes in.

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    attached = ctx;
    super.handlerAdded(ctx);
  }

  /** Opens the window of the connection wide, once the first SETTINGS are out. */
  protected final void openWindow() throws Http2Exception {
    parts.openWindow();
    flushNow();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    boolean outer = insideRead;
    insideRead = true;
    try {
      super.channelRead(ctx, message);
    } finally {
      insideRead = outer;
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    inReadComplete = true;
    try {
      super.channelReadComplete(ctx);
    } finally {
      inReadComplete = false;
    }
    if (hasUnflushed() || parts.guard().windowsMoved()) {
      flushSoon();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent) {
      inputShut();
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException broken) {
      broke(broken);
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  /** True while a header block has begun and not ended, or the peer has not said its preface. */
  protected final boolean isHeadAwaited() {
    return !parts.guard().prefaceReceived() || parts.guard().inHeaderBlock();
  }

  /** What has come of a header block that has begun and not ended, in bytes; 0 if there is none. */
  protected final int unfinishedHeadBytes() {
    return parts.guard().inHeaderBlock() ? parts.guard().headerBlockBytes() : 0;
  }

  /** Reads nothing more: the connection is being ended. */
  protected final void discardRest() {
    parts.guard().discardRest();
  }

  /** Charges the peer; ends the connection by an exception if it has nothing left to pay from. */
  protected final void pay(H2Budget.Excess kind) throws Http2Exception {
    parts.guard().pay(kind);
  }

  /** Why the peer's connection is cut, as a metric label. */
  protected final String cutReason(Http2Error error) {
    return parts
        .guard()
        .excess()
        .map(H2Budget.Excess::code)
        .orElse(error.name().toLowerCase(Locale.ROOT));
  }

  // The calls of the streams.

  /** The call of a stream that is open. */
  protected final Optional<C> call(int streamId) {
    Http2Stream stream = connection().stream(streamId);
    return stream == null ? Optional.empty() : Optional.ofNullable(call(stream));
  }

  protected final @Nullable C call(Http2Stream stream) {
    return stream.getProperty(callKey);
  }

  protected final void attach(Http2Stream stream, C call) {
    stream.setProperty(callKey, call);
  }

  /** Takes the call off its stream; nothing of the stream reaches it any more. */
  protected final @Nullable C detach(Http2Stream stream) {
    return stream.removeProperty(callKey);
  }

  /** Goes through all streams that are open. */
  protected final void forEachStream(Consumer<Http2Stream> action) {
    try {
      connection()
          .forEachActiveStream(stream -> {
            action.accept(stream);
            return true;
          });
    } catch (Http2Exception e) {
      LOG.debug("going through the streams of a connection failed", e);
    }
  }

  /** The number of a stream is known to have been given up by us. */
  protected final void resetByUs(int streamId) {
    parts.guard().closed().resetByUs(streamId);
  }

  // What goes out.

  /** Its place in the pipeline. */
  protected final ChannelHandlerContext context() {
    ChannelHandlerContext ctx = attached;
    if (ctx == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return ctx;
  }

  public final SocketChannel channel() {
    return channel;
  }

  private ChannelFuture sent(ChannelFuture write) {
    unflushed = true;
    return write.addListener(done -> {
      if (!done.isSuccess()) {
        LOG.trace("a frame was not written: {}", String.valueOf(done.cause()));
      }
    });
  }

  /** Sends a header block; done when the network has it. */
  public final ChannelFuture headers(int stream, Http2Headers head, boolean last) {
    ChannelHandlerContext ctx = context();
    return sent(encoder().writeHeaders(ctx, stream, head, 0, last, ctx.newPromise()));
  }

  /** Sends a piece of a body, which it owns; done when the network has it. */
  public final ChannelFuture data(int stream, ByteBuf piece, boolean last) {
    ChannelHandlerContext ctx = context();
    return sent(encoder().writeData(ctx, stream, piece, 0, last, ctx.newPromise()));
  }

  /**
   * Sends a whole body, which it owns.
   *
   * @param whenWritten called once all of it has been taken by the windows and the socket
   */
  protected final void body(int stream, ByteBuf body, Runnable whenWritten) {
    ChannelHandlerContext ctx = context();
    unflushed = true;
    encoder()
        .writeData(ctx, stream, body, 0, true, ctx.newPromise())
        .addListener(done -> {
          if (done.isSuccess()) {
            whenWritten.run();
          }
        });
  }

  /** Ends a body, with these trailers if there are any. */
  public final void end(int stream, HttpHeaders trailers) {
    if (trailers.isEmpty()) {
      ChannelFuture _ = data(stream, Unpooled.EMPTY_BUFFER, true);
    } else {
      ChannelFuture _ = trailers(stream, trailers);
    }
  }

  /** Sends trailers, without the longest where all are more than the peer takes. */
  public final ChannelFuture trailers(int stream, HttpHeaders trailers) {
    return headers(stream, H2Head.trailers(trailers, peersListBytes), true);
  }

  /** These bytes of a stream have been passed on, so the peer may send as many more. */
  public final void consumed(int streamId, int bytes) {
    Http2Stream stream = connection().stream(streamId);
    if (stream == null || bytes == 0) {
      return;
    }
    try {
      boolean _ = connection().local().flowController().consumeBytes(stream, bytes);
    } catch (Http2Exception e) {
      onError(context(), false, e);
    }
    flushAfterRead();
  }

  /** Gives a stream up. */
  public final void reset(int stream, Http2Error error) {
    resetByUs(stream);
    ChannelHandlerContext ctx = context();
    ChannelFuture _ = sent(resetStream(ctx, stream, error.code(), ctx.newPromise()));
    flushAfterRead();
  }

  /** Says GOAWAY, at once. */
  protected final void goAway(int lastStream, Http2Error error, String why) {
    ChannelHandlerContext ctx = context();
    ByteBuf debug = Unpooled.copiedBuffer(why, US_ASCII);
    try {
      // Not by Netty's handler, which closes behind a GOAWAY: unread bytes would then reset the
      // connection, and the peer might never see it.
      if (connection().goAwaySent(lastStream, error.code(), debug)) {
        debug.retain();
        ChannelFuture _ =
            sent(
                encoder()
                    .frameWriter()
                    .writeGoAway(ctx, lastStream, error.code(), debug, ctx.newPromise()));
      }
    } catch (Http2Exception e) {
      LOG.debug("a GOAWAY was not written", e);
    } finally {
      debug.release();
    }
    flushNow();
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (inReadComplete) {
      return; // Netty's after every read, which has its time with that of other channels
    }
    unflushed = false;
    flushDue = false;
    super.flush(ctx);
    flushed();
  }

  protected final void flushNow() {
    flush(context());
  }

  /** Lets everything go: at the end of the read that is under way, else soon. */
  protected final void flushAfterRead() {
    if (!insideRead) {
      flushSoon();
    }
  }

  /** Lets everything go with what other channels have to say, which is soon. */
  private void flushSoon() {
    if (!flushDue) {
      flushDue = true;
      FlushCoalescer.later(channel);
    }
  }

  private boolean hasUnflushed() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return unflushed || (buffer != null && buffer.totalPendingWriteBytes() > 0);
  }

  /** Tells the listener of streams whose windows open or close. */
  protected final void onWritability(Http2RemoteFlowController.Listener listener) {
    parts.encoder().flowController().listener(listener);
  }

  /** True if the windows let more of a stream through. */
  public final boolean isWritable(Http2Stream stream) {
    return parts.encoder().flowController().isWritable(stream);
  }

  /** True if the windows hold something of a stream back. */
  public final boolean hasUnsent(Http2Stream stream) {
    return parts.encoder().flowController().hasFlowControlled(stream);
  }

  /** Bytes of a stream's body that the peer's windows have let through. */
  public final long writtenBytes(int streamId) {
    return parts.writer().writtenBytes(streamId);
  }

  protected final void closeChannel() {
    if (channel.isOpen()) {
      EventLoops.close(channel);
    }
  }

  /** Netty's news of streams. */
  private final class Streams extends Http2ConnectionAdapter {
    @Override
    public void onStreamActive(Http2Stream stream) {
      parts.guard().closed().opened(stream.id());
      streamOpened();
    }

    @Override
    public void onStreamHalfClosed(Http2Stream stream) {
      streamHalfClosed(stream);
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
      parts.writer().forget(stream.id());
      streamClosed(stream, detach(stream));
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
      onGoAway(lastStreamId);
    }
  }

  /** Netty's news of frames. */
  private final class Frames extends Http2FrameAdapter {
    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
      Long listBytes = settings.maxHeaderListSize();
      if (listBytes != null) {
        peersListBytes = listBytes;
      }
      onSettings(settings);
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) {
      onSettingsAck();
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endStream)
        throws Http2Exception {
      onHeadersRead(ctx, streamId, headers, padding, endStream);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endStream)
        throws Http2Exception {
      if (!(headers instanceof H2Fields fields)) {
        throw new IllegalStateException("a header block that our decoder did not make");
      }
      onFields(streamId, fields, endStream);
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream)
        throws Http2Exception {
      return onData(streamId, data, data.readableBytes() + padding, endOfStream);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
      onReset(streamId, Optional.ofNullable(Http2Error.valueOf(errorCode)));
    }
  }
}
