package dev.parlance.control.certify;

import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.Lease;
import dev.parlance.control.store.Store.StoreException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease that is renewed three times in its life. It counts as lost when the store says so, and as
 * soon as it may have run out unseen: a replica that cannot reach the store must not go on.
 */
final class LeaseHold implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaseHold.class);

  private final Store store;
  private final Lease lease;
  private final Duration ttl;
  private final Runnable onLost;
  private final ScheduledFuture<?> heartbeat;
  private volatile long renewedNs;
  private volatile boolean lost;

  /**
   * Holds a lease from now on.
   *
   * @param acquiredNs {@link System#nanoTime} before it was acquired
   * @param onLost called once, when it is lost
   */
  LeaseHold(
      Store store,
      Lease lease,
      Duration ttl,
      long acquiredNs,
      ScheduledExecutorService timer,
      Runnable onLost) {
    this.store = store;
    this.lease = lease;
    this.ttl = ttl;
    this.onLost = onLost;
    this.renewedNs = acquiredNs;
    long everyMs = Math.max(1, ttl.toMillis() / 3);
    this.heartbeat =
        timer.scheduleWithFixedDelay(this::renew, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  private void renew() {
    if (lost) {
      return;
    }
    long before = System.nanoTime();
    boolean held = true;
    try {
      held = store.renew(lease, ttl);
      if (held) {
        renewedNs = before;
      }
    } catch (RuntimeException e) {
      // Whatever it is: a heartbeat that throws is never called again, and the lease would run out.
      log.atWarn().setCause(e).addKeyValue("lease", lease.resource()).log("renewing failed");
    }
    if (!held || hasRunOut()) {
      lost = true;
      onLost.run();
    }
  }

  private boolean hasRunOut() {
    return System.nanoTime() - renewedNs >= ttl.toNanos();
  }

  boolean isHeld() {
    return !lost && !hasRunOut();
  }

  Lease lease() {
    return lease;
  }

  long epoch() {
    return lease.epoch();
  }

  /** Gives the lease back. */
  @Override
  public void close() {
    heartbeat.cancel(false);
    if (!lost) {
      lost = true;
      try {
        store.release(lease);
      } catch (StoreException e) {
        log.atWarn()
            .setCause(e)
            .addKeyValue("lease", lease.resource())
            .log("giving back failed; it runs out");
      }
    }
  }
}
