package dev.parlance.proxy.lexicon;

import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import dev.parlance.service.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  private final LexiconControl control;
  private final int max;
  private final int everyMs;
  private final Lexicons.Events events;
  private final Consumer<List<TurnReport>> told;
  private final ScheduledThreadPoolExecutor thread;

  /** What waits; under its own lock. */
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private long waitingChars;
  private boolean scheduled;

  /** The batch under way; empty if none is. On the thread. */
  private List<TurnReport> batch = List.of();

  /** Turns of a batch that was refused, each of which is told alone. On the thread. */
  private final Deque<TurnReport> alone = new ArrayDeque<>();

  /** What is done when nothing waits any more. On the thread. */
  private Runnable drained = () -> {};

  /** How often the batch was told. */
  private int attempts;

  private int pauseMs = FIRST_PAUSE_MS;

  /**
   * An empty queue.
   *
   * @param max most turns that wait
   * @param everyMs longest that one waits for others
   * @param told hears of the turns that need not be told again; on the thread that reads turns
   */
  TurnReports(
      LexiconControl control,
      int max,
      int everyMs,
      Lexicons.Events events,
      Consumer<List<TurnReport>> told) {
    this.control = control;
    this.max = max;
    this.everyMs = everyMs;
    this.events = events;
    this.told = told;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("parlance-turns").factory());
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * A turn that waits.
   *
   * @param read reads it
   * @param chars of its text
   * @param early who keeps it once it was read; empty if it is told
   */
  private record Waiting(
      Supplier<TurnReport> read, int chars, Optional<Consumer<TurnReport>> early) {}

  /** Counts a turn some time later; any thread. */
  void add(Spoken turn) {
    add(new Waiting(() -> TurnDraft.uses(turn), turn.text().length(), Optional.empty()));
  }

  /** Counts a turn that was read before; any thread. */
  void add(TurnReport turn) {
    add(new Waiting(() -> turn, 0, Optional.empty()));
  }

  /** Reads a turn some time later, to be counted if there should be a board for it; any thread. */
  void read(Spoken turn, Consumer<TurnReport> early) {
    add(new Waiting(() -> TurnDraft.uses(turn), turn.text().length(), Optional.of(early)));
  }

  private void add(Waiting turn) {
    boolean isFirst;
    synchronized (waiting) {
      if (waiting.size() >= max || waitingChars + turn.chars() > MAX_WAITING_CHARS) {
        events.dropped("full", 1);
        return;
      }
      waiting.add(turn);
      waitingChars += turn.chars();
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
        batch = alone.isEmpty() ? next() : List.of(alone.removeFirst());
        attempts = 0;
      }
      if (batch.isEmpty()) {
        drained.run();
        return;
      }
      attempts++;
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
        // What this sidecar has told before counts as its own.
        boolean isNews = attempts > 1 || tally.repeated() == 0;
        if (isNews && tally.ignored() == 0) {
          batch.forEach(this::counted);
        }
        if (tally.ignored() > 0) {
          events.dropped("ignored", tally.ignored());
        }
        told.accept(batch);
        batch = List.of();
      }
      case Result.Refused<LexiconControl.Tally>(Result.Kind kind, String reason, String detail) -> {
        if (kind == Result.Kind.UNAVAILABLE || kind == Result.Kind.EXHAUSTED) {
          later(pauseMs);
          pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
          return;
        }
        if (batch.size() > 1) {
          // Perhaps one of them is no turn: the others count.
          alone.addAll(batch);
          batch = List.of();
          later(1);
          return;
        }
        log.atWarn()
            .addKeyValue("reason", reason)
            .addKeyValue("detail", detail)
            .addKeyValue("turns", batch.size())
            .log("turns are not counted");
        events.dropped("refused", batch.size());
        told.accept(batch);
        batch = List.of();
      }
    }
    synchronized (waiting) {
      scheduled = !waiting.isEmpty() || !alone.isEmpty();
      if (!scheduled) {
        drained.run();
        return;
      }
    }
    later(1);
  }

  private void counted(TurnReport turn) {
    int uses = turn.facts().uses().size();
    if (uses > 0) {
      events.reused(turn.facts().channel().isPublic(), uses);
    }
  }

  /** The next turns that are told, read; none of them waits any more. */
  private List<TurnReport> next() {
    List<TurnReport> told = new ArrayList<>();
    while (told.isEmpty()) {
      List<Waiting> taken = new ArrayList<>();
      synchronized (waiting) {
        while (taken.size() < LexiconControl.MAX_TURNS && !waiting.isEmpty()) {
          Waiting turn = waiting.removeFirst();
          waitingChars -= turn.chars();
          taken.add(turn);
        }
        scheduled = !taken.isEmpty();
      }
      if (taken.isEmpty()) {
        return told;
      }
      for (Waiting turn : taken) {
        try {
          TurnReport report = turn.read().get();
          turn.early().ifPresentOrElse(keeper -> keeper.accept(report), () -> told.add(report));
        } catch (RuntimeException e) {
          log.atError().setCause(e).log("a turn could not be read");
          events.dropped("internal", 1);
        }
      }
    }
    return told;
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
    CountDownLatch empty = new CountDownLatch(1);
    try {
      thread.execute(() -> {
        drained = empty::countDown;
        if (batch.isEmpty()) {
          tell();
        }
      });
      boolean isEmpty = empty.await(CLOSE_MS, TimeUnit.MILLISECONDS);
      log.atDebug().addKeyValue("all", isEmpty).log("the last turns were told");
    } catch (RejectedExecutionException e) {
      log.atDebug().log("closed already");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.shutdownNow();
  }
}
