package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.client.OriginClient.CloseReason;
import dev.parlance.relay.http2.H2Budget;
import dev.parlance.relay.http2.H2Fields;
import dev.parlance.relay.http2.H2Head;
import dev.parlance.relay.http2.H2Parts;
import dev.parlance.relay.http2.H2Sender;
import dev.parlance.relay.net.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an origin that speaks HTTP/2: many asks at once, each on a stream of its own.
 * No request is sent before the origin has shown, by its SETTINGS, that it speaks HTTP/2.
 */
final class H2OriginConnection extends Http2ConnectionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(H2OriginConnection.class);

  /** Longer than on HTTP/1.1: an origin that has had enough says so by GOAWAY. */
  private static final long IDLE_MS = 30_000;

  /** Who keeps the connections. */
  interface Keeper {
    /** The origin speaks HTTP/2, and requests may be sent. */
    void ready(H2OriginConnection connection);

    /** A stream more may be opened. */
    void hasRoom(H2OriginConnection connection);

    /**
     * The connection is no more, or takes no more requests.
     *
     * @param code why it never became ready, as in {@link OriginResult.Failed}
     */
    void gone(H2OriginConnection connection, String code, String detail);
  }

  private final SocketChannel channel;
  private final Destination destination;
  private final H2Parts parts;
  private final H2Sender sender;
  private final Keeper keeper;
  private final RelayEvents events;
  private final Http2Connection.PropertyKey askKey;
  private final Deadline deadline;
  private final int connectMs;
  private boolean ready;
  private boolean leaving;
  private boolean opened;
  private boolean insideRead;
  private boolean inReadComplete;
  private int lastProcessed = Integer.MAX_VALUE;

  private H2OriginConnection(
      H2Parts parts,
      SocketChannel channel,
      Destination destination,
      Timeouts timeouts,
      Keeper keeper,
      RelayEvents events) {
    super(parts.guard(), parts.encoder(), parts.settings(), true, true);
    this.parts = parts;
    this.channel = channel;
    this.destination = destination;
    this.keeper = keeper;
    this.events = events;
    this.sender = new H2Sender(this, parts.closed());
    this.askKey = parts.connection().newKey();
    this.deadline = new Deadline(channel.eventLoop(), this::timeOver);
    this.connectMs = timeouts.connectMs();
  }

  /** Makes this channel speak HTTP/2 as a client. */
  static H2OriginConnection install(
      SocketChannel channel,
      Destination destination,
      HttpMessageLimits limits,
      Timeouts timeouts,
      Keeper keeper,
      RelayEvents events) {
    H2Parts parts = H2Parts.client(limits);
    H2OriginConnection made =
        new H2OriginConnection(parts, channel, destination, timeouts, keeper, events);
    parts.guard().frameListener(new H2OriginFrames(made));
    parts.connection().addListener(made.streams());
    channel.pipeline().addLast(made);
    return made;
  }

  private Http2ConnectionAdapter streams() {
    return new Http2ConnectionAdapter() {
      @Override
      public void onStreamActive(Http2Stream stream) {
        parts.closed().opened(stream.id());
        deadline.clear();
      }

      @Override
      public void onStreamClosed(Http2Stream stream) {
        streamClosed(stream);
      }

      @Override
      public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
        lastProcessed = lastStreamId;
        leave();
      }
    };
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    sender.attach(ctx);
    super.handlerAdded(ctx);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    opened = true;
    events.originConnectionOpened();
    deadline.set(connectMs);
    super.channelActive(ctx);
    parts.openWindow();
    sender.flush();
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
    if (sender.hasUnflushed() || parts.guard().windowsMoved()) {
      sender.flushSoon();
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (inReadComplete) {
      return; // Netty's after every read, which has its time with that of other channels
    }
    sender.flushing();
    super.flush(ctx);
  }

  Destination destination() {
    return destination;
  }

  /** True if a request can be sent now. */
  boolean hasRoom() {
    return ready
        && !leaving
        && channel.isActive()
        && connection().local().numActiveStreams() < connection().local().maxActiveStreams();
  }

  /** True once the connection takes no further request. */
  boolean isLeaving() {
    return leaving;
  }

  /** The origin's first word was HTTP/2, or it has changed its mind about something. */
  void settings(Http2Settings settings) {
    LOG.trace("settings of {}: {}", destination, settings);
    if (!ready) {
      ready = true;
      deadline.set(IDLE_MS);
      keeper.ready(this);
    } else if (hasRoom()) {
      keeper.hasRoom(this);
    }
  }

  /**
   * Sends a request; the ask hears what becomes of it.
   *
   * @return the stream's number; empty if none can be opened any more
   */
  Optional<Integer> send(H2OriginCall ask, WholeRequest request) {
    int id = connection().local().incrementAndGetNextStreamId();
    if (id < 0) {
      leave();
      return Optional.empty();
    }
    boolean bare = !request.body().isReadable();
    sender.headers(id, H2Head.request(request), bare);
    Http2Stream stream = connection().stream(id);
    if (stream == null) {
      return Optional.empty();
    }
    stream.setProperty(askKey, ask);
    if (bare) {
      ask.written();
    } else {
      sender.body(id, request.body().retainedDuplicate(), ask::written);
    }
    if (!insideRead) {
      sender.flushSoon();
    }
    return Optional.of(id);
  }

  Optional<H2OriginCall> ask(int streamId) {
    Http2Stream stream = connection().stream(streamId);
    return stream == null ? Optional.empty() : Optional.ofNullable(stream.getProperty(askKey));
  }

  /** True if a request was sent before. */
  boolean wasUsed() {
    return connection().local().lastStreamCreated() > 0;
  }

  /** The ask has all that it wants of this stream. */
  void detach(int streamId) {
    Http2Stream stream = connection().stream(streamId);
    if (stream != null) {
      stream.removeProperty(askKey);
    }
  }

  /** The ask wants no more of this stream. */
  void giveUp(int streamId, Http2Error error) {
    Http2Stream stream = connection().stream(streamId);
    if (stream == null) {
      return;
    }
    stream.removeProperty(askKey);
    sender.reset(streamId, error);
    if (!insideRead) {
      sender.flushSoon();
    }
  }

  /** These bytes have been passed on, so the origin may send as many more. */
  void consumed(int streamId, int bytes) {
    Http2Stream stream = connection().stream(streamId);
    if (stream == null || bytes == 0) {
      return;
    }
    try {
      connection().local().flowController().consumeBytes(stream, bytes);
    } catch (Http2Exception e) {
      onError(sender.context(), false, e);
    }
    if (!insideRead) {
      sender.flushSoon();
    }
  }

  /** Bytes of the request that the origin's windows have let through. */
  long writtenBytes(int streamId) {
    return parts.writer().writtenBytes(streamId);
  }

  private void streamClosed(Http2Stream stream) {
    parts.writer().forget(stream.id());
    H2OriginCall ask = stream.removeProperty(askKey);
    if (ask != null) {
      if (stream.id() > lastProcessed) {
        ask.unprocessed("the origin is leaving");
      } else {
        ask.lost("the stream ended");
      }
    }
    // Not in the middle of what closed it.
    channel.eventLoop().execute(this::streamLess);
  }

  private void streamLess() {
    boolean idle = connection().numActiveStreams() == 0;
    if (leaving && idle) {
      close(CloseReason.CLOSED);
    } else if (!leaving) {
      keeper.hasRoom(this);
      if (connection().numActiveStreams() == 0) {
        deadline.set(IDLE_MS);
      }
    }
  }

  private void leave() {
    if (!leaving) {
      leaving = true;
      keeper.gone(this, "origin_closed", "the origin is leaving");
      channel.eventLoop().execute(this::streamLess);
    }
  }

  private void timeOver() {
    if (!ready) {
      fail("origin_protocol", "no HTTP/2 SETTINGS in time");
    } else if (connection().numActiveStreams() == 0) {
      sender.goAway(0, Http2Error.NO_ERROR, "");
      close(CloseReason.CLOSED);
    }
  }

  /** Ends the connection; asks that still wait on it are told. */
  void close(CloseReason why) {
    fail(why.code(), why.detail());
  }

  private void fail(String code, String detail) {
    deadline.cancel();
    leaving = true;
    keeper.gone(this, code, detail);
    parts.guard().discardRest();
    try {
      connection()
          .forEachActiveStream(stream -> {
            stream.close();
            return true;
          });
    } catch (Http2Exception e) {
      LOG.debug("closing the streams of a connection failed", e);
    }
    if (channel.isOpen()) {
      channel.close().addListener(done -> LOG.debug("closed: {}", done.isSuccess()));
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      @Nullable Http2Exception known) {
    Http2Error error = known == null ? Http2Error.INTERNAL_ERROR : known.error();
    if (ready) {
      String reason =
          parts
              .guard()
              .excess()
              .map(H2Budget.Excess::code)
              .orElse(error.name().toLowerCase(Locale.ROOT));
      LOG.info("HTTP/2 connection to {} cut: {} ({})", destination, reason, cause.getMessage());
      tellMalformed(reason);
    }
    sender.goAway(0, error, "");
    fail("origin_protocol", String.valueOf(cause.getMessage()));
  }

  private void tellMalformed(String reason) {
    try {
      connection()
          .forEachActiveStream(stream -> {
            H2OriginCall ask = stream.removeProperty(askKey);
            if (ask != null) {
              ask.failed("response_malformed", "fault of the connection: " + reason);
            }
            return true;
          });
    } catch (Http2Exception e) {
      LOG.debug("telling the streams of a connection failed", e);
    }
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException known) {
    parts.closed().resetByUs(known.streamId());
    Http2Stream stream = connection().stream(known.streamId());
    H2OriginCall ask = stream == null ? null : stream.getProperty(askKey);
    if (ask != null) {
      // Which resets the stream.
      ask.malformed(String.valueOf(known.getMessage()));
    } else {
      super.onStreamError(ctx, outbound, cause, known);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent) {
      fail("origin_closed", "closed by the origin");
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    if (opened) {
      events.originConnectionClosed();
    }
    fail(ready ? "origin_closed" : "origin_protocol", "closed by the origin");
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException) {
      fail(ready ? "origin_closed" : "origin_protocol", String.valueOf(cause.getMessage()));
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  /** The head of a block, for the frames' listener. */
  static H2Fields fields(Http2Headers headers) {
    if (headers instanceof H2Fields fields) {
      return fields;
    }
    throw new IllegalStateException("a header block that our decoder did not make");
  }
}
