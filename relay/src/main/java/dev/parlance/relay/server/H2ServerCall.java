package dev.parlance.relay.server;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeaderFields;
import dev.parlance.relay.http1.StrictRequestGuard;
import dev.parlance.relay.http2.H2Head;
import dev.parlance.relay.net.BodyCollector;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.FlushCoalescer;
import dev.parlance.relay.net.MinimumRate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on an HTTP/2 connection and its answer.
 *
 * <pre>
 * state      event                        next       action
 * BODY       request whole                EXCHANGE   handler.onRequest
 * BODY       cannot be taken whole, tap   EXCHANGE   goes on as it comes, see H2Passage
 * BODY       limit, time                  WRITING    handler.onRejected, its answer; then reset
 * BODY       fault of the protocol        ENDED      handler.onRejected is told; reset
 * EXCHANGE   respond                      WRITING    head, body, trailers
 * EXCHANGE   begin                        STREAMING  head
 * STREAMING  end                          WRITING    the rest
 * any        reset, connection lost       ENDED      onAbort, unless the answer was complete
 * WRITING    taken by the peer            ENDED
 * WRITING,   nothing taken for writeMs    ENDED      reset
 *  STREAMING
 * </pre>
 */
final class H2ServerCall extends AcceptedCall implements ResponseStream {
  private enum State {
    BODY,
    EXCHANGE,
    STREAMING,
    WRITING,
    ENDED
  }

  /** A whole response may take this many write times in all, as long as it moves. */
  private static final int MAX_WRITE_TIMES = 16;

  /** So long the message of a call of gRPC is waited for where it may go on as it comes. */
  private static final long PATIENCE_MS = 50;

  private final H2ServerConnection connection;
  private final Http2Stream stream;
  private final StrictRequestGuard.Head head;
  private final long contentLength;
  private final BodyCollector body;
  private final MinimumRate pace;
  private final Deadline deadline;
  private final List<Runnable> onAbort = new ArrayList<>(1);
  private State state = State.BODY;
  private Optional<Consumer<Boolean>> onSent = Optional.empty();
  private @Nullable H2Passage passage;
  private @Nullable Runnable onWritable;
  private long came;
  private boolean aborted;
  private boolean whole;
  private boolean watched;
  private int writeTicks;
  private long lastWritten;
  private int heldBytes;

  H2ServerCall(
      H2ServerConnection connection,
      Http2Stream stream,
      StrictRequestGuard.Head head,
      long contentLength) {
    super(connection.channel());
    this.connection = connection;
    this.stream = stream;
    this.head = head;
    this.contentLength = contentLength;
    this.body =
        new BodyCollector(connection.channel().alloc(), connection.setup().limits().bodyBytes());
    this.pace = new MinimumRate(connection.setup().timeouts());
    this.deadline = new Deadline(loop(), this::timeOver);
  }

  /** The request's head is there; its body may follow. */
  void begin(boolean endStream) {
    if (endStream) {
      exchange();
    } else if (contentLength > body.maxBytes()) {
      H2Passage _ = pass("body");
    } else {
      connection.bodyBegun(this);
    }
  }

  /** The read in which the head came is over; a body that came with it needs no time. */
  void watchBody() {
    if (state == State.BODY) {
      pace.bodyBegins(System.nanoTime());
      deadline.set(waits() ? PATIENCE_MS : pace.firstBodyLookMs());
    }
  }

  /** True if its sender may wait for answers before it says more, and shall have them. */
  private boolean waits() {
    return WholeRequest.isGrpc(head.headers()) && connection.passesOpen();
  }

  /** The request goes on as it comes. */
  private H2Passage pass(String reason) {
    state = State.EXCHANGE;
    deadline.clear();
    H2Passage begun = new H2Passage(this, connection, reason, contentLength);
    passage = begun;
    begun.start(head.with(body.take()));
    return begun;
  }

  /**
   * A piece of the request's body, which it does not own.
   *
   * @param credit its length with its padding
   * @return how much of that the peer may send again at once
   */
  int data(ByteBuf piece, int credit, boolean endStream) throws Http2Exception {
    H2Passage open = passage;
    if (state != State.BODY && open == null) {
      return credit;
    }
    int length = piece.readableBytes();
    came += length;
    if (contentLength >= 0) {
      long total = came;
      if (total > contentLength || (endStream && total < contentLength)) {
        throw malformed("content_length_mismatch", "the body is not as long as was said");
      }
    }
    if (open != null) {
      open.piece(piece.retain(), credit, endStream);
      return 0;
    }
    if (length > 0
        && StrictRequestGuard.BODYLESS.contains(head.method())
        && !connection.setup().handler().isTap()) {
      reject(new Rejection(400, "http2", "body_not_allowed", "a body on " + head.method().name()));
      return credit;
    }
    pace.pieceArrived(System.nanoTime());
    if (length > body.maxBytes() - body.bytes() && connection.passesLarge()) {
      pass("body").piece(piece.retain(), credit, endStream);
      return 0;
    }
    Optional<Rejection> full = hold(length);
    if (full.isPresent()) {
      reject(full.get());
      return credit;
    }
    if (!body.add(piece.retain())) {
      reject(Rejection.BODY_TOO_LARGE);
      return credit;
    }
    if (endStream) {
      exchange();
    }
    return credit;
  }

  /** Takes so many bytes of the request into account, until it is over, or says why it cannot. */
  Optional<Rejection> hold(int bytes) {
    Optional<Rejection> full = connection.hold(bytes);
    heldBytes += full.isEmpty() ? bytes : 0;
    return full;
  }

  /**
   * Trailers of the request: the body is whole.
   *
   * @param fields what they say, which goes on where its route observes
   */
  void trailers(HeaderFields fields) throws Http2Exception {
    H2Passage open = passage;
    if (state != State.BODY && open == null) {
      return;
    }
    if (contentLength >= 0 && came < contentLength) {
      throw malformed("content_length_mismatch", "the body is shorter than was said");
    }
    HeaderFields.from(head.headers()).trail(fields);
    if (open != null) {
      open.piece(Unpooled.EMPTY_BUFFER, 0, true);
      return;
    }
    exchange();
  }

  private Http2Exception malformed(String code, String detail) {
    connection.tellRejected(new Rejection(400, "http2", code, detail));
    return Http2Exception.streamError(stream.id(), Http2Error.PROTOCOL_ERROR, "%s", code);
  }

  private void exchange() {
    state = State.EXCHANGE;
    deadline.clear();
    FlushCoalescer.makeWay(body.bytes());
    connection.handle(this, head.with(body.take()));
  }

  /** Answers a request that goes no further. */
  void reject(Rejection rejection) {
    body.release();
    state = State.EXCHANGE;
    WholeResponse response = connection.rejection(rejection, head.headers());
    send(response);
  }

  /** Sends a whole response, which it owns. */
  private void send(WholeResponse response) {
    state = State.WRITING;
    whole = true;
    int id = stream.id();
    boolean toHead = head.method().equals(HttpMethod.HEAD);
    ByteBuf content = response.body();
    boolean bodyless = toHead || FieldRules.isBodyless(response.status()) || !content.isReadable();
    boolean trailed = !response.trailers().isEmpty() && !toHead;
    ChannelFuture last =
        connection.headers(id, H2Head.response(response, toHead), bodyless && !trailed);
    if (bodyless) {
      content.release();
    } else {
      last = connection.data(id, content, !trailed);
    }
    if (trailed) {
      last = connection.trailers(id, response.trailers());
    }
    if (onSent.isPresent()) {
      Consumer<Boolean> told = onSent.get();
      onSent = Optional.empty();
      last.addListener(done -> told.accept(done.isSuccess()));
    }
    connection.wrote(this);
  }

  Http2Stream stream() {
    return stream;
  }

  @Override
  public boolean isOpen() {
    return !aborted
        && (state == State.EXCHANGE || state == State.STREAMING)
        && connection.channel().isActive();
  }

  @Override
  public HttpProtocol protocol() {
    return HttpProtocol.HTTP2;
  }

  @Override
  public void respond(WholeResponse response, boolean close) {
    if (!loop().inEventLoop()) {
      response.body().release();
      throw new IllegalStateException("respond must be called on the loop of the exchange");
    }
    if (response.status() < 200 || response.status() > 599) {
      response.body().release();
      throw new IllegalArgumentException("expected a final status, got " + response.status());
    }
    if (state == State.ENDED) {
      response.body().release();
      onSent.ifPresent(told -> told.accept(false));
      return;
    }
    if (state != State.EXCHANGE) {
      response.body().release();
      throw new IllegalStateException("an exchange has exactly one response");
    }
    send(response);
    if (close) {
      connection.drain(0);
    }
  }

  @Override
  public void onSent(Consumer<Boolean> action) {
    onSent = Optional.of(action);
  }

  @Override
  public void interim(int status, HttpHeaders headers) {
    if (state == State.EXCHANGE) {
      ChannelFuture _ = connection.headers(stream.id(), H2Head.interim(status, headers), false);
      connection.wrote(this);
    }
  }

  @Override
  public ResponseStream begin(int status, HttpHeaders headers) {
    if (!loop().inEventLoop() || (state != State.EXCHANGE && state != State.ENDED)) {
      throw new IllegalStateException("an exchange has exactly one response, begun on its loop");
    }
    if (state == State.EXCHANGE) {
      state = State.STREAMING;
      ChannelFuture _ = connection.headers(stream.id(), H2Head.begin(status, headers), false);
      connection.wrote(this);
    }
    return this;
  }

  @Override
  public void write(ByteBuf piece) {
    boolean toHead = head.method().equals(HttpMethod.HEAD);
    if (state != State.STREAMING || toHead || !piece.isReadable()) {
      piece.release();
      return;
    }
    ChannelFuture _ = connection.data(stream.id(), piece, false);
    connection.wrote(this);
  }

  @Override
  public void end(HttpHeaders trailers) {
    if (state != State.STREAMING) {
      return;
    }
    state = State.WRITING;
    connection.end(stream.id(), trailers);
    connection.wrote(this);
  }

  @Override
  public void abort() {
    if (state != State.STREAMING) {
      return;
    }
    state = State.ENDED;
    connection.reset(stream.id(), Http2Error.INTERNAL_ERROR);
  }

  @Override
  public boolean isWritable() {
    return state == State.STREAMING && connection.isWritable(stream);
  }

  @Override
  public void onWritable(Runnable action) {
    onWritable = action;
  }

  /** The windows of the peer or its socket take more again. */
  void becameWritable() {
    Runnable action = onWritable;
    if (state == State.STREAMING && action != null) {
      action.run();
    }
  }

  @Override
  public void onAbort(Runnable action) {
    if (aborted) {
      action.run();
    } else {
      onAbort.add(action);
    }
  }

  /** The stream is no more: it has run its course, was reset, or the connection is gone. */
  void closed() {
    State was = state;
    state = State.ENDED;
    deadline.cancel();
    body.release();
    connection.letGo(heldBytes);
    heldBytes = 0;
    onWritable = null;
    if (was == State.EXCHANGE || was == State.STREAMING) {
      aborted = true;
      connection.setup().events().exchangeAborted();
      List<Runnable> actions = List.copyOf(onAbort);
      actions.forEach(Runnable::run);
    }
    onAbort.clear();
  }

  /** What could be sent at once has been; the rest must move in time. */
  void flushed() {
    if (!watched
        && (state == State.STREAMING || state == State.WRITING)
        && connection.hasUnsent(stream)) {
      watched = true;
      lastWritten = connection.writtenBytes(stream.id());
      deadline.set(connection.setup().timeouts().writeMs());
    }
  }

  private void timeOver() {
    switch (state) {
      case BODY -> {
        if (waits()) {
          H2Passage _ = pass("grpc");
          return;
        }
        long nowNs = System.nanoTime();
        long leftMs =
            pace.bodyLeftMs(nowNs, body.bytes(), connection.setup().memory().isWanted(nowNs));
        if (leftMs > 0) {
          deadline.set(leftMs);
        } else {
          reject(Rejection.BODY_TIMEOUT);
        }
      }
      case STREAMING, WRITING -> writeTick();
      case EXCHANGE, ENDED -> {}
    }
  }

  private void writeTick() {
    watched = false;
    if (!connection.hasUnsent(stream)) {
      return;
    }
    long written = connection.writtenBytes(stream.id());
    writeTicks++;
    boolean tooLong = whole && writeTicks >= MAX_WRITE_TIMES;
    if (written == lastWritten || tooLong) {
      connection.stalled(stream);
    } else {
      flushed();
    }
  }
}
