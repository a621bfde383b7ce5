package dev.parlance.proxy.lexicon;

import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.service.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of turns that are to be counted: read on a thread of its own, told to the control plane
 * in batches, one at a time and again until somebody takes it. Bounded; what there is no room for
 * is not counted. A batch that is told twice counts once.
 */
final class TurnReports implements AutoCloseable {
  /** Most characters of texts that wait to be read. */
  static final long MAX_WAITING_CHARS = 16L << 20;

  private static final Logger log = LoggerFactory.getLogger(TurnReports.class);
  private static final int FIRST_PAUSE_MS = 100;
  private static final int LONGEST_PAUSE_MS = 5_000;
  private static final int CLOSE_MS = 1_000;

  /** Is told what becomes of turns. */
  interface Events {
    /** Counted anew. */
    void counted(List<TurnReport> turns);

    /** Not counted, and never will be. */
    void dropped(String reason, int turns);
  }

  private final LexiconControl control;
  private final int max;
  private final int everyMs;
  private final Events events;
  private final ScheduledThreadPoolExecutor thread;

  /** What waits; under its own lock. */
  private final Deque<Spoken> waiting = new ArrayDeque<>();

  private long waitingChars;
  private boolean scheduled;

  /** The batch under way; empty if none is. On the thread. */
  private List<TurnReport> batch = List.of();

  private int pauseMs = FIRST_PAUSE_MS;

  /**
   * An empty queue.
   *
   * @param max most turns that wait
   * @param everyMs longest that one waits for others
   */
  TurnReports(LexiconControl control, int max, int everyMs, Events events) {
    this.control = control;
    this.max = max;
    this.everyMs = everyMs;
    this.events = events;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("parlance-turns").factory());
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Counts a turn some time later; any thread. */
  void add(Spoken turn) {
    boolean isFirst;
    synchronized (waiting) {
      if (waiting.size() >= max || waitingChars + turn.text().length() > MAX_WAITING_CHARS) {
        events.dropped("full", 1);
        return;
      }
      waiting.add(turn);
      waitingChars += turn.text().length();
      isFirst = !scheduled;
      scheduled = true;
    }
    if (isFirst) {
      later(everyMs);
    }
  }

  private void later(int ms) {
    try {
      Future<?> _ = thread.schedule(this::tell, ms, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.atDebug().log("no more turns are counted: the sidecar stops");
    }
  }

  private void tell() {
    try {
      if (batch.isEmpty()) {
        batch = next();
      }
      if (batch.isEmpty()) {
        return;
      }
      var _ =
          control
              .report(batch)
              .thenAccept(result -> {
                try {
                  thread.execute(() -> told(result));
                } catch (RejectedExecutionException e) {
                  log.atDebug().log("what was counted last is not known: the sidecar stops");
                }
              });
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("turns could not be told");
      events.dropped("internal", batch.size());
      batch = List.of();
      later(LONGEST_PAUSE_MS);
    }
  }

  private void told(Result<LexiconControl.Tally> result) {
    switch (result) {
      case Result.Done<LexiconControl.Tally>(LexiconControl.Tally tally) -> {
        pauseMs = FIRST_PAUSE_MS;
        if (tally.counted() == batch.size()) {
          events.counted(batch);
        } else if (tally.ignored() > 0) {
          events.dropped("ignored", tally.ignored());
        }
        batch = List.of();
      }
      case Result.Refused<LexiconControl.Tally>(Result.Kind kind, String reason, String detail) -> {
        if (kind == Result.Kind.UNAVAILABLE || kind == Result.Kind.EXHAUSTED) {
          later(pauseMs);
          pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
          return;
        }
        log.atWarn()
            .addKeyValue("reason", reason)
            .addKeyValue("detail", detail)
            .addKeyValue("turns", batch.size())
            .log("turns are not counted");
        events.dropped("refused", batch.size());
        batch = List.of();
      }
    }
    synchronized (waiting) {
      scheduled = !waiting.isEmpty();
      if (!scheduled) {
        return;
      }
    }
    later(1);
  }

  /** The next turns, read; none of them waits any more. */
  private List<TurnReport> next() {
    List<Spoken> taken = new ArrayList<>();
    synchronized (waiting) {
      while (taken.size() < LexiconControl.MAX_TURNS && !waiting.isEmpty()) {
        Spoken turn = waiting.removeFirst();
        waitingChars -= turn.text().length();
        taken.add(turn);
      }
      scheduled = !taken.isEmpty();
    }
    return taken.stream().map(TurnDraft::uses).toList();
  }

  /** How many wait. */
  int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  /** Tells what waits, if somebody takes it at once, and ends. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
