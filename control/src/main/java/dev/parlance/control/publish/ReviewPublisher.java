package dev.parlance.control.publish;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.ReviewRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What persons have decided at sidecars, on its way into the store and to the sidecars of both
 * parties. What a sidecar says is stored by the loop that pushes; one that finds no room here is
 * not told that it was taken, and says it again on its next stream.
 */
final class ReviewPublisher {
  /** Most decisions that wait for the store. */
  static final int MAX_WAITING = 1_000;

  private static final int PAGES_PER_POLL = 16;

  private final Store store;
  private final ControlMetrics metrics;
  private final Deque<Said> waiting = new ArrayDeque<>();

  /** Used by the loop alone. */
  private long sequence;

  private record Said(SidecarStream stream, ReviewRow decision) {}

  ReviewPublisher(Store store, ControlMetrics metrics) {
    this.store = store;
    this.metrics = metrics;
  }

  /** A sidecar has said a decision that can be true. */
  synchronized void said(SidecarStream stream, ReviewRow decision) {
    if (waiting.size() == MAX_WAITING) {
      metrics.count(ControlMeter.REVIEWS, "dropped");
      return;
    }
    waiting.add(new Said(stream, decision));
  }

  private synchronized Optional<Said> first() {
    return Optional.ofNullable(waiting.peek());
  }

  private synchronized void done() {
    waiting.remove();
  }

  /** Stores what was said; what cannot be stored now waits for the next turn. */
  void store() {
    for (Optional<Said> next = first(); next.isPresent(); next = first()) {
      Said said = next.get();
      store.putReview(said.decision());
      done();
      metrics.count(ControlMeter.REVIEWS, "taken");
      said.stream().reviewTaken(said.decision().item(), "");
    }
  }

  /** Reads what was stored since, in order. */
  List<ReviewRow> poll() {
    List<ReviewRow> fresh = new ArrayList<>();
    for (int page = 0; page < PAGES_PER_POLL; page++) {
      List<ReviewRow> rows = store.reviewsSince(sequence);
      if (rows.isEmpty()) {
        break;
      }
      fresh.addAll(rows);
      sequence = rows.getLast().sequence();
    }
    return fresh;
  }

  /** All that hold for the messages of an agent, in order. */
  List<ReviewRow> of(String agent) {
    return store.reviewsOf(agent);
  }
}
