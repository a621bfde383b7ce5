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
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call to an origin, as far as HTTP/1.1 and HTTP/2 are alike: who is told what, exactly once, and
 * for how long the request is held. Lives on one event loop.
 */
abstract sealed class AbstractOriginCall implements OriginCall permits H1OriginCall, H2OriginCall {
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

  final EventLoop loop;
  final Destination destination;
  final WholeRequest request;
  final HttpMessageLimits limits;
  final Timeouts timeouts;
  private final OriginReceiver receiver;
  Phase phase = Phase.START;
  @Nullable BodySink sink;
  boolean sent;
  boolean paused;
  private boolean bodyHeld = true;
  private boolean inHead;
  private boolean cancelled;

  AbstractOriginCall(
      EventLoop loop,
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver) {
    this.loop = loop;
    this.destination = destination;
    this.request = request;
    this.limits = limits;
    this.timeouts = timeouts;
    this.receiver = receiver;
  }

  /** Begins, or begins again; only on the loop. */
  abstract void start();

  /** Ends the call without a response. */
  abstract void failed(String code, String detail);

  /** The body is taken piece by piece from now on. */
  abstract void streamingBegins();

  /** Whoever takes the pieces cannot take more. */
  abstract void readingPaused();

  abstract void readingResumed();

  /** True if the request may be sent again when it is not known whether the first one arrived. */
  final boolean isRepeatable() {
    return IDEMPOTENT.contains(request.method());
  }

  /** True while the request could be sent once more. */
  final boolean isRequestHeld() {
    return bodyHeld;
  }

  /**
   * Shows the receiver the head of the final response.
   *
   * @return true if the body is taken piece by piece
   */
  final boolean offer(int status, HttpHeaders headers) {
    inHead = true;
    try {
      sink = receiver.onHead(status, headers).orElse(null);
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
    if (!loop.inEventLoop()) {
      loop.execute(this::cancel);
    } else if (inHead) {
      // Whoever gets the end of this is only known once the receiver has returned.
      cancelled = true;
    } else {
      failed("cancelled", "given up by the caller");
    }
  }

  /** What tells the receiver, or its sink, of a failure as things are now. */
  final Runnable failure(String code, String detail) {
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

  /** The last of a call: nothing holds a connection for it any more. */
  final void over(Runnable tell) {
    releaseRequest();
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
