package dev.parlance.cli.run;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Gives memory back after a burst: the serial collector shrinks the heap at a full collection only,
 * and a process at rest makes none. So one is asked for when there were collections and then none
 * for {@value #REST_MS} ms: hardly anything was allocated since, so nobody waits for its pause.
 */
final class HeapTrimmer {
  static final long REST_MS = 15_000;

  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
  private static final int STACK_BYTES = 128 * 1024;

  private long seen;
  private long changedAtMs;
  private boolean busySince;

  /** A process that starts now. */
  HeapTrimmer(long collections, long nowMs) {
    this.seen = collections;
    this.changedAtMs = nowMs;
    this.busySince = true; // starting leaves something as well
  }

  /**
   * Whether a full collection is due now; after it, {@link #collected} has to be told.
   *
   * @param collections how many there were so far
   * @param nowMs on any clock that only goes forward
   */
  boolean isDue(long collections, long nowMs) {
    if (collections != seen) {
      seen = collections;
      changedAtMs = nowMs;
      busySince = true;
    }
    return busySince && nowMs - changedAtMs >= REST_MS;
  }

  /** It was done; {@code collections} counts it. */
  void collected(long collections) {
    seen = collections;
    busySince = false;
  }

  /** Watches this process from a thread of its own until the process ends. */
  static void watch() {
    Thread watcher = new Thread(null, HeapTrimmer::run, "idle-memory", STACK_BYTES);
    watcher.setDaemon(true);
    watcher.start();
  }

  @SuppressWarnings("SystemGc") // the only way to have the heap shrunk
  private static void run() {
    HeapTrimmer idle = new HeapTrimmer(collections(), nowMs());
    try {
      while (true) {
        Thread.sleep(LOOK_EVERY);
        if (idle.isDue(collections(), nowMs())) {
          System.gc();
          idle.collected(collections());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  private static long collections() {
    long count = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      count += Math.max(0, collector.getCollectionCount());
    }
    return count;
  }
}
