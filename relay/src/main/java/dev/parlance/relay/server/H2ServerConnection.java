package dev.parlance.relay.server;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.StrictRequestGuard;
import dev.parlance.relay.http2.H2Budget;
import dev.parlance.relay.http2.H2Connection;
import dev.parlance.relay.http2.H2FieldRules;
import dev.parlance.relay.http2.H2Fields;
import dev.parlance.relay.http2.H2Head;
import dev.parlance.relay.http2.H2RequestGuard;
import dev.parlance.relay.http2.H2ResponseGuard;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.MinimumRate;
import dev.parlance.relay.server.HttpListener.AcceptedConnection;
import dev.parlance.relay.server.HttpListener.Setup;
import dev.parlance.relay.tls.TlsGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's HTTP/2 connection: as many calls at once as it has streams. Says GOAWAY before it
 * ends for any reason but the client's own leaving.
 */
final class H2ServerConnection extends H2Connection<H2ServerCall> implements AcceptedConnection {
  private static final Logger LOG = LoggerFactory.getLogger(H2ServerConnection.class);

  /** Time for the peer to take what was said last before its unread bytes cause a reset. */
  private static final long LINGER_MS = 1_000;

  /** Time for requests under way to arrive between the first GOAWAY of a drain and the last. */
  private static final long DRAIN_NOTICE_MS = 250;

  private enum Phase {
    OPEN,
    /** The first GOAWAY is out: the client is asked to open no more streams. */
    NOTICE,
    /** The last GOAWAY is out: what is open finishes. */
    LEAVING,
    LINGER,
    CLOSED
  }

  private final SocketChannel channel;
  private final Setup setup;
  private final Optional<OriginClient> leads;
  private final Consumer<AcceptedConnection> ended;
  private final Deadline deadline;
  private final Deadline headDeadline;
  private final Deadline writeDeadline;
  private final MinimumRate writePace;
  private final List<H2ServerCall> bodiesBegun = new ArrayList<>(4);
  private final List<H2ServerCall> unflushed = new ArrayList<>(4);
  private Phase phase = Phase.OPEN;
  private boolean headAwaited;
  private boolean told;
  private int heldBytes;

  /** Memory of a header block that has begun. */
  private int headBytes;

  private H2ServerConnection(
      SocketChannel channel,
      Setup setup,
      Optional<OriginClient> leads,
      Consumer<AcceptedConnection> ended) {
    super(true, setup.limits(), channel);
    this.channel = channel;
    this.setup = setup;
    this.leads = leads;
    this.ended = ended;
    this.deadline = new Deadline(channel.eventLoop(), this::timeOver);
    this.headDeadline = new Deadline(channel.eventLoop(), this::headTimeOver);
    this.writeDeadline = new Deadline(channel.eventLoop(), this::writeTick);
    this.writePace = new MinimumRate(setup.timeouts());
  }

  /**
   * Makes this channel speak HTTP/2 as a server. Whoever knows that the client will (from its
   * preface, or from a handshake that chose h2) calls this.
   *
   * @param leads asks for what cannot be taken whole
   * @param ended told once, after everything else has been
   */
  static H2ServerConnection install(
      SocketChannel channel,
      Setup setup,
      Optional<OriginClient> leads,
      Consumer<AcceptedConnection> ended) {
    H2ServerConnection made = new H2ServerConnection(channel, setup, leads, ended);
    made.onWritability(made::writabilityChanged);
    made.install();
    return made;
  }

  @Override
  protected void streamOpened() {
    if (phase == Phase.OPEN) {
      deadline.clear();
    }
  }

  @Override
  protected void streamHalfClosed(Http2Stream stream) {
    if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      // Not in the middle of the write that ended our side.
      channel.eventLoop().execute(() -> stopRequest(stream));
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    openWindow();
    // Until the client has said what it must say first.
    headAwaited = true;
    headDeadline.set(setup.timeouts().headerMs());
    idle();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    super.channelReadComplete(ctx);
    bodiesBegun.forEach(H2ServerCall::watchBody);
    bodiesBegun.clear();
    watchHead();
  }

  /** Something of a call was written: it leaves at the end of the read that is under way. */
  void wrote(H2ServerCall call) {
    unflushed.add(call);
    flushAfterRead();
  }

  @Override
  protected void flushed() {
    for (int i = 0; i < unflushed.size(); i++) {
      unflushed.get(i).flushed();
    }
    unflushed.clear();
  }

  /** A header block, or any frame while no stream could be blamed, must be whole in time. */
  private void watchHead() {
    if (!holdsHead()) {
      tellRejected(Rejection.REQUEST_MEMORY);
      leave(Http2Error.ENHANCE_YOUR_CALM, "too many heads are under way");
      return;
    }
    boolean awaited =
        isHeadAwaited() || (actualReadableBytes() > 0 && connection().numActiveStreams() == 0);
    if (awaited && !headAwaited) {
      headDeadline.set(setup.timeouts().headerMs());
    } else if (!awaited) {
      headDeadline.clear();
    }
    headAwaited = awaited;
  }

  /** Takes memory for a header block that did not come in one go; false if there is none. */
  private boolean holdsHead() {
    int come = phase == Phase.LINGER || phase == Phase.CLOSED ? 0 : unfinishedHeadBytes();
    int wanted = come == 0 ? 0 : Math.max(come, setup.limits().headerListBytes());
    if (wanted > headBytes && !setup.heads().take(wanted - headBytes)) {
      return false;
    }
    if (wanted < headBytes) {
      setup.heads().letGo(headBytes - wanted);
    }
    headBytes = wanted;
    return true;
  }

  private void headTimeOver() {
    if (phase != Phase.LINGER && phase != Phase.CLOSED) {
      tellRejected(Rejection.HEADER_TIMEOUT);
      leave(Http2Error.PROTOCOL_ERROR, "the head took too long");
    }
  }

  @Override
  protected void onSettingsAck() {
    // Streams over the limit are refused by us: Netty would not remember them, and take the rest
    // of what it refused for a fault of the connection.
    connection().remote().maxActiveStreams(Integer.MAX_VALUE);
  }

  @Override
  protected void onFields(int streamId, H2Fields fields, boolean endStream) throws Http2Exception {
    Http2Stream stream = connection().stream(streamId);
    if (stream == null) {
      throw new IllegalStateException("a header block of no stream");
    }
    Optional<H2ServerCall> call = call(streamId);
    if (call.isEmpty()) {
      request(stream, fields, endStream);
      return;
    }
    Optional<HeadFault> fault = H2FieldRules.trailerFault(fields);
    if (fault.isPresent()) {
      tellRejected(rejectionOf(fault.get()));
      throw Http2Exception.streamError(
          streamId, Http2Error.PROTOCOL_ERROR, "%s", fault.get().code());
    }
    call.get().trailers(H2ResponseGuard.endToEnd(fields));
  }

  @Override
  protected int onData(int streamId, ByteBuf piece, int length, boolean endStream)
      throws Http2Exception {
    Optional<H2ServerCall> call = call(streamId);
    // Bodies are gathered whole and bounded there, so the windows open again at once.
    return call.isPresent() ? call.get().data(piece, length, endStream) : length;
  }

  /** The head of a request has arrived. */
  private void request(Http2Stream stream, H2Fields fields, boolean endStream)
      throws Http2Exception {
    if (connection().numActiveStreams() > setup.limits().streams()) {
      pay(H2Budget.Excess.REFUSED);
      throw Http2Exception.streamError(
          stream.id(), Http2Error.REFUSED_STREAM, "more than %d streams", setup.limits().streams());
    }
    switch (H2RequestGuard.check(fields, endStream, setup.limits(), setup.handler().isTap())) {
      case H2RequestGuard.Malformed(HeadFault fault) -> {
        tellRejected(rejectionOf(fault));
        throw Http2Exception.streamError(
            stream.id(), Http2Error.PROTOCOL_ERROR, "%s", fault.code());
      }
      case H2RequestGuard.Refused(HeadFault fault, StrictRequestGuard.Head head) ->
          refuse(stream, head, rejectionOf(fault));
      case H2RequestGuard.Admitted(
              StrictRequestGuard.Head head,
              long contentLength,
              boolean expectsContinue) -> {
        if (contentLength > setup.limits().bodyBytes() && !passesLarge()) {
          refuse(stream, head, new Rejection(413, "size", "body_too_large", "over the limit"));
          return;
        }
        H2ServerCall begun = new H2ServerCall(this, stream, head, contentLength);
        attach(stream, begun);
        int bytes = fields.bytes();
        Optional<Rejection> full =
            bytes > HttpMessageLimits.SHORT_HEAD_BYTES ? begun.hold(bytes) : Optional.empty();
        if (full.isPresent()) {
          begun.reject(full.get());
          return;
        }
        if (expectsContinue && !endStream) {
          ChannelFuture _ =
              headers(stream.id(), H2Head.interim(100, EmptyHttpHeaders.INSTANCE), false);
          wrote(begun);
        }
        begun.begin(endStream);
      }
    }
  }

  private void refuse(Http2Stream stream, StrictRequestGuard.Head head, Rejection rejection) {
    H2ServerCall refused = new H2ServerCall(this, stream, head, -1);
    attach(stream, refused);
    refused.reject(rejection);
  }

  /** A request's body begins; its time does at the end of this read. */
  void bodyBegun(H2ServerCall exchange) {
    bodiesBegun.add(exchange);
  }

  private static Rejection rejectionOf(HeadFault fault) {
    return new Rejection(fault.status(), "http2", fault.code(), fault.detail());
  }

  /** Hands a whole request, which it owns, to the setup.handler(). */
  void handle(H2ServerCall exchange, WholeRequest request) {
    try {
      setup.handler().onRequest(exchange, request);
    } catch (RuntimeException e) {
      // The handler owns the body, so a bug there may leak it; the client must not hang for it.
      LOG.error("the handler of a request failed", e);
      if (exchange.isOpen()) {
        reset(exchange.stream().id(), Http2Error.INTERNAL_ERROR);
      }
    }
  }

  /** Takes these bytes of a request into account, or says why it cannot. */
  Optional<Rejection> hold(int bytes) {
    if (bytes > setup.limits().connectionBytes() - heldBytes) {
      return Optional.of(
          new Rejection(
              503, "size", "connection_bytes", "too many bytes of requests on one connection"));
    }
    if (bytes > 0 && !setup.memory().take(bytes)) {
      return Optional.of(Rejection.REQUEST_MEMORY);
    }
    heldBytes += bytes;
    return Optional.empty();
  }

  void letGo(int bytes) {
    heldBytes -= bytes;
    setup.memory().letGo(bytes);
  }

  /** Tells the handler of a request that gets no answer but a reset. */
  void tellRejected(Rejection rejection) {
    told = true;
    try {
      setup.handler().onRejected(rejection).body().release();
    } catch (RuntimeException e) {
      LOG.error("the handler of a rejection failed", e);
    }
  }

  /** The answer to a request that goes no further. */
  WholeResponse rejection(Rejection rejection, HttpHeaders request) {
    WholeResponse response;
    try {
      response = setup.handler().onRejected(rejection);
    } catch (RuntimeException e) {
      LOG.error("the handler of a rejection failed", e);
      response = new WholeResponse(500, EmptyHttpHeaders.INSTANCE, Unpooled.EMPTY_BUFFER);
    }
    return WholeRequest.isGrpc(request) ? H2Head.grpcRejection(rejection, response) : response;
  }

  /** A client that is still sending after its answer is told that nobody listens. */
  private void stopRequest(Http2Stream stream) {
    if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      reset(stream.id(), Http2Error.NO_ERROR);
    }
  }

  private void writabilityChanged(Http2Stream stream) {
    H2ServerCall call = call(stream);
    if (call != null && isWritable(stream)) {
      call.becameWritable();
    }
  }

  /** The peer gives this stream no window. */
  void stalled(Http2Stream stream) {
    LOG.debug("stream {} of {} is not taken in time", stream.id(), peer());
    reset(stream.id(), Http2Error.CANCEL);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    if (channel.isWritable()) {
      writeDeadline.clear();
    } else {
      writePace.writeBegins();
      writeDeadline.set(setup.timeouts().writeMs());
    }
    super.channelWritabilityChanged(ctx);
  }

  private void writeTick() {
    if (channel.isWritable()) {
      return;
    }
    if (writePace.writeMoves(channel.unsafe().outboundBuffer())) {
      writeDeadline.set(setup.timeouts().writeMs());
    } else {
      close();
    }
  }

  @Override
  protected void streamClosed(Http2Stream stream, @Nullable H2ServerCall call) {
    if (call != null) {
      call.closed();
    }
    idle();
  }

  private void idle() {
    if (connection().numActiveStreams() > 0) {
      return;
    }
    switch (phase) {
      case OPEN -> deadline.set(setup.timeouts().keepAliveMs());
      // Whoever closes the last stream may be in the middle of a read.
      case LEAVING -> channel.eventLoop().execute(this::lingerIfIdle);
      case NOTICE, LINGER, CLOSED -> {}
    }
  }

  private void lingerIfIdle() {
    if (phase == Phase.LEAVING && connection().numActiveStreams() == 0) {
      linger();
    }
  }

  @Override
  public void drain(long noticeMs) {
    if (phase != Phase.OPEN) {
      return;
    }
    phase = Phase.NOTICE;
    goAway(Integer.MAX_VALUE, Http2Error.NO_ERROR, "");
    // A connection that was just made may not have brought its first request yet.
    deadline.set(Math.min(Math.max(DRAIN_NOTICE_MS, noticeMs), setup.timeouts().keepAliveMs()));
  }

  private void timeOver() {
    switch (phase) {
      case OPEN -> leave(Http2Error.NO_ERROR, "idle");
      case NOTICE -> leave(Http2Error.NO_ERROR, "");
      case LINGER -> close();
      case LEAVING, CLOSED -> {}
    }
  }

  /** Says which streams will still be served, and ends when they have been. */
  private void leave(Http2Error error, String why) {
    phase = Phase.LEAVING;
    deadline.clear();
    goAway(connection().remote().lastStreamCreated(), error, why);
    lingerIfIdle();
  }

  /** Reads nothing more, and closes when the peer has had time to take what was said last. */
  private void linger() {
    if (phase == Phase.LINGER || phase == Phase.CLOSED) {
      return;
    }
    phase = Phase.LINGER;
    discardRest();
    headDeadline.clear();
    if (channel.isInputShutdown()) {
      close();
      return;
    }
    deadline.set(LINGER_MS);
    // Shutting the output drops what is still unsent, so that goes first.
    flushNow();
    context()
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(_ ->
            TlsGate.shutdownOutput(channel)
                .addListener(done -> LOG.debug("shut: {}", done.isSuccess())));
  }

  @Override
  protected void failed(Throwable cause, Http2Error error, boolean expected) {
    if (phase == Phase.LINGER || phase == Phase.CLOSED) {
      return;
    }
    if (!expected) {
      LOG.error("an HTTP/2 connection failed", cause);
    }
    String reason = cutReason(error);
    setup.events().http2Cut(reason);
    LOG.info("HTTP/2 connection of {} cut: {} ({})", peer(), reason, cause.getMessage());
    discardRest();
    goAway(connection().remote().lastStreamCreated(), error, reason);
    // Whatever else the peer sends stays in its own buffers.
    channel.config().setAutoRead(false);
    linger();
    forEachStream(Http2Stream::close);
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException known) {
    resetByUs(known.streamId());
    if (!told && known.error() != Http2Error.REFUSED_STREAM) {
      // What Netty's decoder found before we could.
      tellRejected(
          new Rejection(400, "http2", known.error().name().toLowerCase(Locale.ROOT), "not HTTP/2"));
    }
    told = false;
    if (!outbound && known.error() != Http2Error.REFUSED_STREAM) {
      try {
        pay(H2Budget.Excess.RESET);
      } catch (Http2Exception e) {
        onConnectionError(ctx, false, e, e);
        return;
      }
    }
    super.onStreamError(ctx, outbound, cause, known);
  }

  @Override
  protected void handleServerHeaderDecodeSizeError(ChannelHandlerContext ctx, Http2Stream stream) {
    WholeResponse response =
        rejection(
            new Rejection(431, "size", "headers_too_large", "the headers are over the limit"),
            EmptyHttpHeaders.INSTANCE);
    ChannelFuture _ = headers(stream.id(), H2Head.response(response, true), true);
    response.body().release();
  }

  @Override
  protected void inputShut() {
    close();
  }

  @Override
  protected void broke(IOException cause) {
    LOG.debug("a client's connection broke: {}", cause.toString());
    close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    close();
    super.channelInactive(ctx);
  }

  @Override
  public void channelUnregistered(ChannelHandlerContext ctx) throws Exception {
    // Comes after channelInactive: whoever waits for our end finds every exchange called off.
    ended.accept(this);
    super.channelUnregistered(ctx);
  }

  private void close() {
    boolean first = phase != Phase.CLOSED;
    phase = Phase.CLOSED;
    if (first && channel.isActive()) {
      flushNow(); // an answer of this round was given before
    }
    deadline.cancel();
    headDeadline.cancel();
    writeDeadline.cancel();
    boolean _ = holdsHead(); // no more
    forEachStream(Http2Stream::close);
    closeChannel();
  }

  /** Who asks for what is not taken whole. */
  Optional<OriginClient> origins() {
    return leads;
  }

  /** True if a body over the limit may go on as it comes. */
  boolean passesLarge() {
    return leads.isPresent() && setup.handler().mayPassLarge();
  }

  /** True if nothing is held back, so that a caller need not say all before it hears something. */
  boolean passesOpen() {
    return leads.isPresent() && setup.handler().isTap();
  }

  Setup setup() {
    return setup;
  }
}
