package dev.parlance.proxy.review;

import java.util.ArrayList;
import java.util.List;

/** One line of the queue's history. */
sealed interface JournalRecord {
  /** The item that it is about. */
  String id();

  /**
   * A message was held.
   *
   * @param id id in the queue
   * @param message what is held
   */
  record Held(String id, HeldMessage message) implements JournalRecord {}

  /**
   * Something happened to it.
   *
   * @param id id in the queue
   * @param event what happened
   */
  record Stepped(String id, ReviewEvent event) implements JournalRecord {}

  /** The shortest history that leads to this item as it stands. */
  static List<JournalRecord> historyOf(ReviewItem item) {
    List<JournalRecord> entries = new ArrayList<>();
    entries.add(new Held(item.id(), item.message()));
    if (item.decision().isPresent()) {
      ReviewItem.Decision made = item.decision().get();
      ReviewEvent event =
          item.state() == ReviewState.REJECTED
              ? new ReviewEvent.Reject(made.who(), made.note(), made.atMs())
              : new ReviewEvent.Release(made.who(), made.note(), made.atMs());
      entries.add(new Stepped(item.id(), event));
    }
    if (item.settledAtMs().isPresent()) {
      long atMs = item.settledAtMs().getAsLong();
      ReviewEvent event =
          item.state() == ReviewState.EXPIRED
              ? new ReviewEvent.Expire(atMs)
              : new ReviewEvent.Deliver(atMs);
      entries.add(new Stepped(item.id(), event));
    }
    return entries;
  }
}
