package dev.parlance.control.round;

import dev.parlance.control.round.RoundCoordinator.RoundWatcher;
import dev.parlance.control.round.RoundSnapshot.Viewer;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Everybody who watches a round at this replica. */
final class Watchers {
  private static final int MOST = 10_000;

  private final Set<Watching> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Begins to tell; what is given back ends it. */
  Result<Runnable> add(Watching watching) {
    if (all.size() >= MOST) {
      return Result.refused(
          Result.Kind.EXHAUSTED,
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
    return Result.done(() -> {
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

  /** One watcher and what it has been told. */
  static final class Watching {
    private final RoundCoordinator rounds;
    private final RoundId id;
    private final boolean isWithTexts;
    private final Viewer viewer;
    private final RoundWatcher watcher;
    private Optional<RoundRecord> told = Optional.empty();
    private boolean isOver;

    Watching(
        RoundCoordinator rounds,
        RoundId id,
        boolean isWithTexts,
        Viewer viewer,
        RoundWatcher watcher) {
      this.rounds = rounds;
      this.id = id;
      this.isWithTexts = isWithTexts;
      this.viewer = viewer;
      this.watcher = watcher;
    }

    /** Tells what is new; false once there is nothing more to tell. */
    synchronized boolean tell() {
      if (isOver) {
        return false;
      }
      if (told.isPresent() && !watcher.isReady()) {
        return true; // a slow reader gets the newest state when it is ready, not every state
      }
      try {
        tell(rounds.read(id));
      } catch (RuntimeException e) {
        isOver = true;
        watcher.failed(e);
      }
      return !isOver;
    }

    private void tell(RoundRecord record) {
      if (told.isEmpty() || !told.get().equals(record)) {
        told = Optional.of(record);
        watcher.changed(rounds.view(record, isWithTexts, viewer));
      }
      if (record.isFinal()) {
        isOver = true;
        watcher.ended();
      }
    }

    synchronized void stop() {
      isOver = true;
    }

    synchronized void drain() {
      if (!isOver) {
        isOver = true;
        watcher.failed(
            new Result.Refused<RoundSnapshot>(
                Result.Kind.UNAVAILABLE, "draining", "this replica stops"));
      }
    }
  }
}
