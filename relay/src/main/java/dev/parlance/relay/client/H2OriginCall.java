package dev.parlance.relay.client;

import dev.parlance.relay.api.BodySink;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginResult;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.HeaderFields;
import dev.parlance.relay.http2.H2Fields;
import dev.parlance.relay.http2.H2ResponseGuard;
import dev.parlance.relay.net.BodyCollector;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.FlushCoalescer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Error;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call to an origin over HTTP/2, with its retries. Lives on one event loop.
 *
 * <pre>
 * phase       event                          next
 * START       asked for a connection         CONNECTING
 * CONNECTING  a connection with room         SENDING
 * SENDING     request taken by the origin    WAITING
 * SENDING,    the origin says that it has    CONNECTING, a few times
 *  WAITING     not looked at the request
 * SENDING,    lost without an answer on a    CONNECTING, once, only if repeating is safe
 *  WAITING     connection used before
 * SENDING,    head, and the receiver has a   STREAMING
 *  WAITING     sink for the body
 * any         answer, fault, time, cancel    DONE, the receiver or its sink is told exactly once
 * </pre>
 */
final class H2OriginCall implements OriginCall {
  private static final Logger LOG = LoggerFactory.getLogger(H2OriginCall.class);

  private static final int MAX_INTERIM_RESPONSES = 8;
  private static final int MAX_ATTEMPTS = 4;

  private enum Phase {
    START,
    CONNECTING,
    SENDING,
    WAITING,
    STREAMING,
    DONE
  }

  private final EventLoop loop;
  private final H2OriginPool pool;
  private final Destination destination;
  private final WholeRequest request;
  private final HttpMessageLimits limits;
  private final Timeouts timeouts;
  private final OriginReceiver receiver;
  private final Deadline deadline;
  private final BodyCollector body;
  private Phase phase = Phase.START;
  private @Nullable H2OriginConnection connection;
  private int streamId;
  private H2ResponseGuard.@Nullable Head head;
  private @Nullable BodySink sink;
  private long received;
  private long lastWritten;
  private int interimResponses;
  private int attempts;
  private int unreturned;
  private boolean reused;
  private boolean repeated;
  private boolean sent;
  private boolean whollySent;
  private boolean bodyHeld = true;
  private boolean inHead;
  private boolean cancelled;
  private boolean paused;

  H2OriginCall(
      EventLoop loop,
      H2OriginPool pool,
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver) {
    this.loop = loop;
    this.pool = pool;
    this.destination = destination;
    this.request = request;
    this.limits = limits;
    this.timeouts = timeouts;
    this.receiver = receiver;
    this.deadline = new Deadline(loop, this::timeOver);
    this.body = new BodyCollector(ByteBufAllocator.DEFAULT, limits.bodyBytes());
  }

  void start() {
    if (phase == Phase.START) {
      connect();
    }
  }

  private void connect() {
    phase = Phase.CONNECTING;
    attempts++;
    sent = false;
    whollySent = false;
    // To look up, connect, greet, and to wait for a stream of a busy origin.
    deadline.set((long) timeouts.connectMs() + timeouts.responseMs());
    pool.connect(this);
  }

  Destination destination() {
    return destination;
  }

  HttpMessageLimits limits() {
    return limits;
  }

  Timeouts timeouts() {
    return timeouts;
  }

  /** There is a connection with room for this ask. */
  void connected(H2OriginConnection to) {
    if (phase != Phase.CONNECTING) {
      return;
    }
    phase = Phase.SENDING;
    connection = to;
    reused = to.wasUsed();
    sent = true;
    deadline.set(timeouts.writeMs());
    Optional<Integer> stream = to.send(this, request);
    if (stream.isPresent()) {
      streamId = stream.get();
    } else {
      connection = null;
      sent = false;
      unprocessed("no stream could be opened");
    }
  }

  /** The origin has taken the whole request. */
  void written() {
    whollySent = true;
    if (phase == Phase.SENDING) {
      phase = Phase.WAITING;
      deadline.set(timeouts.responseMs());
    }
  }

  /** A block of fields: an interim head, the head, or trailers. */
  void fields(H2Fields fields, boolean endStream) {
    if (head != null) {
      trailers(fields);
      return;
    }
    switch (H2ResponseGuard.head(fields, request.method(), endStream)) {
      case H2ResponseGuard.Malformed(HeadFault fault) -> malformed(fault.code());
      case H2ResponseGuard.Head found when found.status() < 200 -> {
        interimResponses++;
        if (endStream || interimResponses > MAX_INTERIM_RESPONSES) {
          malformed("interim_response");
        }
      }
      case H2ResponseGuard.Head found -> head(found, endStream);
    }
  }

  private void trailers(H2Fields fields) {
    Optional<HttpHeaders> trailers = H2ResponseGuard.trailers(fields);
    if (trailers.isEmpty()) {
      malformed("trailers_malformed");
    } else {
      ended(trailers.get());
    }
  }

  private void head(H2ResponseGuard.Head found, boolean endStream) {
    head = found;
    if (!endStream) {
      // A response of fields alone is whole already; gRPC's failures are such.
      offer(found);
    }
    if (phase == Phase.DONE) {
      return;
    }
    if (sink == null && found.contentLength() > limits.bodyBytes()) {
      failed("response_too_large", "declared " + found.contentLength() + " bytes");
    } else if (endStream) {
      ended(new HeaderFields());
    }
  }

  private void offer(H2ResponseGuard.Head found) {
    inHead = true;
    try {
      sink = receiver.onHead(found.status(), found.headers()).orElse(null);
    } catch (RuntimeException e) {
      LOG.error("the receiver of an origin's head failed", e);
      cancelled = true;
    } finally {
      inHead = false;
    }
    if (cancelled) {
      failed("cancelled", "given up by the caller");
    } else if (sink != null) {
      phase = Phase.STREAMING;
      releaseRequest();
      if (!paused) {
        deadline.set(timeouts.streamIdleMs());
      }
    }
  }

  /**
   * A piece of the body, which it does not own.
   *
   * @param length with its padding
   * @return how many of its bytes, padding included, the origin may send again at once
   */
  int data(ByteBuf piece, int length, boolean endStream) {
    H2ResponseGuard.Head found = head;
    if (phase == Phase.DONE) {
      return length;
    }
    if (found == null) {
      malformed("data_without_head");
      return length;
    }
    received += piece.readableBytes();
    boolean bodyless = request.method().equals(HttpMethod.HEAD) && received > 0;
    if (bodyless || (found.contentLength() >= 0 && received > found.contentLength())) {
      malformed("content_length_mismatch");
      return length;
    }
    boolean held = false;
    if (sink != null) {
      held = pass(sink, piece, length);
    } else if (!body.add(piece.retain())) {
      failed("response_too_large", "more than " + body.maxBytes() + " bytes");
      return length;
    }
    if (endStream) {
      ended(new HeaderFields());
    }
    return held ? 0 : length;
  }

  /** True if the bytes must not be sent again for now. */
  private boolean pass(BodySink taker, ByteBuf piece, int length) {
    if (!paused) {
      deadline.set(timeouts.streamIdleMs());
    }
    if (piece.isReadable()) {
      try {
        taker.piece(piece.retain());
      } catch (RuntimeException e) {
        LOG.error("the sink of an origin's body failed", e);
        failed("cancelled", "the receiver failed");
      }
    }
    if (paused && phase == Phase.STREAMING) {
      unreturned += length;
      return true;
    }
    return false;
  }

  private void ended(HttpHeaders trailers) {
    H2ResponseGuard.Head found = head;
    if (phase == Phase.DONE || found == null) {
      return;
    }
    if (found.contentLength() > received && !request.method().equals(HttpMethod.HEAD)) {
      malformed("content_length_mismatch");
      return;
    }
    FlushCoalescer.makeWay(body.bytes());
    BodySink taker = sink;
    if (taker != null) {
      finish(() -> taker.end(trailers), Optional.empty());
    } else {
      WholeResponse whole =
          new WholeResponse(found.status(), found.headers(), body.take(), trailers);
      finish(() -> receiver.done(new OriginResult.Answered(whole)), Optional.empty());
    }
  }

  /** What came on the stream is not HTTP/2. */
  void malformed(String code) {
    fail("response_malformed", code, Http2Error.PROTOCOL_ERROR);
  }

  /** The origin gave the stream up. */
  void reset(Optional<Http2Error> error) {
    String name = error.map(Http2Error::name).orElse("an unknown error");
    if (error.isPresent() && error.get() == Http2Error.REFUSED_STREAM) {
      unprocessed(name);
    } else if (error.isPresent() && error.get() == Http2Error.HTTP_1_1_REQUIRED) {
      failed("origin_protocol", name);
    } else {
      failed(head == null ? "origin_closed" : "response_incomplete", "reset: " + name);
    }
  }

  /** The origin has not looked at the request, so it is safe to send it again. */
  void unprocessed(String detail) {
    if (phase == Phase.DONE) {
      return;
    }
    H2OriginConnection left = connection;
    connection = null;
    sent = false;
    if (left != null) {
      left.detach(streamId);
    }
    if (attempts >= MAX_ATTEMPTS || head != null || !bodyHeld) {
      failed("origin_closed", detail);
    } else {
      // Not in the middle of what told us; and a later look finds another connection.
      phase = Phase.START;
      loop.execute(this::start);
    }
  }

  /** The connection ended before the response did. */
  void lost(String detail) {
    connection = null;
    if (phase == Phase.DONE) {
      return;
    }
    if (head != null || interimResponses > 0) {
      failed("response_incomplete", detail);
    } else if (reused && !repeated && OriginRequest.isRepeatable(request)) {
      repeated = true;
      phase = Phase.START;
      loop.execute(this::start);
    } else {
      failed("origin_closed", detail);
    }
  }

  @Override
  public void pauseReading() {
    if (!paused) {
      paused = true;
      if (phase == Phase.STREAMING) {
        deadline.clear();
      }
    }
  }

  @Override
  public void resumeReading() {
    if (!paused) {
      return;
    }
    paused = false;
    H2OriginConnection on = connection;
    if (phase == Phase.STREAMING && on != null) {
      deadline.set(timeouts.streamIdleMs());
      int bytes = unreturned;
      unreturned = 0;
      on.consumed(streamId, bytes);
    }
  }

  @Override
  public void cancel() {
    if (!loop.inEventLoop()) {
      loop.execute(this::cancel);
    } else if (inHead) {
      // Whoever gets the end of this is only known once the receiver has returned.
      cancelled = true;
    } else {
      failed("cancelled", "given up by the caller");
    }
  }

  private void timeOver() {
    switch (phase) {
      case CONNECTING -> failed("connect_timeout", "no stream to the origin in time");
      case SENDING -> sendTick();
      case WAITING -> failed("response_timeout", "no whole response in time");
      case STREAMING -> failed("response_timeout", "no more of the body in time");
      case START, DONE -> {}
    }
  }

  /** The origin need not take a request at once, but it must go on taking it. */
  private void sendTick() {
    H2OriginConnection on = connection;
    long written = on == null ? lastWritten : on.writtenBytes(streamId);
    if (written == lastWritten) {
      failed("response_timeout", "the request was not taken in time");
    } else {
      lastWritten = written;
      deadline.set(timeouts.writeMs());
    }
  }

  private void releaseRequest() {
    if (bodyHeld) {
      bodyHeld = false;
      request.body().release();
    }
  }

  /** Ends the ask without a response. */
  void failed(String code, String detail) {
    fail(code, detail, Http2Error.CANCEL);
  }

  private void fail(String code, String detail, Http2Error error) {
    OriginResult.Failed failure = new OriginResult.Failed(code, sent, detail);
    BodySink taker = sink;
    if (taker != null) {
      finish(() -> taker.failed(failure), Optional.of(error));
    } else {
      finish(() -> receiver.done(failure), Optional.of(error));
    }
  }

  /**
   * @param error what the stream is given up for; empty if the response is complete
   */
  private void finish(Runnable tell, Optional<Http2Error> error) {
    if (phase == Phase.DONE) {
      return;
    }
    boolean waited = phase == Phase.CONNECTING;
    phase = Phase.DONE;
    deadline.cancel();
    H2OriginConnection used = connection;
    connection = null;
    if (used != null && error.isEmpty() && whollySent) {
      used.detach(streamId);
    } else if (used != null) {
      used.giveUp(streamId, error.orElse(Http2Error.NO_ERROR));
    } else if (waited) {
      pool.forget(this);
    }
    body.release();
    releaseRequest();
    try {
      tell.run();
    } catch (RuntimeException e) {
      // A bug of the receiver's; it must not be taken for a fault of the connection.
      LOG.error("the receiver of an origin's result failed", e);
    }
  }
}
