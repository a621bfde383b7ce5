package dev.parlance.service;

import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that takes a turn every interval, or at once when woken. */
public final class Loop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Loop.class);
  private static final int CLOSE_MS = 10_000;

  private final Semaphore wakeups = new Semaphore(0);
  private final int intervalMs;
  private final Runnable turn;
  private final Thread thread;
  private volatile boolean closed;

  private Loop(String name, int intervalMs, Runnable turn) {
    this.intervalMs = intervalMs;
    this.turn = turn;
    this.thread = Thread.ofPlatform().daemon(true).name(name).unstarted(this::run);
  }

  /** A loop that has begun. */
  public static Loop start(String name, int intervalMs, Runnable turn) {
    Loop loop = new Loop(name, intervalMs, turn);
    loop.thread.start();
    return loop;
  }

  /** The next turn is now. */
  public void wake() {
    wakeups.release();
  }

  /** A moment within a tenth of an interval, so that replicas do not poll in step. */
  private long jitterMs() {
    return (long) intervalMs - ThreadLocalRandom.current().nextInt(intervalMs / 10 + 1);
  }

  private void run() {
    while (!closed) {
      try {
        turn.run();
      } catch (RuntimeException e) {
        // A bug in one turn must not end all turns: cores would not be pushed any more.
        log.atError().setCause(e).addKeyValue("loop", thread.getName()).log("a turn failed");
      }
      try {
        if (wakeups.tryAcquire(jitterMs(), TimeUnit.MILLISECONDS)) {
          wakeups.drainPermits();
        }
      } catch (InterruptedException _) {
        return; // closing
      }
    }
  }

  /** No turn after the one under way. */
  @Override
  public void close() {
    closed = true;
    wakeups.release();
    try {
      if (!thread.join(java.time.Duration.ofMillis(CLOSE_MS))) {
        thread.interrupt();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
