package dev.parlance.relay.client;

import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient.CloseReason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call to an origin over HTTP/1.1, with its retry. Lives on one event loop.
 *
 * <pre>
 * phase       event                          next
 * START       idle connection at hand        SENDING
 * START       none                           CONNECTING
 * CONNECTING  connected                      SENDING
 * SENDING     written                        WAITING
 * SENDING     the origin takes no more       WAITING, briefly: it may have answered before
 * SENDING,    lost before any byte on a      CONNECTING, once, only if repeating is safe
 *  WAITING     reused connection
 * SENDING,    head, and the receiver has a   STREAMING, the rest of the request is still written
 *  WAITING     sink for the body
 * STREAMING   piece                          STREAMING, the sink is given it
 * any         answer, fault, time, cancel    DONE, the receiver or its sink is told exactly once
 * </pre>
 */
final class H1OriginCall extends AbstractOriginCall implements OriginConnector.Caller {
  /** How long an answer may take that was sent before the origin stopped to take the request. */
  private static final long EARLY_ANSWER_MS = 1_000;

  private @Nullable H1OriginConnection connection;
  private @Nullable OriginConnector dial;
  private boolean reused;
  private boolean written;

  H1OriginCall(OriginPool pool, Ask ask) {
    super(pool, ask);
  }

  @Override
  boolean isConnected() {
    return false;
  }

  @Override
  void connect() {
    if (pool.client.hasGivenUp()) {
      failed(CloseReason.SHUTTING_DOWN);
      return;
    }
    Optional<H1OriginConnection> idle =
        needsNewConnection() || open ? Optional.empty() : pool.take(destination);
    if (idle.isPresent()) {
      reused = true;
      pool.client.events.originConnectionReused();
      send(idle.get());
    } else {
      dial();
    }
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
      failed("origin_limit", "no more connections to origins on this loop");
      return;
    }
    phase = Phase.CONNECTING;
    OriginConnector begun =
        new OriginConnector(pool, destination, timeouts.connectMs(), this::install, this);
    dial = begun;
    begun.start();
  }

  private void install(SocketChannel channel) {
    channel
        .pipeline()
        .addLast(new H1OriginConnection(channel, destination, pool, limits, pool.client.events));
  }

  @Override
  public void connected(Channel channel) {
    dial = null;
    H1OriginConnection made = channel.pipeline().get(H1OriginConnection.class);
    if (pool.client.hasGivenUp()) {
      made.close();
      failed(CloseReason.SHUTTING_DOWN);
      return;
    }
    send(made);
  }

  @Override
  public void notConnected(String code, String detail) {
    dial = null;
    failed(code, detail);
  }

  private void send(H1OriginConnection to) {
    phase = Phase.SENDING;
    connection = to;
    if (!to.isActive()) {
      lost(false, "closed before the request was written");
      return;
    }
    if (open) {
      to.open(this, request, limits.bodyBytes(), length);
      to.deadline().set(timeouts.streamIdleMs());
      opened();
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

  @Override
  void transmit(ByteBuf piece, boolean last, Runnable taken) {
    H1OriginConnection on = connection;
    if (on == null) {
      piece.release();
      taken.run();
      return;
    }
    on.piece(piece, last ? Optional.of(trailers()) : Optional.empty(), length < 0)
        .addListener(done -> {
          if (connection == on && phase != Phase.DONE) {
            written = written || (last && done.isSuccess());
            if (phase == Phase.WAITING) {
              on.deadline()
                  .set(
                      !done.isSuccess()
                          ? EARLY_ANSWER_MS
                          : last ? timeouts.responseMs() : timeouts.streamIdleMs());
            } else if (!paused) {
              idleFromNow();
            }
          }
          taken.run();
        });
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

  @Override
  void streamingBegins() {
    if (paused) {
      readingPaused();
    } else {
      idleFromNow();
    }
  }

  /** A piece of the body, which the call owns. */
  void piece(ByteBuf piece) {
    BodySink taker = sink;
    if (taker == null || phase != Phase.STREAMING) {
      piece.release();
      return;
    }
    if (!paused) {
      idleFromNow();
    }
    give(taker, piece);
  }

  /** The body that went to the sink is whole. */
  void ended(HttpHeaders trailers) {
    BodySink taker = sink;
    if (taker != null && phase == Phase.STREAMING) {
      finish(() -> taker.end(trailers));
    }
  }

  /** The connection has nothing more to say to this call. */
  void detach() {
    connection = null;
  }

  /** Takes a whole response, which it owns. */
  void answered(WholeResponse response) {
    if (phase == Phase.DONE) {
      response.body().release();
      return;
    }
    finish(answer(response));
  }

  /** The connection ended before the response did. */
  void lost(boolean sawBytes, String detail) {
    connection = null;
    if (phase == Phase.DONE) {
      return;
    }
    if (sawBytes) {
      failed("response_incomplete", detail);
    } else if (reused && (!sent || isRepeatable())) {
      reused = false;
      sent = false;
      written = false;
      dial();
    } else {
      failed("origin_closed", detail);
    }
  }

  private void idleFromNow() {
    if (connection != null) {
      connection.deadline().set(timeouts.streamIdleMs());
    }
  }

  @Override
  void readingPaused() {
    if (connection != null) {
      connection.deadline().clear();
      connection.pauseReading();
    }
  }

  @Override
  void readingResumed() {
    idleFromNow();
    if (connection != null) {
      connection.resumeReading();
    }
  }

  @Override
  void sendTimeOver() {
    failed("response_timeout", "the request was not taken in time");
  }

  @Override
  void letGo(Phase was) {
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
  }
}
