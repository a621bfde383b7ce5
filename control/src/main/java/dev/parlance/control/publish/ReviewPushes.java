package dev.parlance.control.publish;

import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.ReviewRow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The decisions of persons that one sidecar is pushed, in order and some at a time. What waits is
 * bounded by what holds at all: more than that is not kept.
 */
final class ReviewPushes {
  private static final int MAX_UNDER_WAY = 32;

  private final Deque<ReviewRow> waiting = new ArrayDeque<>();
  private boolean lacksAll;

  /** Sequence number of the last that was to be sent. */
  private long last;

  private final Deque<Sent> underWay = new ArrayDeque<>();

  private record Sent(long sequence, long sentNs) {}

  /**
   * @param wanted false if it takes none
   */
  ReviewPushes(boolean wanted) {
    lacksAll = wanted;
  }

  boolean lacksAll() {
    return lacksAll;
  }

  void all(List<ReviewRow> decisions) {
    lacksAll = false;
    decisions.forEach(this::offer);
  }

  /** What comes before all are there is among them. */
  void offer(ReviewRow decision) {
    if (lacksAll || decision.sequence() <= last) {
      return;
    }
    last = decision.sequence();
    waiting.add(decision);
    if (waiting.size() > Store.MAX_REVIEWS) {
      waiting.remove();
    }
  }

  Optional<ReviewRow> next(long nowNs) {
    if (underWay.size() == MAX_UNDER_WAY || waiting.isEmpty()) {
      return Optional.empty();
    }
    ReviewRow next = waiting.remove();
    underWay.add(new Sent(next.sequence(), nowNs));
    return Optional.of(next);
  }

  boolean acked(long sequence) {
    return underWay.removeIf(sent -> sent.sequence() == sequence);
  }

  boolean hasUnanswered(long olderThanNs, long nowNs) {
    return !underWay.isEmpty() && nowNs - underWay.peek().sentNs() > olderThanNs;
  }
}
