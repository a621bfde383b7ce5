package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.client.OriginClient.CloseReason;
import dev.parlance.relay.client.OriginPool.Http2Origin;
import dev.parlance.relay.http2.H2Connection;
import dev.parlance.relay.http2.H2Fields;
import dev.parlance.relay.http2.H2Head;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.tls.TlsGate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an origin that speaks HTTP/2: many calls at once, each on a stream of its own.
 * No request is sent before the origin has shown, by its SETTINGS, that it speaks HTTP/2.
 */
final class H2OriginConnection extends H2Connection<H2OriginCall> {
  private static final Logger LOG = LoggerFactory.getLogger(H2OriginConnection.class);

  /** Longer than on HTTP/1.1: an origin that has had enough says so by GOAWAY. */
  private static final long IDLE_MS = 30_000;

  private final SocketChannel channel;
  private final Destination destination;
  private final Http2Origin keeper;
  private final RelayEvents events;
  private final Deadline deadline;
  private final int connectMs;
  private boolean ready;
  private boolean leaving;
  private boolean opened;
  private int lastProcessed = Integer.MAX_VALUE;

  /** Makes the channel speak HTTP/2 as a client, once {@link #install} is called. */
  H2OriginConnection(
      SocketChannel channel,
      Destination destination,
      HttpMessageLimits limits,
      Timeouts timeouts,
      Http2Origin keeper,
      RelayEvents events) {
    super(false, limits, channel);
    this.channel = channel;
    this.destination = destination;
    this.keeper = keeper;
    this.events = events;
    this.deadline = new Deadline(channel.eventLoop(), this::timeOver);
    this.connectMs = timeouts.connectMs();
  }

  @Override
  protected void streamOpened() {
    deadline.clear();
  }

  @Override
  protected void onGoAway(int lastStreamId) {
    lastProcessed = lastStreamId;
    leave();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    opened = true;
    events.originConnectionOpened();
    deadline.set(connectMs);
    super.channelActive(ctx);
    openWindow();
  }

  @Override
  protected void onFields(int streamId, H2Fields fields, boolean endStream) {
    call(streamId).ifPresent(call -> call.fields(fields, endStream));
  }

  @Override
  protected int onData(int streamId, ByteBuf piece, int length, boolean endStream) {
    Optional<H2OriginCall> call = call(streamId);
    return call.isPresent() ? call.get().data(piece, length, endStream) : length;
  }

  @Override
  protected void onReset(int streamId, Optional<Http2Error> error) {
    call(streamId).ifPresent(call -> call.reset(error));
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

  /** The origin's first frame, which shows that it speaks HTTP/2, or a change of its settings. */
  @Override
  protected void onSettings(Http2Settings settings) {
    LOG.trace("settings of {}: {}", destination, settings);
    if (!ready) {
      ready = true;
      deadline.set(IDLE_MS);
      TlsGate.atExpiry(channel, this::leave);
      keeper.ready(this);
    } else if (hasRoom()) {
      keeper.hasRoom(this);
    }
  }

  /**
   * Sends a request; the call hears what becomes of it.
   *
   * @param open true if the body follows, of this length, if it is not -1
   * @return the stream's number; empty if none can be opened any more
   */
  Optional<Integer> send(H2OriginCall call, WholeRequest request, boolean open, long length) {
    int id = connection().local().incrementAndGetNextStreamId();
    if (id < 0) {
      leave();
      return Optional.empty();
    }
    HttpHeaders trailers = open ? EmptyHttpHeaders.INSTANCE : call.trailers();
    boolean bare = !request.body().isReadable() && trailers.isEmpty();
    ChannelFuture _ =
        headers(
            id, open ? H2Head.request(request, length) : H2Head.request(request), bare && !open);
    Http2Stream stream = connection().stream(id);
    if (stream == null) {
      return Optional.empty();
    }
    attach(stream, call);
    if (open) {
      LOG.trace("the body of stream {} follows", id);
    } else if (bare) {
      call.written();
    } else if (trailers.isEmpty()) {
      body(id, request.body().retainedDuplicate(), call::written);
    } else {
      ChannelFuture _ = data(id, request.body().retainedDuplicate(), false);
      trailers(id, trailers)
          .addListener(done -> {
            if (done.isSuccess()) {
              call.written();
            }
          });
    }
    flushAfterRead();
    return Optional.of(id);
  }

  /**
   * Sends a piece of an open request, which it owns; done when the network has it.
   *
   * @param end what stands behind the last piece
   */
  ChannelFuture piece(int streamId, ByteBuf piece, Optional<HttpHeaders> end) {
    boolean trailed = end.isPresent() && !end.get().isEmpty();
    ChannelFuture sent = data(streamId, piece, end.isPresent() && !trailed);
    if (trailed) {
      sent = trailers(streamId, end.get());
    }
    flushAfterRead();
    return sent;
  }

  /** True if a request was sent before. */
  boolean wasUsed() {
    return connection().local().lastStreamCreated() > 0;
  }

  /** The call has all that it wants of this stream. */
  void detach(int streamId) {
    Http2Stream stream = connection().stream(streamId);
    if (stream != null) {
      detach(stream);
    }
  }

  /** The call wants no more of this stream. */
  void giveUp(int streamId, Http2Error error) {
    Http2Stream stream = connection().stream(streamId);
    if (stream == null) {
      return;
    }
    detach(stream);
    reset(streamId, error);
  }

  @Override
  protected void streamClosed(Http2Stream stream, @Nullable H2OriginCall call) {
    if (call != null) {
      if (stream.id() > lastProcessed) {
        call.unprocessed("the origin is leaving");
      } else {
        call.lost("the stream ended");
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
      goAway(0, Http2Error.NO_ERROR, "");
      close(CloseReason.CLOSED);
    }
  }

  /** Ends the connection; calls that still wait on it are told. */
  void close(CloseReason why) {
    fail(why.code(), why.detail());
  }

  private void fail(String code, String detail) {
    deadline.cancel();
    leaving = true;
    keeper.gone(this, code, detail);
    discardRest();
    forEachStream(Http2Stream::close);
    closeChannel();
  }

  @Override
  protected void failed(Throwable cause, Http2Error error, boolean expected) {
    if (ready) {
      String reason = cutReason(error);
      LOG.info("HTTP/2 connection to {} cut: {} ({})", destination, reason, cause.getMessage());
      forEachStream(stream -> {
        H2OriginCall call = detach(stream);
        if (call != null) {
          call.failed("response_malformed", "fault of the connection: " + reason);
        }
      });
    }
    goAway(0, error, "");
    fail("origin_protocol", String.valueOf(cause.getMessage()));
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException known) {
    resetByUs(known.streamId());
    Http2Stream stream = connection().stream(known.streamId());
    H2OriginCall call = stream == null ? null : call(stream);
    if (call != null && known instanceof Http2Exception.HeaderListSizeException) {
      call.failed("response_too_large", "the headers are over the limit");
    } else if (call != null) {
      // Which resets the stream.
      call.malformed(String.valueOf(known.getMessage()));
    } else {
      super.onStreamError(ctx, outbound, cause, known);
    }
  }

  @Override
  protected void inputShut() {
    fail("origin_closed", "closed by the origin");
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
  protected void broke(IOException cause) {
    fail(ready ? "origin_closed" : "origin_protocol", String.valueOf(cause.getMessage()));
  }
}
