package dev.parlance.relay.client;

import dev.parlance.relay.api.OriginReceiver.BodySink;
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
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Error;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
final class H2OriginCall extends AbstractOriginCall {
  private static final int MAX_INTERIM_RESPONSES = 8;
  private static final int MAX_ATTEMPTS = 4;

  private final Deadline deadline;
  private final BodyCollector body;
  private @Nullable H2OriginConnection connection;
  private int streamId;
  private H2ResponseGuard.@Nullable Head head;
  private long received;
  private long lastWritten;
  private int interimResponses;
  private int attempts;
  private int unreturned;
  private boolean reused;
  private boolean repeated;
  private boolean whollySent;

  /** What the stream is given up for; null once the response is complete. */
  private @Nullable Http2Error resetFor = Http2Error.CANCEL;

  H2OriginCall(OriginPool pool, Ask ask) {
    super(pool, ask);
    this.deadline = new Deadline(pool.loop, this::timeOver);
    this.body = new BodyCollector(ByteBufAllocator.DEFAULT, limits.bodyBytes());
  }

  @Override
  void connect() {
    phase = Phase.CONNECTING;
    attempts++;
    sent = false;
    whollySent = false;
    // To look up, connect, greet, and to wait for a stream of a busy origin.
    deadline.set((long) timeouts.connectMs() + timeouts.responseMs());
    pool.connect(this);
  }

  @Override
  boolean isConnected() {
    return pool.isConnected(this);
  }

  /** There is a connection with room for this call. */
  void connected(H2OriginConnection to) {
    if (phase != Phase.CONNECTING) {
      return;
    }
    phase = Phase.SENDING;
    connection = to;
    reused = to.wasUsed();
    sent = true;
    deadline.set(timeouts.writeMs());
    Optional<Integer> stream = to.send(this, request, open, length);
    if (stream.isPresent()) {
      streamId = stream.get();
      if (open) {
        deadline.set(timeouts.streamIdleMs());
        opened();
      }
    } else {
      connection = null;
      sent = false;
      unprocessed("no stream could be opened");
    }
  }

  @Override
  void transmit(ByteBuf piece, boolean last, Runnable taken) {
    H2OriginConnection on = connection;
    if (on == null) {
      piece.release();
      taken.run();
      return;
    }
    on.piece(streamId, piece, last ? Optional.of(trailers()) : Optional.empty())
        .addListener(done -> {
          if (last && done.isSuccess()) {
            whollySent = true;
          }
          if (phase == Phase.WAITING) {
            deadline.set(last ? timeouts.responseMs() : timeouts.streamIdleMs());
          } else if (phase == Phase.STREAMING && !paused) {
            deadline.set(timeouts.streamIdleMs());
          }
          taken.run();
        });
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
        } else if (found.status() > 100) {
          interim(found.status(), found.headers());
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
      boolean _ = offer(found.status(), found.headers(), found.contentLength());
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

  @Override
  void streamingBegins() {
    if (!paused) {
      deadline.set(timeouts.streamIdleMs());
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
      give(taker, piece.retain());
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
    resetFor = null;
    BodySink taker = sink;
    finish(
        taker != null
            ? () -> taker.end(trailers)
            : answer(new WholeResponse(found.status(), found.headers(), body.take(), trailers)));
  }

  /** What came on the stream is not HTTP/2. */
  void malformed(String code) {
    resetFor = Http2Error.PROTOCOL_ERROR;
    failed("response_malformed", code);
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
    if (attempts >= MAX_ATTEMPTS || head != null || !isRequestHeld()) {
      failed("origin_closed", detail);
    } else {
      // Not in the middle of what told us; and a later look finds another connection.
      phase = Phase.START;
      pool.loop.execute(this::start);
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
    } else if (reused && !repeated && isRepeatable()) {
      repeated = true;
      phase = Phase.START;
      pool.loop.execute(this::start);
    } else {
      failed("origin_closed", detail);
    }
  }

  @Override
  void readingPaused() {
    deadline.clear();
  }

  @Override
  void readingResumed() {
    H2OriginConnection on = connection;
    if (on != null) {
      deadline.set(timeouts.streamIdleMs());
      int bytes = unreturned;
      unreturned = 0;
      on.consumed(streamId, bytes);
    }
  }

  /** The origin need not take a request at once, but it must go on taking it. */
  @Override
  void sendTimeOver() {
    H2OriginConnection on = connection;
    long written = on == null ? lastWritten : on.writtenBytes(streamId);
    if (written == lastWritten) {
      failed("response_timeout", "the request was not taken in time");
    } else {
      lastWritten = written;
      deadline.set(timeouts.writeMs());
    }
  }

  @Override
  void letGo(Phase was) {
    deadline.cancel();
    H2OriginConnection used = connection;
    connection = null;
    if (used != null && resetFor == null && whollySent) {
      used.detach(streamId);
    } else if (used != null) {
      used.giveUp(streamId, resetFor == null ? Http2Error.NO_ERROR : resetFor);
    } else if (was == Phase.CONNECTING) {
      pool.forget(this);
    }
    body.release();
  }
}
