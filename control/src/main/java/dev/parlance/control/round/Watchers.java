package dev.parlance.control.round;

import dev.parlance.control.certify.Attempt;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Everybody who watches a round at this replica. */
final class Watchers {
  private static final int MOST = 10_000;

  private final Set<Watching> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Begins to tell; what is given back ends it. */
  Attempt<Runnable> add(Watching watching) {
    if (all.size() >= MOST) {
      return Attempt.refused(
          Attempt.Kind.EXHAUSTED,
          "too_many_watchers",
          MOST + " calls watch rounds at this replica, and no more are allowed");
    }
    all.add(watching);
    if (!watching.tell()) {
      all.remove(watching);
    }
    if (closed) {
      watching.drain();
    }
    return Attempt.done(() -> {
      watching.stop();
      all.remove(watching);
    });
  }

  /** Tells what is new to each. */
  void tell() {
    all.removeIf(watching -> !watching.tell());
  }

  int size() {
    return all.size();
  }

  void close() {
    closed = true;
    List.copyOf(all).forEach(Watching::drain);
    all.clear();
  }
}
