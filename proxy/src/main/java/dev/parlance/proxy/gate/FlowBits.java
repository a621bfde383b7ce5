package dev.parlance.proxy.gate;

import dev.parlance.policy.route.FlowBudget;
import java.util.Arrays;

/**
 * Budgets of flows as numbers.
 *
 * <pre>
 *  63      55  53            42                        0
 *  | errors | status | which ttl | startedAtMs, signed |
 *      8        2         12              42
 * </pre>
 *
 * The times that flows may last come from profiles, so there are few different ones; they are kept
 * in a list.
 */
@SuppressWarnings("EnumOrdinal") // in numbers that never leave this process
final class FlowBits implements FingerprintTable.Meaning {
  private static final int START_BITS = 42;
  private static final int TTL_BITS = 12;
  private static final int STATUS_BITS = 2;
  private static final int STATUS_SHIFT = START_BITS + TTL_BITS;
  private static final int ERRORS_SHIFT = STATUS_SHIFT + STATUS_BITS;
  private static final int MOST_ERRORS = (1 << Byte.SIZE) - 1;

  private static final FlowBudget.Status[] STATUSES = FlowBudget.Status.values();

  /** Only ever replaced by a longer one with the same beginning. */
  private volatile long[] ttls = {};

  /** A budget as a number; of more errors than {@value #MOST_ERRORS} so many are kept. */
  long pack(FlowBudget budget) {
    long start = budget.startedAtMs() & (1L << START_BITS) - 1;
    long ttl = indexOf(budget.deadlineMs() - budget.startedAtMs());
    long errors = Math.min(MOST_ERRORS, budget.errors());
    return errors << ERRORS_SHIFT
        | (long) budget.status().ordinal() << STATUS_SHIFT
        | ttl << START_BITS
        | start;
  }

  FlowBudget unpack(long bits) {
    long startedAtMs = bits << (Long.SIZE - START_BITS) >> (Long.SIZE - START_BITS);
    return new FlowBudget(
        errors(bits), startedAtMs, startedAtMs + ttlMs(bits), STATUSES[status(bits)]);
  }

  private static int errors(long bits) {
    return (int) (bits >>> ERRORS_SHIFT);
  }

  private static int status(long bits) {
    return (int) (bits >>> STATUS_SHIFT) & (1 << STATUS_BITS) - 1;
  }

  private long ttlMs(long bits) {
    return ttls[(int) (bits >>> START_BITS) & (1 << TTL_BITS) - 1];
  }

  private int indexOf(long ttlMs) {
    int known = indexIn(ttls, ttlMs);
    return known >= 0 ? known : learn(ttlMs);
  }

  private static int indexIn(long[] all, long ttlMs) {
    for (int i = 0; i < all.length; i++) {
      if (all[i] == ttlMs) {
        return i;
      }
    }
    return -1;
  }

  private synchronized int learn(long ttlMs) {
    long[] all = ttls;
    int known = indexIn(all, ttlMs);
    if (known >= 0) {
      return known;
    }
    if (all.length == 1 << TTL_BITS) {
      return nearest(all, ttlMs);
    }
    long[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = ttlMs;
    ttls = more;
    return all.length;
  }

  /** After thousands of reloads with a new time each, one that is about as long. */
  private static int nearest(long[] all, long ttlMs) {
    int nearest = 0;
    for (int i = 1; i < all.length; i++) {
      if (Math.abs(all[i] - ttlMs) < Math.abs(all[nearest] - ttlMs)) {
        nearest = i;
      }
    }
    return nearest;
  }

  /**
   * From each change anew: a flow that starts again under its old key must not be forgotten, with
   * what it has spent, at the end of its first life. And only after twice its time, so that a draft
   * that comes too late still finds it expired.
   */
  @Override
  public boolean isOver(long bits, long ageMs) {
    return ageMs > 2 * ttlMs(bits);
  }

  @Override
  public boolean hasValues() {
    return true;
  }

  /** A flow that has spent nothing is the least loss. */
  @Override
  public int rank(long bits) {
    return errors(bits) > 0 || STATUSES[status(bits)] == FlowBudget.Status.YIELDED ? 1 : 0;
  }
}
