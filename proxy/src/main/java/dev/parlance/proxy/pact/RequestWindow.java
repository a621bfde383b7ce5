package dev.parlance.proxy.pact;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Requests in the last minute: a ring of seconds, each slot the second's number and its count. No
 * lock; a request that is counted while its slot changes hands may be lost.
 */
final class RequestWindow {
  private static final int SECONDS = 60;
  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
  private static final long MS_PER_S = 1_000;

  private final AtomicLongArray slots = new AtomicLongArray(SECONDS);

  /**
   * Requests in the minute up to now.
   *
   * @param atMs 0 or more
   * @param request whether this is one, which then is counted
   */
  int count(long atMs, boolean request) {
    long second = atMs / MS_PER_S;
    if (request) {
      int slot = (int) (second % SECONDS);
      while (true) {
        long was = slots.get(slot);
        long next = was >>> COUNT_BITS == second ? was + 1 : second << COUNT_BITS | 1;
        if ((was & COUNT_MASK) == COUNT_MASK || slots.compareAndSet(slot, was, next)) {
          break;
        }
      }
    }
    long sum = 0;
    for (int i = 0; i < SECONDS; i++) {
      long slot = slots.get(i);
      if (second - (slot >>> COUNT_BITS) < SECONDS) {
        sum += slot & COUNT_MASK;
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, sum);
  }
}
