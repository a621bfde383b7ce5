package dev.parlance.control.round;

import dev.parlance.control.certify.Attempt;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.RoundId;
import java.util.Optional;

/** One watcher and what it has been told. */
final class Watching {
  private final Rounds rounds;
  private final RoundId id;
  private final boolean isWithTexts;
  private final Viewer viewer;
  private final RoundWatcher watcher;
  private Optional<RoundRecord> told = Optional.empty();
  private boolean isOver;

  Watching(Rounds rounds, RoundId id, boolean isWithTexts, Viewer viewer, RoundWatcher watcher) {
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
    if (record.outcome().isPresent()) {
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
          new Attempt.Refused<>(Attempt.Kind.UNAVAILABLE, "draining", "this replica stops"));
    }
  }
}
