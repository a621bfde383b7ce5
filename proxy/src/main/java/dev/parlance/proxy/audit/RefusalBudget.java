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

  private final Window origins = new Window();
  private final Window others = new Window();

  /**
   * The event as it is to be written; empty if it has no line.
   *
   * @param nowNs on the clock of {@link System#nanoTime}
   */
  Optional<RejectionEvent> admit(RejectionEvent event, long nowNs) {
    Window window = event.layer().equals(RejectionEvent.ORIGIN) ? origins : others;
    return window.admits(nowNs)
        ? Optional.of(event.after(window.leftOut.sumThenReset()))
        : Optional.empty();
  }

  /** Counts within the second that is under way; more than one thread may ask. */
  private static final class Window {
    private static final int COUNT_BITS = 24;
    private static final long COUNT = (1L << COUNT_BITS) - 1;

    private final LongAdder leftOut = new LongAdder();

    /** The second, and in the lowest bits how many lines it has. */
    private final AtomicLong used = new AtomicLong();

    boolean admits(long nowNs) {
      long second = (nowNs / TimeUnit.SECONDS.toNanos(1)) << COUNT_BITS;
      long now =
          used.updateAndGet(
              was -> (was & ~COUNT) == second ? Math.min(was + 1, second | COUNT) : second | 1);
      boolean admitted = (now & COUNT) <= LINES_PER_SECOND;
      if (!admitted) {
        leftOut.increment();
      }
      return admitted;
    }
  }
}
