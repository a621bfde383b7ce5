package dev.parlance.proxy.audit;

import dev.parlance.proxy.audit.AuditEvent.RejectionEvent;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bounds how many lines a second tell of refusals: whoever sends nothing but bad requests pushes no
 * decision out of the log. What is left out is counted, and the next line says how much. Agents
 * that fail have lines of their own, which no caller's refusals take.
 */
final class RefusalBudget {
  /** Lines a second, of failed agents and of all else. */
  static final int LINES_PER_SECOND = 50;

  /** As many may come at once. */
  static final int LINES_AT_ONCE = 1000;

  private final Bucket origins = new Bucket();
  private final Bucket others = new Bucket();

  /**
   * The event as it is to be written; empty if it has no line.
   *
   * @param nowNs on the clock of {@link System#nanoTime}
   */
  Optional<RejectionEvent> admit(RejectionEvent event, long nowNs) {
    Bucket bucket = event.layer().equals(RejectionEvent.ORIGIN) ? origins : others;
    return bucket.admits(nowNs)
        ? Optional.of(event.after(bucket.leftOut.sumThenReset()))
        : Optional.empty();
  }

  /** A bucket of lines that fills in time; more than one thread may take from it. */
  private static final class Bucket {
    private static final long NS_PER_LINE = TimeUnit.SECONDS.toNanos(1) / LINES_PER_SECOND;
    private static final long FULL_NS = NS_PER_LINE * LINES_AT_ONCE;

    private final LongAdder leftOut = new LongAdder();

    /** When it is full again, if nobody takes anything. */
    private final AtomicLong fullAtNs = new AtomicLong(Long.MIN_VALUE);

    boolean admits(long nowNs) {
      long before = fullAtNs.getAndUpdate(at -> taken(at, nowNs));
      boolean admitted = taken(before, nowNs) != before;
      if (!admitted) {
        leftOut.increment();
      }
      return admitted;
    }

    private static long taken(long fullAtNs, long nowNs) {
      boolean isFull = fullAtNs == Long.MIN_VALUE || fullAtNs - nowNs < 0;
      long at = isFull ? nowNs : fullAtNs;
      return at - nowNs > FULL_NS - NS_PER_LINE ? fullAtNs : at + NS_PER_LINE;
    }
  }
}
