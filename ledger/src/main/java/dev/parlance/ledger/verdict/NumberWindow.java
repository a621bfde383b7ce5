package dev.parlance.ledger.verdict;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Takes each number once, in about the order in which they are given: one that is {@value #SIZE} or
 * more behind another is taken for seen. For any thread, without a lock.
 */
final class NumberWindow {
  static final int SIZE = 1_024;

  /** The highest number of each remainder. */
  private final AtomicLongArray seen = new AtomicLongArray(SIZE);

  /** False if it was here, or may have been. */
  boolean take(long number) {
    int slot = (int) (number % SIZE);
    while (true) {
      long was = seen.get(slot);
      if (number <= was) {
        return false;
      }
      if (seen.compareAndSet(slot, was, number)) {
        return true;
      }
    }
  }
}
