package dev.parlance.proxy.review;

import dev.parlance.service.IoWords;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes the journal. Everything that is submitted while it forces the file to
 * disk shares the next force (group commit).
 *
 * <p>Ends in one of two ways: closed, after everything submitted is on disk, or failed, after the
 * first error. A failed writer never writes again; see {@link Journal}.
 */
final class JournalWriter implements AutoCloseable {
  static final String FAILED = "queue_failed";
  static final String CLOSED = "queue_closed";
  private static final long TICK_MS = 1000;
  private static final int CLOSE_SECONDS = 30;

  /** Learns what became of a record; called on the writer's thread. */
  interface Commit {
    /** The record is on disk in a frame of this size. */
    void durable(int frameBytes);

    /** It is not known to be on disk and must not be acknowledged. */
    void failed(String code);
  }

  /** Looks after the queue between two groups; called on the writer's thread. */
  interface Housekeeping {
    /** Submits what has become due; the answer is in how many milliseconds more will be. */
    long tick();

    /** What a shorter journal would hold, if it is time to write one. */
    Optional<List<JournalRecord>> compaction(long journalBytes);

    /** What became of {@link #compaction}. */
    void compacted(boolean done);
  }

  private record Entry(JournalRecord entry, Commit commit) {}

  private final Journal journal;
  private final Housekeeping housekeeping;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private boolean closing;
  private volatile @Nullable String failure;

  JournalWriter(Journal journal, Housekeeping housekeeping) {
    this.journal = journal;
    this.housekeeping = housekeeping;
    this.thread = Thread.ofPlatform().name("parlance-review-writer").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Hands over a record; the answer is a refusal code if it can no longer be written. */
  Optional<String> submit(JournalRecord entry, Commit commit) {
    lock.lock();
    try {
      Optional<String> refusal = refusal();
      if (refusal.isEmpty()) {
        waiting.add(new Entry(entry, commit));
        work.signal();
      }
      return refusal;
    } finally {
      lock.unlock();
    }
  }

  /** The code with which everything is refused; empty while the writer is well. */
  Optional<String> refusal() {
    if (failure != null) {
      return Optional.of(FAILED);
    }
    lock.lock();
    try {
      return closing ? Optional.of(CLOSED) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Why the writer failed. */
  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  private void run() {
    ArrayDeque<Entry> group = new ArrayDeque<>();
    long waitMs = TICK_MS;
    try {
      while (nextGroup(group, waitMs)) {
        if (!group.isEmpty()) {
          commit(group);
        }
        waitMs = Math.clamp(housekeeping.tick(), 1, TICK_MS);
        Optional<List<JournalRecord>> compaction = housekeeping.compaction(journal.bytes());
        if (compaction.isPresent()) {
          housekeeping.compacted(journal.rewrite(compaction.get()));
        }
      }
    } catch (Throwable e) { // whatever it is, nobody may wait for an answer for ever
      fail(group, e);
    } finally {
      closeJournal();
    }
  }

  /** Waits for work, at most so long; false if there is none and will be none. */
  private boolean nextGroup(ArrayDeque<Entry> group, long waitMs) throws InterruptedException {
    group.clear();
    lock.lock();
    try {
      long leftNs = TimeUnit.MILLISECONDS.toNanos(waitMs);
      while (waiting.isEmpty() && !closing && leftNs > 0) {
        leftNs = work.awaitNanos(leftNs);
      }
      group.addAll(waiting);
      waiting.clear();
      return !group.isEmpty() || !closing;
    } finally {
      lock.unlock();
    }
  }

  private void commit(ArrayDeque<Entry> group) throws IOException {
    int[] frameBytes = new int[group.size()];
    int next = 0;
    for (Entry entry : group) {
      frameBytes[next++] = journal.append(entry.entry());
    }
    journal.force();
    for (int bytes : frameBytes) {
      group.remove().commit().durable(bytes);
    }
  }

  private void fail(ArrayDeque<Entry> group, Throwable cause) {
    ReviewQueue.LOG.error("the review journal cannot be written; every hold is refused", cause);
    List<Entry> lost = new ArrayList<>(group);
    lock.lock();
    try {
      failure = IoWords.why(cause);
      lost.addAll(waiting);
      waiting.clear();
    } finally {
      lock.unlock();
    }
    for (Entry entry : lost) {
      entry.commit().failed(FAILED);
    }
  }

  private void closeJournal() {
    try {
      journal.close();
    } catch (IOException e) {
      ReviewQueue.LOG.warn(
          "closing the review journal failed; all acknowledged records are on disk", e);
    }
  }

  /** Writes what was submitted and ends; waits for that, but not for ever on a dead disk. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      if (!thread.join(Duration.ofSeconds(CLOSE_SECONDS))) {
        ReviewQueue.LOG.error("the review journal is still busy after {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
