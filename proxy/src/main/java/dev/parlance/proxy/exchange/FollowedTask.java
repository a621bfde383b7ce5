package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.TimeUnit;

/**
 * The stream of a task whose answer waits for a person: how the task stands, at once, and what it
 * has come to when that is decided. It ends without a decision after {@code timeouts.streamIdleMs};
 * its client subscribes again.
 */
final class FollowedTask extends StreamSink {
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
