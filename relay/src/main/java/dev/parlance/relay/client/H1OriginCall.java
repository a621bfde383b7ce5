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
import dev.parlance.relay.client.OriginClient.CloseReason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call to an origin over HTTP/1.1, with its retry. Lives on one event loop.
 *
 * <pre>
 * phase       event                          next
 * START       idle connection at hand        SENDING
 * START       none                           DIALLING
 * DIALLING    connected                      SENDING
 * SENDING     written                        WAITING
 * SENDING     the origin takes no more       WAITING, briefly: it may have answered before
 * SENDING,    lost before any byte on a      DIALLING, once, only if repeating is safe
 *  WAITING     reused connection
 * SENDING,    head, and the receiver has a   STREAMING, the rest of the request is still written
 *  WAITING     sink for the body
 * STREAMING   piece                          STREAMING, the sink is given it
 * any         answer, fault, time, cancel    DONE, the receiver or its sink is told exactly once
 * </pre>
 */
final class H1OriginCall implements OriginCall, OriginConnector.Caller {
  private static final Logger LOG = LoggerFactory.getLogger(H1OriginCall.class);

  /** How long an answer may take that was sent before the origin stopped to take the request. */
  private static final long EARLY_ANSWER_MS = 1_000;

  private enum Phase {
    START,
    DIALLING,
    SENDING,
    WAITING,
    STREAMING,
    DONE
  }

  private final OriginClient client;
  private final EventLoop loop;
  private final H1OriginPool pool;
  private final Destination destination;
  private final WholeRequest request;
  private final HttpMessageLimits limits;
  private final Timeouts timeouts;
  private final OriginReceiver receiver;

  private Phase phase = Phase.START;
  private @Nullable H1OriginConnection connection;
  private @Nullable OriginConnector dial;
  private boolean reused;
  private boolean sent;
  private boolean written;
  private boolean bodyHeld = true;
  private @Nullable BodySink sink;
  private boolean inHead;
  private boolean cancelled;
  private boolean paused;

  H1OriginCall(
      OriginClient client,
      EventLoop loop,
      H1OriginPool pool,
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver) {
    this.client = client;
    this.loop = loop;
    this.pool = pool;
    this.destination = destination;
    this.request = request;
    this.limits = limits;
    this.timeouts = timeouts;
    this.receiver = receiver;
  }

  void start() {
    if (phase != Phase.START) {
      return;
    }
    if (client.hasGivenUp()) {
      giveUp();
      return;
    }
    Optional<H1OriginConnection> idle = pool.take(destination);
    if (idle.isPresent()) {
      reused = true;
      client.events().originConnectionReused();
      send(idle.get());
    } else {
      dial();
    }
  }

  private void giveUp() {
    finish(failure(CloseReason.SHUTTING_DOWN.code(), CloseReason.SHUTTING_DOWN.detail()));
  }

  /** Some of the request may leave this process from now on. */
  void sending() {
    sent = true;
  }

  /**
   * True if what comes on the connection may be the answer: a new one may turn us away before it
   * has read anything, a kept one has nothing to say before the request is on its way.
   */
  boolean accepts() {
    return sent || !reused;
  }

  /** True once the whole request is with the operating system. */
  boolean isWritten() {
    return written;
  }

  private void dial() {
    if (pool.size() >= limits.connections()) {
      finish(failure("origin_limit", "no more connections to origins on this loop"));
      return;
    }
    phase = Phase.DIALLING;
    OriginConnector begun =
        new OriginConnector(
            client, loop, pool, destination, timeouts.connectMs(), Pipeline::new, this);
    dial = begun;
    begun.start();
  }

  @Override
  public void connected(Channel channel) {
    dial = null;
    H1OriginConnection made = channel.pipeline().get(H1OriginConnection.class);
    if (client.hasGivenUp()) {
      made.close();
      giveUp();
      return;
    }
    send(made);
  }

  @Override
  public void notConnected(String code, String detail) {
    dial = null;
    finish(failure(code, detail));
  }

  private void send(H1OriginConnection to) {
    phase = Phase.SENDING;
    connection = to;
    if (!to.isActive()) {
      lost(false, "closed before the request was written");
      return;
    }
    ChannelFuture wrote = to.send(this, request, limits.bodyBytes());
    if (wrote.isDone()) {
      onWrite(to, wrote.cause());
    } else {
      to.deadline().set(timeouts.writeMs());
      wrote.addListener(done -> onWrite(to, done.cause()));
    }
  }

  private void onWrite(H1OriginConnection to, @Nullable Throwable fault) {
    if (connection == to) {
      onWritten(to, fault);
    }
  }

  private void onWritten(H1OriginConnection to, @Nullable Throwable fault) {
    written = fault == null;
    if (phase != Phase.SENDING) {
      return;
    }
    if (fault == null) {
      phase = Phase.WAITING;
      to.deadline().set(timeouts.responseMs());
    } else if (fault instanceof IOException && to.isActive()) {
      phase = Phase.WAITING;
      to.deadline().set(EARLY_ANSWER_MS);
    } else {
      to.close();
      lost(false, String.valueOf(fault.getMessage()));
    }
  }

  /**
   * The head of the final answer.
   *
   * @return true if the body is taken piece by piece
   */
  boolean head(int status, HttpHeaders headers) {
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
      finish(failure("cancelled", "given up by the caller"));
      return false;
    }
    if (sink == null) {
      return false;
    }
    phase = Phase.STREAMING;
    releaseBody();
    if (paused) {
      stopReading();
    } else {
      idleFromNow();
    }
    return true;
  }

  /** A piece of the body, which the ask owns. */
  void piece(ByteBuf piece) {
    BodySink taker = sink;
    if (taker == null || phase != Phase.STREAMING) {
      piece.release();
      return;
    }
    if (!paused) {
      idleFromNow();
    }
    try {
      taker.piece(piece);
    } catch (RuntimeException e) {
      LOG.error("the sink of an origin's body failed", e);
      finish(failure("cancelled", "the receiver failed"));
    }
  }

  /** The body that went to the sink is whole. */
  void ended(HttpHeaders trailers) {
    BodySink taker = sink;
    if (taker != null && phase == Phase.STREAMING) {
      finish(() -> taker.end(trailers));
    }
  }

  /** The connection has nothing more to say to this ask. */
  void detach() {
    connection = null;
  }

  /** Takes a whole response, which it owns. */
  void answered(WholeResponse response) {
    if (phase == Phase.DONE) {
      response.body().release();
      return;
    }
    finish(() -> receiver.done(new OriginResult.Answered(response)));
  }

  void failed(String code, String detail) {
    finish(failure(code, detail));
  }

  /** The connection ended before the response did. */
  void lost(boolean sawBytes, String detail) {
    connection = null;
    if (phase == Phase.DONE) {
      return;
    }
    if (sawBytes) {
      finish(failure("response_incomplete", detail));
    } else if (reused && (!sent || OriginRequest.isRepeatable(request))) {
      reused = false;
      sent = false;
      written = false;
      dial();
    } else {
      finish(failure("origin_closed", detail));
    }
  }

  @Override
  public void pauseReading() {
    // An answer that is gathered whole is bounded by its size and read on.
    if (!paused) {
      paused = true;
      if (phase == Phase.STREAMING) {
        stopReading();
      }
    }
  }

  private void idleFromNow() {
    if (connection != null) {
      connection.deadline().set(timeouts.streamIdleMs());
    }
  }

  private void stopReading() {
    if (connection != null) {
      connection.deadline().clear();
      connection.pauseReading();
    }
  }

  @Override
  public void resumeReading() {
    if (paused) {
      paused = false;
      if (phase == Phase.STREAMING) {
        idleFromNow();
        if (connection != null) {
          connection.resumeReading();
        }
      }
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
      finish(failure("cancelled", "given up by the caller"));
    }
  }

  /** The time that was set for the connection is over. */
  void timeOver() {
    switch (phase) {
      case SENDING -> finish(failure("response_timeout", "the request was not taken in time"));
      case WAITING -> finish(failure("response_timeout", "no whole response in time"));
      case STREAMING -> finish(failure("response_timeout", "no more of the body in time"));
      case START, DIALLING, DONE -> {}
    }
  }

  private OriginResult.Failed failure(String code, String detail) {
    return new OriginResult.Failed(code, sent, detail);
  }

  private void releaseBody() {
    if (bodyHeld) {
      bodyHeld = false;
      request.body().release();
    }
  }

  private void finish(OriginResult.Failed failure) {
    BodySink taker = sink;
    finish(() -> {
      if (taker == null) {
        receiver.done(failure);
      } else {
        taker.failed(failure);
      }
    });
  }

  private void finish(Runnable tell) {
    if (phase == Phase.DONE) {
      return;
    }
    phase = Phase.DONE;
    H1OriginConnection used = connection;
    connection = null;
    if (used != null) {
      used.close();
    }
    OriginConnector pending = dial;
    dial = null;
    if (pending != null) {
      pending.stop();
    }
    releaseBody();
    try {
      tell.run();
    } catch (RuntimeException e) {
      // A bug of the receiver's; it must not be taken for a fault of the connection.
      LOG.error("the receiver of an origin's result failed", e);
    }
  }

  /** Puts an origin's connection on a fresh channel. */
  private final class Pipeline extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      H1OriginConnection fresh =
          new H1OriginConnection(channel, destination, pool, limits, client.events());
      channel.pipeline().addLast(fresh);
    }
  }
}
