package dev.parlance.proxy.metrics;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many series there may be in all, for Prometheus pays for each of them in every sidecar. What
 * is always there is reserved when the sidecar starts; the rest goes to whatever is counted first,
 * and what finds no room is counted as {@code other}, for which each family has a place of its own.
 */
class SeriesBudget {
  /** Most series of one sidecar, whatever is counted. */
  static final int MOST = 400;

  private final AtomicInteger left = new AtomicInteger(MOST);

  /** Room that is there for sure; for use before anything is counted. */
  void reserve(int series) {
    if (left.addAndGet(-series) < 0) {
      throw new IllegalStateException("expected at most " + MOST + " series to be reserved");
    }
  }

  /** Room for so many, if there is any left. */
  boolean take(int series) {
    int before = left.get();
    while (before >= series) {
      if (left.compareAndSet(before, before - series)) {
        return true;
      }
      before = left.get();
    }
    return false;
  }
}
