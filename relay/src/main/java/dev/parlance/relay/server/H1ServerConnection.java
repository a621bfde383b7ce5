package dev.parlance.relay.server;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.MessageWriter;
import dev.parlance.relay.http1.MessageWriter.ResponseForm;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.FlushCoalescer;
import dev.parlance.relay.net.MinimumRate;
import dev.parlance.relay.net.RequestMemory;
import dev.parlance.relay.server.HttpListener.AcceptedConnection;
import dev.parlance.relay.server.HttpListener.Setup;
import dev.parlance.relay.tls.TlsGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's HTTP/1.1 connection: one exchange at a time, in order.
 *
 * <pre>
 * state      event                        next       action
 * IDLE       first byte of a request      HEAD       header time begins
 * IDLE       keep-alive time over         CLOSED     silent close
 * HEAD       head admitted, no body       EXCHANGE   handler.onRequest
 * HEAD       head admitted, body comes    BODY       100 if asked for
 * HEAD       no memory for the body       QUEUED     nothing is read
 * QUEUED     memory                       HEAD       goes on
 * BODY       body whole                   EXCHANGE   handler.onRequest
 * HEAD,BODY,QUEUED  fault, limit, time, leaving  WRITING  handler.onRejected, the rest is dropped
 * EXCHANGE   respond                      WRITING    write
 * EXCHANGE   begin                        STREAMING  write the head
 * STREAMING  end                          WRITING    write the end of the body
 * STREAMING  abort                        CLOSED     cut, the body is visibly not whole
 * STREAMING  client takes nothing         CLOSED     cut, onAbort
 * EXCHANGE,STREAMING  client leaves       CLOSED     onAbort; a tap answers who only ends its sending
 * WRITING    written, kept alive          IDLE       the next request is decoded
 * WRITING    written, to be closed        LINGER     our side shut, the rest dropped unread
 * WRITING    write time over              CLOSED     cut
 * LINGER     client's side shut, or time  CLOSED
 * </pre>
 */
final class H1ServerConnection extends ChannelDuplexHandler implements AcceptedConnection {
  private static final Logger LOG = LoggerFactory.getLogger(H1ServerConnection.class);

  /**
   * Time for the peer to take a last response before its unread bytes turn the close into a reset.
   */
  private static final long LINGER_MS = 1_000;

  /** Code of a request whose sender went away in the middle of it. */
  private static final String INCOMPLETE = "incomplete";

  /** So much of the next requests is taken from the socket while one is being answered. */
  private static final int MAX_UNREAD_BYTES = 64 * 1024;

  /** On drain, an idle connection may still deliver a request that was already on its way. */
  private static final long DRAIN_IDLE_MS = 250;

  private enum State {
    IDLE,
    HEAD,
    QUEUED,
    BODY,
    EXCHANGE,
    STREAMING,
    WRITING,
    LINGER,
    CLOSED
  }

  private final Setup setup;
  private final Consumer<AcceptedConnection> ended;
  private final SocketChannel channel;
  private final Deadline deadline;
  private final RequestReader intake;
  private final MinimumRate pace;

  private State state = State.IDLE;
  private @Nullable H1ServerCall exchange;

  /** The call whose whole response is being written. */
  private @Nullable H1ServerCall writing;

  private @Nullable H1ResponseStream stream;
  private @Nullable Rejection refusal;
  private @Nullable Tunnels tunnels;
  private RequestMemory.@Nullable Place place;
  private boolean reading;
  private boolean draining;
  private long noticeEndNs;

  /** What the head of the streamed response has said. */
  private boolean streamCloses;

  /**
   * @param ended told once, after everything else has been
   */
  H1ServerConnection(SocketChannel channel, Setup setup, Consumer<AcceptedConnection> ended) {
    this.ended = ended;
    this.channel = channel;
    this.setup = setup;
    this.deadline = new Deadline(channel.eventLoop(), this::timeOver);
    this.pace = new MinimumRate(setup.timeouts());
    this.intake =
        new RequestReader(
            channel.alloc(),
            setup.limits(),
            pace,
            setup.memory(),
            setup.heads(),
            setup.handler()::isTap,
            setup.handler()::mayPassLarge);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (refusal == null) {
      deadline.set(idleMs());
    } else {
      reject(refusal);
    }
    ctx.fireChannelActive();
  }

  @Override
  public void drain(long noticeMs) {
    draining = true;
    noticeEndNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(noticeMs);
    if (state == State.IDLE) {
      deadline.set(idleMs());
    }
  }

  private long idleMs() {
    if (!draining) {
      return setup.timeouts().keepAliveMs();
    }
    long noticeMs = TimeUnit.NANOSECONDS.toMillis(noticeEndNs - System.nanoTime());
    return Math.min(Math.max(DRAIN_IDLE_MS, noticeMs), setup.timeouts().keepAliveMs());
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
      intake.unknownForm();
      deadline.set(setup.timeouts().headerMs());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ReferenceCountUtil.release(message);
      return;
    }
    FlushCoalescer.makeWay(bytes.readableBytes());
    switch (state) {
      case IDLE, HEAD, BODY -> {
        intake.add(bytes);
        readOn();
      }
      case QUEUED, EXCHANGE, STREAMING, WRITING -> {
        // Raw, and not too many: a client that leaves is noticed, one that only sends is not.
        intake.add(bytes);
        if (intake.unread() > MAX_UNREAD_BYTES) {
          channel.config().setAutoRead(false);
        }
      }
      case LINGER, CLOSED -> bytes.release();
    }
  }

  /** Reads requests of what has come, as long as the one before has been answered. */
  private void readOn() {
    if (reading) {
      // An answer was given while its request was being read; whoever reads goes on.
      return;
    }
    reading = true;
    try {
      boolean more = true;
      while (more && (state == State.IDLE || state == State.HEAD || state == State.BODY)) {
        more = onStep(intake.next());
      }
    } finally {
      reading = false;
    }
  }

  /** Returns false if there is nothing to read until more comes. */
  private boolean onStep(RequestReader.Step step) {
    switch (step) {
      case RequestReader.Step.More _ -> {
        if (intake.started()) {
          headStarted();
        }
        return false;
      }
      case RequestReader.Step.Begun(boolean expectsContinue) -> bodyFollows(expectsContinue);
      case RequestReader.Step.Full(long bytes) -> queue(bytes);
      case RequestReader.Step.Whole(WholeRequest request) -> handle(request);
      case RequestReader.Step.Connect(String authority) -> connect(authority);
      case RequestReader.Step.Passage passage -> pass(passage);
      case RequestReader.Step.Refused(Rejection rejection) -> reject(rejection);
    }
    return true;
  }

  /** Takes a channel that HTTP has left. */
  interface Tunnels {
    /**
     * Opens one.
     *
     * @param reason as in {@link dev.parlance.relay.api.RelayEvents#opaqueConnection}
     * @param first what goes to the origin first
     */
    void open(String reason, Destination to, ByteBuf first);
  }

  /** What asks for a tunnel is put to the handler from now on, and what comes of it to this. */
  void tunnels(Tunnels opened) {
    tunnels = opened;
    intake.tunnels();
  }

  private void connect(String authority) {
    Tunnels opened = tunnels;
    switch (setup.handler().onConnect(authority)) {
      case ExchangeHandler.Tunnel.Open(Destination to, var _) when opened != null -> {
        ByteBuf rest = intake.rest();
        intake.letGo();
        handOver();
        opened.open("connect", to, rest);
      }
      case ExchangeHandler.Tunnel.Open _ -> reject(Rejection.CONNECT_DENIED);
      case ExchangeHandler.Tunnel.Refused(Rejection rejection) -> reject(rejection);
    }
  }

  /** A request that cannot be taken whole goes on unread, if its handler knows where to. */
  private void pass(RequestReader.Step.Passage passage) {
    state = State.EXCHANGE;
    deadline.clear();
    channel.config().setAutoRead(false);
    H1ServerCall begun = new H1ServerCall(this);
    exchange = begun;
    setup
        .handler()
        .onPassage(
            begun, passage.reason(), passage.request(), found -> passed(begun, passage, found));
  }

  private void passed(
      H1ServerCall begun, RequestReader.Step.Passage passage, ExchangeHandler.Tunnel found) {
    WholeRequest request = passage.request();
    Tunnels opened = tunnels;
    if (exchange != begun || opened == null) {
      request.body().release();
      return;
    }
    exchange = null;
    switch (found) {
      case ExchangeHandler.Tunnel.Open(Destination to, Optional<WholeRequest> instead) -> {
        ByteBuf head =
            MessageWriter.head(channel.alloc(), instead.orElse(request), passage.framing());
        ByteBuf first = Unpooled.wrappedBuffer(head, request.body(), intake.rest());
        intake.letGo();
        handOver();
        opened.open(passage.reason(), to, first);
      }
      case ExchangeHandler.Tunnel.Refused(Rejection rejection) -> {
        request.body().release();
        channel.config().setAutoRead(true);
        reject(rejection);
      }
    }
  }

  private void bodyFollows(boolean expectsContinue) {
    state = State.BODY;
    deadline.set(intake.firstBodyLookMs());
    if (expectsContinue) {
      channel
          .writeAndFlush(ByteBufUtil.writeAscii(channel.alloc(), "HTTP/1.1 100 Continue\r\n\r\n"))
          .addListener(done -> closeIfFailed(done.isSuccess()));
    }
  }

  private void queue(long bytes) {
    state = State.QUEUED;
    channel.config().setAutoRead(false);
    deadline.set(setup.timeouts().headerMs());
    place = setup.memory().await(bytes, channel.eventLoop(), () -> granted(bytes));
  }

  private void granted(long bytes) {
    if (place != null) {
      place = null;
      intake.granted(bytes);
      state = State.HEAD;
      deadline.set(setup.timeouts().headerMs());
      channel.config().setAutoRead(true);
      readOn();
    }
  }

  /** Whoever ends while it waits for memory has no use for it any more. */
  private void unqueue() {
    if (place != null) {
      setup.memory().leave(place);
      place = null;
    }
  }

  private void handle(WholeRequest request) {
    deadline.clear();
    FlushCoalescer.makeWay(request.body().readableBytes());
    state = State.EXCHANGE;
    H1ServerCall begun = new H1ServerCall(this);
    exchange = begun;
    try {
      setup.handler().onRequest(begun, request);
    } catch (RuntimeException e) {
      // The handler owns the body, so a bug there may leak it; the client must not hang for it.
      LOG.error("the handler of a request failed", e);
      failHandled(begun);
    }
  }

  private void failHandled(H1ServerCall begun) {
    if (exchange == begun && state == State.EXCHANGE) {
      begun.respond(new WholeResponse(500, EmptyHttpHeaders.INSTANCE, Unpooled.EMPTY_BUFFER), true);
    } else if (exchange == begun && stream != null) {
      stream.abort();
    }
  }

  private void reject(Rejection rejection) {
    unqueue();
    intake.discardRest();
    try {
      WholeResponse response = setup.handler().onRejected(rejection);
      boolean read = !rejection.code().equals(HeadFault.NO_HTTP);
      if (read && channel.isActive() && !channel.isOutputShutdown()) {
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
  void send(H1ServerCall from, WholeResponse response, boolean close) {
    if (exchange != from || state != State.EXCHANGE) {
      response.body().release();
      from.sent(false);
      return;
    }
    exchange = null;
    writing = from;
    write(response, close || closesAfterwards());
  }

  /** Sends an interim head of an exchange. */
  void interim(H1ServerCall from, int status, HttpHeaders headers) {
    if (exchange == from && state == State.EXCHANGE && intake.form() != ResponseForm.TO_THE_END) {
      MessageWriter.last(channel, MessageWriter.interim(channel.alloc(), status, headers))
          .addListener(done -> closeIfFailed(done.isSuccess()));
    }
  }

  private boolean closesAfterwards() {
    return draining || setup.ends().getAsBoolean() || !intake.keepAlive();
  }

  private void write(WholeResponse response, boolean close) {
    pace.writeBegins();
    onWriting(MessageWriter.write(channel, response, intake.form(), close), close);
  }

  private void onWriting(ChannelFuture written, boolean close) {
    state = State.WRITING;
    if (written.isDone()) {
      onWritten(written.isSuccess(), close);
      return;
    }
    deadline.set(setup.timeouts().writeMs());
    written.addListener(done -> onWritten(done.isSuccess(), close));
  }

  /** Begins the streamed response of an exchange; called by it at most once. */
  ResponseStream begin(H1ServerCall from, int status, HttpHeaders headers) {
    H1ResponseStream begun =
        new H1ResponseStream(
            this, channel, MessageWriter.delimiter(status, headers, intake.form()), pace);
    if (exchange != from || state != State.EXCHANGE) {
      begun.gone();
      return begun;
    }
    state = State.STREAMING;
    deadline.set(setup.timeouts().writeMs());
    streamCloses = begun.closesAfterwards() || closesAfterwards();
    stream = begun;
    pace.writeBegins();
    begun.start(status, headers, MessageWriter.connection(intake.form(), streamCloses));
    return begun;
  }

  /** The last of the body is on its way. */
  void streamEnded(H1ResponseStream ended, ChannelFuture written) {
    if (stream == ended) {
      stream = null;
      pace.writeBegins();
      exchange = null;
      // As its head said: a client that was told nothing may send the next request at once.
      onWriting(written, streamCloses);
    }
  }

  /** The writer gave up: the connection ends before the body does. */
  void streamAborted(H1ResponseStream aborted) {
    if (stream == aborted) {
      exchange = null;
      close();
    }
  }

  /** Something of the response could not be sent, so the response is not whole. */
  void writeFailed(H1ResponseStream failed) {
    if (stream == failed) {
      close();
    }
  }

  private void tellSent(boolean whole) {
    H1ServerCall sent = writing;
    writing = null;
    if (sent != null) {
      sent.sent(whole);
    }
  }

  private void onWritten(boolean success, boolean close) {
    tellSent(success);
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
    intake.letGo();
    deadline.set(idleMs());
    channel.config().setAutoRead(true);
    readOn();
  }

  private void linger() {
    state = State.LINGER;
    intake.discardRest();
    channel.config().setAutoRead(true);
    deadline.set(LINGER_MS);
    boolean bothShut = channel.isInputShutdown();
    if (channel.isOpen()) {
      channel.config().setSoLinger(-1); // all that was written is with the operating system
    }
    TlsGate.shutdownOutput(channel)
        .addListener(done -> closeIfFailed(done.isSuccess() && !bothShut));
  }

  private void closeIfFailed(boolean success) {
    if (!success) {
      close();
    }
  }

  private void timeOver() {
    switch (state) {
      case IDLE, LINGER -> close();
      case HEAD -> reject(Rejection.HEADER_TIMEOUT);
      case QUEUED -> reject(Rejection.REQUEST_MEMORY);
      case BODY -> bodyTick();
      case STREAMING, WRITING -> writeTick();
      case EXCHANGE, CLOSED -> {}
    }
  }

  private void bodyTick() {
    long leftMs = intake.bodyLeftMs();
    if (leftMs > 0) {
      deadline.set(leftMs);
    } else {
      reject(Rejection.BODY_TIMEOUT);
    }
  }

  private void writeTick() {
    H1ResponseStream open = stream;
    if (open == null ? pace.writeMoves(channel.unsafe().outboundBuffer()) : open.moves()) {
      deadline.set(setup.timeouts().writeMs());
    } else {
      close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    H1ResponseStream open = stream;
    if (open != null && channel.isWritable()) {
      open.writable();
    }
    ctx.fireChannelWritabilityChanged();
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
      case HEAD, QUEUED, BODY ->
          reject(
              new Rejection(
                  400, "http1", INCOMPLETE, "the sender left before the end of the request"));
      case EXCHANGE -> {
        // Where nothing is held back, who asks and ends its sending is answered as it would be
        // directly; whether it is still there shows when the answer is written.
        if (!setup.handler().isTap() || !channel.isActive()) {
          close();
        }
      }
      case IDLE, STREAMING, LINGER -> close();
      case WRITING, CLOSED -> {}
    }
  }

  private void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      deadline.cancel();
      unqueue();
      intake.discardRest();
      if (stream != null) {
        stream.gone();
        stream = null;
      }
      tellSent(false);
      H1ServerCall open = exchange;
      exchange = null;
      if (open != null) {
        setup.events().exchangeAborted();
        open.abort();
      }
    }
    if (channel.isOpen()) {
      EventLoops.close(channel);
    }
  }

  /** Whoever closes the channel: an answer that waits for the end of the round goes first. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    ctx.flush();
    var _ = ctx.close(promise);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("a client's connection broke: {}", cause.toString());
    } else {
      LOG.error("a client's connection failed", cause);
    }
    if (state == State.HEAD || state == State.QUEUED || state == State.BODY) {
      clientLeft();
    }
    close();
  }

  @Override
  public Channel channel() {
    return channel;
  }

  /** True while the exchange could still be answered. */
  boolean isWaiting(H1ServerCall asked) {
    return exchange == asked && channel.isActive();
  }
}
