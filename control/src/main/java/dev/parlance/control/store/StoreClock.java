package dev.parlance.control.store;

import java.util.concurrent.TimeUnit;

/**
 * The store's clock, which all replicas share: asked now and then, carried on with this machine's
 * own in between. For any number of threads.
 */
public final class StoreClock {
  private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long NEAR_MS = 500;
  private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Store store;
  private long baseMs;
  private long askedNs;
  private boolean isKnown;

  /** The clock of one store; nothing is asked yet. */
  public StoreClock(Store store) {
    this.store = store;
  }

  /** Milliseconds since the epoch, right to some milliseconds. */
  public long nowMs() {
    return nowMs(REFRESH_NS);
  }

  /** True if that moment is over; near it the store itself is asked. */
  public boolean isOver(long atMs) {
    return nowMs() >= atMs - NEAR_MS && nowMs(FRESH_NS) >= atMs;
  }

  private synchronized long nowMs(long notOlderNs) {
    long now = System.nanoTime();
    if (!isKnown || now - askedNs > notOlderNs) {
      baseMs = store.nowMs();
      // Afterwards: a slow answer makes the clock late, and nothing ends too early.
      askedNs = System.nanoTime();
      isKnown = true;
      return baseMs;
    }
    return baseMs + TimeUnit.NANOSECONDS.toMillis(now - askedNs);
  }
}
