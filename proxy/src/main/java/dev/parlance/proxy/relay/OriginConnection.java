package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an origin: idle in its pool, or busy with one request. A response reaches the
 * {@link OriginAsk} only when it is whole and nothing lies behind it, unless the ask takes the body
 * piece by piece; then the end does.
 */
final class OriginConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(OriginConnection.class);

  /**
   * Idle connections are given up before common servers do it themselves (two well-known ones after
   * five seconds): a request that crosses with their close cannot always be repeated.
   */
  private static final long IDLE_MS = 4_000;

  private static final int MAX_INTERIM_RESPONSES = 8;

  private final SocketChannel channel;
  private final Destination destination;
  private final OriginPool pool;
  private final RelayEvents events;
  private final StrictResponseDecoder decoder;
  private final Deadline idleEnd;

  private @Nullable OriginAsk ask;
  private @Nullable HttpResponse head;
  private @Nullable BodyCollector body;
  private boolean toHead;
  private boolean interim;
  private boolean inPieces;
  private int interimResponses;

  OriginConnection(
      SocketChannel channel,
      Destination destination,
      OriginPool pool,
      HttpMessageLimits limits,
      RelayEvents events) {
    this.channel = channel;
    this.destination = destination;
    this.pool = pool;
    this.events = events;
    this.decoder = new StrictResponseDecoder(limits);
    this.idleEnd = new Deadline(channel.eventLoop(), this::close);
  }

  StrictResponseDecoder decoder() {
    return decoder;
  }

  Destination destination() {
    return destination;
  }

  boolean isUsable() {
    return ask == null && channel.isActive() && !channel.isInputShutdown();
  }

  boolean isActive() {
    return channel.isActive();
  }

  /** Sends a request, which it owns, and reports to the ask what comes of it. */
  ChannelFuture send(OriginAsk asker, FullHttpRequest request, int maxBodyBytes) {
    idleEnd.clear();
    ask = asker;
    head = null;
    inPieces = false;
    body = new BodyCollector(channel.alloc(), maxBodyBytes);
    interimResponses = 0;
    toHead = request.method().equals(HttpMethod.HEAD);
    decoder.expect(toHead);
    return channel.writeAndFlush(request);
  }

  /** Ends the connection; an ask that still waits on it is not told. */
  void close() {
    detach();
    idleEnd.cancel();
    dropBody();
    channel.close().addListener(done -> logFailure(done.cause()));
  }

  /** Before anything is closed: a write that fails by our own closing is no news to the ask. */
  private void detach() {
    if (ask != null) {
      ask.detach();
      ask = null;
    }
  }

  /** Ends the connection and tells the ask that waits on it, if any. */
  void abandon() {
    fail("origin_closed", "the client is shutting down");
  }

  private static void logFailure(@Nullable Throwable cause) {
    if (cause != null) {
      LOG.debug("closing a connection to an origin failed", cause);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    pool.opened(this);
    events.originConnectionOpened();
    ctx.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (ask == null) {
      ReferenceCountUtil.release(message);
      close();
      return;
    }
    if (message instanceof HeadFault fault) {
      fail("response_malformed", fault.code());
      return;
    }
    if (message instanceof HttpResponse response) {
      onHead(response);
    }
    if (message instanceof HttpContent content) {
      onContent(content);
    }
  }

  private void onHead(HttpResponse response) {
    Optional<HeadFault> fault = DecoderSettings.faultOf(response, "head_malformed");
    if (fault.isPresent()) {
      failBy(fault.get());
      return;
    }
    int status = response.status().code();
    interim = status < 200;
    if (interim) {
      interimResponses++;
      if (status == 101) {
        fail("response_malformed", "a switch of protocols that nobody asked for");
      } else if (interimResponses > MAX_INTERIM_RESPONSES) {
        fail("response_malformed", "too many interim responses");
      }
      return;
    }
    for (String name : FieldRules.connectionTokens(response.headers())) {
      if (FieldRules.isEndToEnd(name)) {
        fail("response_malformed", "Connection names an end-to-end field");
        return;
      }
    }
    long declared = HttpUtil.getContentLength(response, -1L);
    if (status == 204 && declared > 0) {
      fail("response_malformed", "a length on 204");
      return;
    }
    OriginAsk asker = ask;
    head = response;
    inPieces = asker != null && asker.head(status, endToEnd(response));
    if (ask == asker && !inPieces && declared > maxBodyBytes() && !toHead && status != 304) {
      fail("response_too_large", "declared " + declared + " bytes");
    }
  }

  private int maxBodyBytes() {
    return body == null ? 0 : body.maxBytes();
  }

  private void onContent(HttpContent content) {
    BodyCollector collector = body;
    OriginAsk asker = ask;
    if (asker == null || collector == null) {
      content.release();
      return;
    }
    Optional<HeadFault> fault = DecoderSettings.faultOf(content, "chunk_malformed");
    if (fault.isPresent()) {
      content.release();
      failBy(fault.get());
      return;
    }
    if (inPieces && content.content().isReadable()) {
      asker.piece(content.content());
    } else if (!collector.add(content.content())) {
      fail("response_too_large", "more than " + collector.maxBytes() + " bytes");
      return;
    }
    if (content instanceof LastHttpContent last && !interim && ask == asker) {
      ended(asker, last, collector);
    }
  }

  private void ended(OriginAsk asker, LastHttpContent last, BodyCollector collector) {
    HttpResponse response = head;
    if (response == null) {
      throw new IllegalStateException("the end of a response without its head");
    }
    if (decoder.hasUnread()) {
      fail("response_malformed", "bytes behind the response");
      return;
    }
    decoder.finished();
    HttpHeaders trailers =
        FieldRules.trailersOfOrigin(
            last.trailingHeaders(), FieldRules.connectionTokens(response.headers()));
    boolean whole = !inPieces;
    ByteBuf gathered = collector.take();
    release(response, asker.isWritten());
    if (whole) {
      asker.answered(
          new WholeResponse(response.status().code(), endToEnd(response), gathered, trailers));
    } else {
      asker.ended(trailers);
    }
  }

  /** The response is over: the connection waits for the next request, if it can. */
  private void release(HttpResponse response, boolean written) {
    boolean reusable = written && channel.isActive() && HttpUtil.isKeepAlive(response);
    detach();
    head = null;
    body = null;
    long idleMs = Math.min(IDLE_MS, idleHintMs(response.headers()));
    if (reusable && idleMs > 0 && pool.keep(this)) {
      idleEnd.set(idleMs);
      channel.config().setAutoRead(true);
    } else {
      close();
    }
  }

  /** Takes no more from the socket; what was taken already still comes. */
  void pauseReading() {
    channel.config().setAutoRead(false);
  }

  void resumeReading() {
    channel.config().setAutoRead(true);
  }

  private HttpHeaders endToEnd(HttpResponse response) {
    HttpHeaders kept =
        FieldRules.endToEnd(response.headers(), FieldRules.connectionTokens(response.headers()));
    String declared = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
    if (declared != null && (toHead || response.status().code() == 304)) {
      kept.set(HttpHeaderNames.CONTENT_LENGTH, declared);
    }
    return kept;
  }

  /** One second less than the origin says it will wait, in Keep-Alive: timeout=5. */
  private static long idleHintMs(HttpHeaders headers) {
    List<String> values = headers.getAll("keep-alive");
    for (String value : values) {
      for (String part : value.split(",", -1)) {
        String text = part.strip();
        if (text.regionMatches(true, 0, "timeout=", 0, 8)
            && text.length() > 8
            && text.length() <= 14
            && text.substring(8).chars().allMatch(c -> c >= '0' && c <= '9')) {
          return Integer.parseInt(text, 8, text.length(), 10) * 1000L - 1000L;
        }
      }
    }
    return IDLE_MS;
  }

  private void failBy(HeadFault fault) {
    boolean cut = fault.code().equals(DecoderSettings.INCOMPLETE);
    fail(cut ? "response_incomplete" : "response_malformed", fault.code());
  }

  private void fail(String code, String detail) {
    OriginAsk asker = ask;
    close();
    if (asker != null) {
      asker.failed(code, detail);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.closed(this);
    events.originConnectionClosed();
    lost("closed by the origin");
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.error("a connection to an origin failed", cause);
    }
    lost(String.valueOf(cause.getMessage()));
  }

  private void lost(String detail) {
    OriginAsk asker = ask;
    boolean sawBytes = decoder.sawBytes();
    close();
    if (asker != null) {
      asker.lost(sawBytes, detail);
    }
  }

  private void dropBody() {
    if (body != null) {
      body.release();
      body = null;
    }
  }
}
