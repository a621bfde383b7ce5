package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.plumbing.Shape;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An answer that passes piece by piece, to its end or to a refusal in its middle. It takes what
 * comes, and then says step by step what follows; {@link Exchange} performs each step before it
 * asks for the next one, and sees to whatever fails.
 */
abstract sealed class StreamSink
    permits StreamedMessage, StreamSink.PassThrough, StreamSink.FollowedTask {
  final ExchangeContext exchange;
  final int status;
  final HttpHeaders headers;
  private final Deque<Step> steps = new ArrayDeque<>(4);

  /** Nothing more is read. */
  private boolean over;

  StreamSink(ExchangeContext exchange, int status, HttpHeaders headers) {
    this.exchange = exchange;
    this.status = status;
    this.headers = headers;
    exchange.services.metrics().streamOpened();
  }

  // ---- what comes ----

  /** Bytes, which belong to the sink from now on. */
  abstract void piece(ByteBuf piece);

  /** The body is whole. */
  abstract void end(HttpHeaders trailers);

  /** The agent has broken it off. */
  abstract void failed(OriginResult.Failed failure);

  /** The time has come that {@link Step.Wake} named. */
  void tick() {}

  /** The rest of it does not go on; the caller is told so in its own protocol. */
  abstract void refused(Notice notice, String code);

  /** The gate has a fault; the route's {@code onError} says what becomes of the stream. */
  abstract void gateFailed(OnFailure policy, String id);

  // ---- what follows ----

  /** The next step; {@link Step#NEXT} if nothing follows until more comes. */
  final Step next() {
    while (steps.isEmpty()) {
      if (!work()) {
        return Step.NEXT;
      }
    }
    return steps.remove();
  }

  /**
   * Does the next piece of work, which may lead to steps.
   *
   * @return false if there is none
   */
  boolean work() {
    return false;
  }

  final void follow(Step step) {
    steps.add(step);
  }

  final boolean isOver() {
    return over;
  }

  /**
   * Nothing more is read; what waits goes nowhere.
   *
   * @return false if that was so already
   */
  boolean close() {
    boolean first = !over;
    over = true;
    if (first) {
      exchange.services.metrics().streamClosed();
    }
    return first;
  }

  /** A stream that no codec reads passes byte for byte, where the route or its name allows that. */
  static final class PassThrough extends StreamSink {
    /** Bytes from here on are letters, digits and signs, or may be part of one. */
    private static final int FIRST_SIGN = 0x20;

    private final boolean isWatch;

    /**
     * A stream.
     *
     * @param isWatch true if it says nothing but states, which are numbers; else any bytes pass
     */
    PassThrough(ExchangeContext exchange, int status, HttpHeaders headers, boolean isWatch) {
      super(exchange, status, headers);
      this.isWatch = isWatch;
    }

    @Override
    void piece(ByteBuf piece) {
      if (!isOver() && (!isWatch || piece.forEachByte(b -> b >= 0 && b < FIRST_SIGN) < 0)) {
        follow(new Step.Piece(piece));
        return;
      }
      piece.release();
      if (close()) {
        exchange.record.streamCut("unjudged");
        exchange.record.streamed(status);
        // which ends what the agent still says
        follow(
            new Step.Refuse(
                Notices.unjudged(Shape.WORDS, Leg.RESPONSE, exchange),
                Optional.empty(),
                Optional.empty(),
                "unjudged"));
        follow(Step.BREAK_OFF);
      }
    }

    @Override
    void end(HttpHeaders trailers) {
      if (close()) {
        exchange.stripFields(trailers, Leg.RESPONSE);
        if (isWatch) {
          PassedFields.boundStatus(trailers);
        }
        exchange.record.streamed(status);
        follow(new Step.End(trailers));
      }
    }

    @Override
    void failed(OriginResult.Failed failure) {
      if (close()) {
        exchange.record.streamed(status);
        follow(Step.BREAK_OFF);
      }
    }

    @Override
    void refused(Notice notice, String code) {
      breakOff();
    }

    @Override
    void gateFailed(OnFailure policy, String id) {
      exchange.record.gateFailed(OnFailure.BLOCK, id, Leg.RESPONSE);
      breakOff();
    }

    private void breakOff() {
      if (close()) {
        follow(Step.BREAK_OFF);
      }
    }
  }

  /**
   * The stream of a task whose answer waits for a person: how the task stands, at once, and what it
   * has come to when that is decided. It ends without a decision after {@code
   * timeouts.streamIdleMs}; its client subscribes again.
   */
  static final class FollowedTask extends StreamSink {
    /** How often it is looked whether a person has decided. */
    private static final int LOOK_MS = 250;

    private final NamedItem task;
    private final HttpHeaders trailers;
    private final long untilNs;

    /**
     * A stream.
     *
     * @param working the task as it stands; its body is this one's from now on
     */
    FollowedTask(NamedItem task, WholeResponse working) {
      super(task.exchange(), working.status(), working.headers());
      this.task = task;
      this.trailers = working.trailers();
      this.untilNs =
          System.nanoTime()
              + TimeUnit.MILLISECONDS.toNanos(exchange.config.timeouts().http().streamIdleMs());
      follow(new Step.Piece(working.body()));
      follow(new Step.Wake(LOOK_MS));
    }

    @Override
    void tick() {
      if (isOver()) {
        return;
      }
      ReviewItem now = exchange.services.review().find(task.item().id()).orElse(task.item());
      if (now.state() == ReviewItem.ReviewState.PENDING) {
        if (System.nanoTime() - untilNs < 0) {
          follow(new Step.Wake(LOOK_MS));
        } else {
          ends(trailers);
        }
        return;
      }
      WholeResponse last = task.with(now).last();
      follow(new Step.Piece(last.body()));
      ends(last.trailers());
    }

    private void ends(HttpHeaders trailers) {
      if (close()) {
        exchange.record.streamed(status);
        follow(new Step.End(trailers));
      }
    }

    // ---- nobody else says anything on it ----

    @Override
    void piece(ByteBuf piece) {
      piece.release();
    }

    @Override
    void end(HttpHeaders trailers) {}

    @Override
    void failed(OriginResult.Failed failure) {}

    @Override
    void refused(Notice notice, String code) {
      breakOff();
    }

    @Override
    void gateFailed(OnFailure policy, String id) {
      breakOff();
    }

    private void breakOff() {
      if (close()) {
        exchange.record.streamed(status);
        follow(Step.BREAK_OFF);
      }
    }
  }
}
