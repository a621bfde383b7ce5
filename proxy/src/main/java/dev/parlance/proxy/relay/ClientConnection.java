package dev.parlance.proxy.relay;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: one exchange at a time, in order.
 *
 * <pre>
 * state     event                        next       action
 * IDLE      first byte of a request      HEAD       header time begins
 * IDLE      keep-alive time over         CLOSED     silent close
 * HEAD      head admitted, no body       EXCHANGE   handler.onRequest
 * HEAD      head admitted, body comes    BODY       100 if asked for
 * BODY      body whole                   EXCHANGE   handler.onRequest
 * HEAD,BODY fault, limit, time, leaving  WRITING    handler.onRejected, everything after is dropped
 * EXCHANGE  respond                      WRITING    write
 * EXCHANGE  client leaves                CLOSED     onAbort
 * WRITING   written, kept alive          IDLE       the next request is decoded
 * WRITING   written, to be closed        LINGER     our side shut, the rest dropped unread
 * WRITING   write time over              CLOSED     cut
 * LINGER    client's side shut, or time  CLOSED
 * </pre>
 */
final class ClientConnection extends ChannelInboundHandlerAdapter implements AcceptedConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  /**
   * Time for the peer to take a last response before its unread bytes turn the close into a reset.
   */
  private static final long LINGER_MS = 1_000;

  /** On drain, an idle connection may still deliver a request that was already on its way. */
  private static final long DRAIN_IDLE_MS = 250;

  private enum State {
    IDLE,
    HEAD,
    BODY,
    EXCHANGE,
    WRITING,
    LINGER,
    CLOSED
  }

  private final HttpMessageLimits limits;
  private final Timeouts timeouts;
  private final ExchangeHandler handler;
  private final RelayEvents events;
  private final Consumer<AcceptedConnection> ended;
  private final SocketChannel channel;
  private final StrictRequestDecoder decoder;
  private final Deadline deadline;
  private final BodyCollector body;
  private final Pace pace;

  private State state = State.IDLE;
  private StrictRequestGuard.@Nullable Admitted admitted;
  private @Nullable ClientExchange exchange;
  private @Nullable ChannelHandlerContext decoderContext;
  private @Nullable Rejection refusal;
  private boolean insideRead;
  private boolean draining;
  private boolean toHead;

  /**
   * @param ended told once, after everything else has been
   */
  ClientConnection(
      SocketChannel channel,
      HttpMessageLimits limits,
      Timeouts timeouts,
      ExchangeHandler handler,
      RelayEvents events,
      Consumer<AcceptedConnection> ended) {
    this.ended = ended;
    this.channel = channel;
    this.limits = limits;
    this.timeouts = timeouts;
    this.handler = handler;
    this.events = events;
    this.decoder = new StrictRequestDecoder(limits, this::headStarted);
    this.deadline = new Deadline(channel.eventLoop(), this::timeOver);
    this.pace = new Pace(timeouts);
    this.body = new BodyCollector(channel.alloc(), limits.bodyBytes());
  }

  StrictRequestDecoder decoder() {
    return decoder;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    decoderContext = ctx.pipeline().context(decoder);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (refusal == null) {
      deadline.set(draining ? DRAIN_IDLE_MS : timeouts.keepAliveMs());
    } else {
      reject(refusal);
    }
    ctx.fireChannelActive();
  }

  @Override
  public void drain() {
    draining = true;
    if (state == State.IDLE) {
      deadline.set(Math.min(DRAIN_IDLE_MS, timeouts.keepAliveMs()));
    }
  }

  /** Turns the connection away as soon as it is active, before it has said anything. */
  void refuse(Rejection rejection) {
    refusal = rejection;
  }

  /** The client turned out to speak HTTP/2: another handler has the channel from now on. */
  void handOver() {
    state = State.CLOSED;
    deadline.cancel();
  }

  /** The first byte of a request, or of what may be HTTP/2's preface, is there. */
  void headStarted() {
    if (state == State.IDLE) {
      state = State.HEAD;
      deadline.set(timeouts.headerMs());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    boolean outer = insideRead;
    insideRead = true;
    try {
      switch (state) {
        case IDLE, HEAD -> onHeadEvent(message);
        case BODY -> onBodyEvent(message);
        case EXCHANGE, WRITING, LINGER, CLOSED -> ReferenceCountUtil.release(message);
      }
    } finally {
      insideRead = outer;
    }
  }

  private void onHeadEvent(Object message) {
    if (message instanceof HeadFault fault) {
      reject(fault);
      return;
    }
    if (!(message instanceof HttpRequest request)) {
      ReferenceCountUtil.release(message);
      return;
    }
    Optional<HeadFault> fault = DecoderSettings.faultOf(request, "head_malformed");
    if (fault.isPresent()) {
      ReferenceCountUtil.release(request);
      reject(fault.get());
      return;
    }
    toHead = request.method().equals(HttpMethod.HEAD);
    switch (StrictRequestGuard.check(request)) {
      case StrictRequestGuard.Refused(HeadFault refused) -> reject(refused);
      case StrictRequestGuard.Admitted admission -> admit(admission);
    }
  }

  private void admit(StrictRequestGuard.Admitted admission) {
    admitted = admission;
    if (admission.contentLength() > limits.bodyBytes()) {
      reject(tooLarge());
      return;
    }
    state = State.BODY;
    pace.bodyBegins(System.nanoTime());
    deadline.set(timeouts.bodyIdleMs());
    if (admission.expectsContinue()) {
      channel
          .writeAndFlush(
              new DefaultFullHttpResponse(
                  HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER))
          .addListener(done -> closeIfFailed(done.isSuccess()));
    }
  }

  private void onBodyEvent(Object message) {
    if (message instanceof HeadFault fault) {
      reject(fault);
      return;
    }
    if (!(message instanceof HttpContent content)) {
      ReferenceCountUtil.release(message);
      return;
    }
    Optional<HeadFault> fault = DecoderSettings.faultOf(content, "chunk_malformed");
    if (fault.isPresent()) {
      content.release();
      reject(fault.get());
      return;
    }
    pace.pieceArrived(System.nanoTime());
    if (!body.add(content.content())) {
      reject(tooLarge());
      return;
    }
    if (content instanceof LastHttpContent) {
      begin();
    }
  }

  private void begin() {
    StrictRequestGuard.Admitted admission = admitted;
    if (admission == null) {
      throw new IllegalStateException("a body without a head");
    }
    StrictRequestGuard.Head head = admission.head();
    decoder.pause();
    deadline.clear();
    state = State.EXCHANGE;
    ClientExchange begun = new ClientExchange(this, channel.eventLoop());
    exchange = begun;
    WholeRequest request =
        new WholeRequest(
            head.method(),
            head.target(),
            head.authority(),
            head.absoluteForm(),
            head.headers(),
            body.take());
    try {
      handler.onRequest(begun, request);
    } catch (RuntimeException e) {
      // The handler owns the body, so a bug there may leak it; the client must not hang for it.
      LOG.error("the handler of a request failed", e);
      failHandled(begun);
    }
  }

  private void failHandled(ClientExchange begun) {
    if (exchange == begun && state == State.EXCHANGE) {
      begun.respond(new WholeResponse(500, EmptyHttpHeaders.INSTANCE, Unpooled.EMPTY_BUFFER), true);
    }
  }

  private static HeadFault tooLarge() {
    return new HeadFault(413, "body_too_large", "the body is over the limit");
  }

  private void reject(HeadFault fault) {
    String layer = fault.status() == 413 ? "size" : "http1";
    reject(new Rejection(fault.status(), layer, fault.code(), fault.detail()));
  }

  private void reject(Rejection rejection) {
    decoder.discardRest();
    body.release();
    try {
      WholeResponse response = handler.onRejected(rejection);
      if (channel.isActive() && !channel.isOutputShutdown()) {
        write(response, true);
      } else {
        response.body().release();
        close();
      }
    } catch (RuntimeException e) {
      LOG.error("the handler of a rejection failed", e);
      close();
    }
  }

  /** Sends the response of an exchange; called by it at most once. */
  void send(ClientExchange from, WholeResponse response, boolean close) {
    if (exchange != from || state != State.EXCHANGE) {
      response.body().release();
      return;
    }
    exchange = null;
    StrictRequestGuard.Admitted admission = admitted;
    write(response, close || draining || admission == null || !admission.keepAlive());
  }

  private void write(WholeResponse response, boolean close) {
    state = State.WRITING;
    pace.writeBegins();
    deadline.set(timeouts.writeMs());
    admitted = null;
    ChannelFuture written = channel.writeAndFlush(ResponseFraming.frame(response, toHead, close));
    toHead = false;
    written.addListener(done -> onWritten(done.isSuccess(), close));
  }

  private void onWritten(boolean success, boolean close) {
    if (state != State.WRITING) {
      return;
    }
    if (!success) {
      close();
      return;
    }
    if (close || channel.isInputShutdown()) {
      linger();
      return;
    }
    state = State.IDLE;
    deadline.set(draining ? DRAIN_IDLE_MS : timeouts.keepAliveMs());
    ChannelHandlerContext context = decoderContext;
    if (context == null) {
      return;
    }
    try {
      decoder.resume(context, insideRead);
    } catch (Exception e) {
      context.fireExceptionCaught(e);
    }
  }

  private void linger() {
    state = State.LINGER;
    decoder.discardRest();
    if (channel.isInputShutdown()) {
      close();
      return;
    }
    channel.config().setAutoRead(true);
    deadline.set(LINGER_MS);
    channel.shutdownOutput().addListener(done -> closeIfFailed(done.isSuccess()));
  }

  private void closeIfFailed(boolean success) {
    if (!success) {
      close();
    }
  }

  private void timeOver() {
    switch (state) {
      case IDLE, LINGER -> close();
      case HEAD -> reject(new Rejection(408, "time", "header_timeout", "the head took too long"));
      case BODY -> bodyTick();
      case WRITING -> writeTick();
      case EXCHANGE, CLOSED -> {}
    }
  }

  private void bodyTick() {
    long leftMs = pace.bodyLeftMs(System.nanoTime(), body.bytes());
    if (leftMs > 0) {
      deadline.set(leftMs);
    } else {
      reject(new Rejection(408, "time", "body_timeout", "the body took too long"));
    }
  }

  private void writeTick() {
    if (pace.writeMoves(channel.unsafe().outboundBuffer())) {
      deadline.set(timeouts.writeMs());
    } else {
      close();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      clientLeft();
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    clientLeft();
    close();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelUnregistered(ChannelHandlerContext ctx) {
    // Comes after channelInactive: whoever waits for our end finds every exchange called off.
    ended.accept(this);
    ctx.fireChannelUnregistered();
  }

  /** The client will send no more; half a request is refused, a waiting exchange is called off. */
  private void clientLeft() {
    switch (state) {
      case HEAD, BODY ->
          reject(
              new Rejection(
                  400,
                  "http1",
                  DecoderSettings.INCOMPLETE,
                  "the sender left before the end of the request"));
      case IDLE, EXCHANGE, LINGER -> close();
      case WRITING, CLOSED -> {}
    }
  }

  private void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      deadline.cancel();
      body.release();
      ClientExchange open = exchange;
      exchange = null;
      if (open != null) {
        events.exchangeAborted();
        open.abort();
      }
    }
    if (channel.isOpen()) {
      channel.close().addListener(done -> logFailure(done.cause()));
    }
  }

  private static void logFailure(@Nullable Throwable cause) {
    if (cause != null) {
      LOG.debug("closing a client's connection failed", cause);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("a client's connection broke: {}", cause.toString());
    } else {
      LOG.error("a client's connection failed", cause);
    }
    if (state == State.HEAD || state == State.BODY) {
      clientLeft();
    }
    close();
  }

  @Override
  public Channel channel() {
    return channel;
  }

  /** True while the exchange could still be answered. */
  boolean isWaiting(ClientExchange asked) {
    return exchange == asked && channel.isActive();
  }
}
