package dev.parlance.proxy.pact;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread on which negotiations, dissolutions and their timers run, and its clocks. */
interface PactLoop extends AutoCloseable {
  /** Runs soon, after what was given before. Does nothing once it is closed. */
  void run(Runnable task);

  /** Runs after a time. */
  void later(long delayMs, Runnable task);

  /** Milliseconds since the epoch. */
  long wallMs();

  /** Milliseconds that only ever grow. */
  long elapsedMs();

  /** Both clocks at this moment. */
  default Moment now() {
    return new Moment(wallMs(), elapsedMs());
  }

  /**
   * Both clocks at one moment.
   *
   * @param wallMs milliseconds since the epoch
   * @param elapsedMs of the clock that only ever grows
   */
  record Moment(long wallMs, long elapsedMs) {}

  /**
   * How long to wait before the next attempt, drawn so that many sidecars come apart.
   *
   * @param attempt from 1
   */
  long pauseMs(int attempt);

  @Override
  void close();

  /** A thread of its own. */
  static PactLoop start() {
    return new OwnThread();
  }

  /** On a real thread and real clocks. */
  final class OwnThread implements PactLoop {
    private static final Logger log = LoggerFactory.getLogger(PactLoop.class);
    private static final long NS_PER_MS = 1_000_000;
    private static final long SHORTEST_PAUSE_MS = 250;
    private static final long LONGEST_PAUSE_MS = 60_000;
    private static final int MAX_SHIFT = 10;

    private final ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("parlance-pacts-loop").factory());

    private OwnThread() {
      thread.setRemoveOnCancelPolicy(true);
      thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void run(Runnable task) {
      later(0, task);
    }

    @Override
    public void later(long delayMs, Runnable task) {
      try {
        Future<?> _ = thread.schedule(() -> guarded(task), delayMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        log.atDebug().log("nothing more is done about pacts: the sidecar stops");
      }
    }

    private static void guarded(Runnable task) {
      try {
        task.run();
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("a step of a pact failed");
      }
    }

    @Override
    public long wallMs() {
      return System.currentTimeMillis();
    }

    @Override
    public long elapsedMs() {
      return System.nanoTime() / NS_PER_MS;
    }

    @Override
    public long pauseMs(int attempt) {
      long most = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS << Math.min(attempt, MAX_SHIFT));
      return ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_MS, most + 1);
    }

    @Override
    public void close() {
      thread.shutdown();
    }
  }
}
