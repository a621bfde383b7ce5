package dev.parlance.relay.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One timer that is moved far more often than it fires: moving it later costs one field, because a
 * scheduled task that wakes up early only schedules itself again. One that wakes up late lets its
 * loop look at the sockets first: while it was busy, what is waited for may have come. Used on its
 * event loop only.
 */
public final class Deadline {
  /** So late a task wakes up only where its loop was busy. */
  private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Behind the next look at the sockets, which everything is that is not due yet. */
  private static final long ONE_ROUND_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final EventLoop loop;
  private final Runnable action;
  private @Nullable ScheduledFuture<?> scheduled;
  private long scheduledForNs;
  private long dueNs;
  private boolean armed;
  private boolean looked;

  public Deadline(EventLoop loop, Runnable action) {
    this.loop = loop;
    this.action = action;
  }

  /** Runs the action after this time, unless set again or cleared before. */
  public void set(long delayMs) {
    long delayNs = TimeUnit.MILLISECONDS.toNanos(delayMs);
    dueNs = System.nanoTime() + delayNs;
    armed = true;
    looked = false;
    if (scheduled != null && scheduledForNs - dueNs <= 0) {
      return;
    }
    if (scheduled != null) {
      scheduled.cancel(false);
    }
    schedule(delayNs);
  }

  /** Keeps the task, if any, but takes its meaning away. */
  public void clear() {
    armed = false;
  }

  /** Ends the timer for good. */
  public void cancel() {
    armed = false;
    if (scheduled != null) {
      scheduled.cancel(false);
      scheduled = null;
    }
  }

  private void schedule(long delayNs) {
    scheduledForNs = System.nanoTime() + delayNs;
    scheduled = loop.schedule(this::wake, delayNs, TimeUnit.NANOSECONDS);
  }

  private void wake() {
    scheduled = null;
    if (!armed) {
      return;
    }
    long leftNs = dueNs - System.nanoTime();
    if (leftNs > 0) {
      schedule(leftNs);
    } else if (-leftNs > LATE_NS && !looked) {
      looked = true;
      schedule(ONE_ROUND_NS);
    } else {
      armed = false;
      action.run();
    }
  }
}
