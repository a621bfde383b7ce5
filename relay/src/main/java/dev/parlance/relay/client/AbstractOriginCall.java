package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OpenCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient.CloseReason;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeaderFields;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call to an origin, as far as HTTP/1.1 and HTTP/2 are alike: who is told what, exactly once, and
 * for how long the request is held. Lives on one event loop.
 */
abstract sealed class AbstractOriginCall implements OpenCall permits H1OriginCall, H2OriginCall {
  private static final Logger LOG = LoggerFactory.getLogger(AbstractOriginCall.class);

  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

  enum Phase {
    START,
    CONNECTING,
    SENDING,
    WAITING,
    STREAMING,
    DONE
  }

  final OriginPool pool;
  final Destination destination;
  final WholeRequest request;
  final HttpMessageLimits limits;
  final Timeouts timeouts;
  final OriginReceiver receiver;
  Phase phase = Phase.START;
  @Nullable BodySink sink;
  boolean sent;
  boolean paused;

  /** True if the body follows piece by piece. */
  final boolean open;

  /** Declared length of a body that follows; -1 if none was declared. */
  final long length;

  private final Deque<Piece> early = new ArrayDeque<>();
  private boolean bodyHeld = true;
  private boolean inHead;
  private boolean cancelled;

  /**
   * What is asked of an origin.
   *
   * @param open true if the body follows piece by piece
   * @param length declared length of a body that follows; -1 if none was declared
   */
  record Ask(
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver,
      boolean open,
      long length) {}

  AbstractOriginCall(OriginPool pool, Ask ask) {
    this.pool = pool;
    this.destination = ask.destination();
    this.request = ask.request();
    this.limits = ask.limits();
    this.timeouts = ask.timeouts();
    this.receiver = ask.receiver();
    this.open = ask.open();
    this.length = ask.length();
  }

  /** Begins, or begins again; only on the loop. */
  final void start() {
    if (phase == Phase.START) {
      connect();
    }
  }

  /** Asks for a connection. */
  abstract void connect();

  /** The request was not taken as fast as it has to be. */
  abstract void sendTimeOver();

  /**
   * Lets go of the connection, or of the wait for one: the call is over.
   *
   * @param was the phase it was in
   */
  abstract void letGo(Phase was);

  /** The body is taken piece by piece from now on. */
  abstract void streamingBegins();

  /** Whoever takes the pieces cannot take more. */
  abstract void readingPaused();

  abstract void readingResumed();

  /** Ends the call without a response. */
  final void failed(String code, String detail) {
    finish(failure(code, detail));
  }

  final void failed(CloseReason why) {
    failed(why.code(), why.detail());
  }

  /** The time that was set for the present phase is over. */
  final void timeOver() {
    switch (phase) {
      case CONNECTING -> {
        if (isConnected()) {
          failed("origin_streams", "no stream to the origin in time");
        } else {
          failed("connect_timeout", "no connection to the origin in time");
        }
      }
      case SENDING -> sendTimeOver();
      case WAITING -> failed("response_timeout", "no whole response in time");
      case STREAMING -> failed("response_timeout", "no more of the body in time");
      case START, DONE -> {}
    }
  }

  /** True if there is a connection to the origin, which only lets nothing more be asked. */
  abstract boolean isConnected();

  /** True if the connection has to be one that nobody has used. */
  final boolean needsNewConnection() {
    return receiver.needsNewConnection();
  }

  /** True if what is sent and what comes goes on as it is. */
  final boolean isTap() {
    return receiver.isTap();
  }

  /** What goes on behind the body of the request, as far as it has come. */
  final HttpHeaders trailers() {
    return isTap()
        ? FieldRules.trailersToSend(HeaderFields.from(request.headers()).trailers())
        : EmptyHttpHeaders.INSTANCE;
  }

  /** True if the request may be sent again when it is not known whether the first one arrived. */
  final boolean isRepeatable() {
    return IDEMPOTENT.contains(request.method()) && !open;
  }

  /** True while the request could be sent once more. */
  final boolean isRequestHeld() {
    return bodyHeld && !open;
  }

  /**
   * Shows the receiver the head of the final response.
   *
   * @return true if the body is taken piece by piece
   */
  final boolean offer(int status, HttpHeaders headers, long declared) {
    inHead = true;
    try {
      sink = receiver.onHead(status, headers, declared).orElse(null);
    } catch (RuntimeException e) {
      LOG.error("the receiver of an origin's head failed", e);
      cancelled = true;
    } finally {
      inHead = false;
    }
    if (cancelled) {
      failed("cancelled", "given up by the caller");
      return false;
    }
    if (sink == null) {
      return false;
    }
    phase = Phase.STREAMING;
    releaseRequest();
    streamingBegins();
    return true;
  }

  /** Tells the receiver of an interim head. */
  final void interim(int status, HttpHeaders headers) {
    try {
      receiver.onInterim(status, headers);
    } catch (RuntimeException e) {
      LOG.error("the receiver of an interim head failed", e);
    }
  }

  private record Piece(ByteBuf bytes, boolean last, Runnable taken) {
    void drop() {
      bytes.release();
      taken.run();
    }
  }

  /** Sends a piece of an open body, which it owns, on the connection that there is. */
  abstract void transmit(ByteBuf piece, boolean last, Runnable taken);

  @Override
  public final void send(ByteBuf piece, boolean last, Runnable taken) {
    switch (phase) {
      case DONE -> new Piece(piece, last, taken).drop();
      case START, CONNECTING, SENDING -> early.add(new Piece(piece, last, taken));
      case WAITING, STREAMING -> transmit(piece, last, taken);
    }
  }

  /** The head of an open request is out; what has come of its body follows. */
  final void opened() {
    phase = Phase.WAITING;
    for (Piece next = early.poll(); next != null; next = early.poll()) {
      send(next.bytes(), next.last(), next.taken());
    }
  }

  /** Hands a piece of the body over. */
  final void give(BodySink taker, ByteBuf piece) {
    try {
      taker.piece(piece);
    } catch (RuntimeException e) {
      LOG.error("the sink of an origin's body failed", e);
      failed("cancelled", "the receiver failed");
    }
  }

  @Override
  public final void pauseReading() {
    // An answer that is gathered whole is bounded by its size and read on.
    if (!paused) {
      paused = true;
      if (phase == Phase.STREAMING) {
        readingPaused();
      }
    }
  }

  @Override
  public final void resumeReading() {
    if (paused) {
      paused = false;
      if (phase == Phase.STREAMING) {
        readingResumed();
      }
    }
  }

  @Override
  public final void cancel() {
    if (!pool.loop.inEventLoop()) {
      pool.loop.execute(this::cancel);
    } else if (inHead) {
      // Whoever gets the end of this is only known once the receiver has returned.
      cancelled = true;
    } else {
      failed("cancelled", "given up by the caller");
    }
  }

  /** What tells the receiver, or its sink, of a failure as things are now. */
  private Runnable failure(String code, String detail) {
    OriginResult.Failed failure = new OriginResult.Failed(code, sent, detail);
    BodySink taker = sink;
    return () -> {
      if (taker == null) {
        receiver.done(failure);
      } else {
        taker.failed(failure);
      }
    };
  }

  /** What hands the receiver a whole response. */
  final Runnable answer(WholeResponse response) {
    return () -> receiver.done(new OriginResult.Answered(response));
  }

  /** Ends the call and tells what came of it, once. */
  final void finish(Runnable tell) {
    if (phase == Phase.DONE) {
      return;
    }
    Phase was = phase;
    phase = Phase.DONE;
    letGo(was);
    releaseRequest();
    for (Piece next = early.poll(); next != null; next = early.poll()) {
      next.drop();
    }
    try {
      tell.run();
    } catch (RuntimeException e) {
      // A bug of the receiver's; it must not be taken for a fault of the connection.
      LOG.error("the receiver of an origin's result failed", e);
    }
  }

  private void releaseRequest() {
    if (bodyHeld) {
      bodyHeld = false;
      request.body().release();
    }
  }
}
