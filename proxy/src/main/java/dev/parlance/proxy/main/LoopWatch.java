package dev.parlance.proxy.main;

import dev.parlance.relay.net.EventLoops;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the threads that carry messages still run: each look leaves a task with every one of
 * them, and finds out whether the task of an earlier look is still waiting. Costs nothing when
 * nobody looks.
 */
final class LoopWatch {
  /** A thread that lets a task wait for so long does not come back. */
  static final long STUCK_NS = TimeUnit.SECONDS.toNanos(30);

  private static final long NONE = Long.MIN_VALUE;

  private final List<Beat> beats = new ArrayList<>();

  /** A thread and when a task was left with it that has not run yet. */
  private record Beat(EventExecutor loop, AtomicLong leftNs) {}

  LoopWatch(EventLoops loops) {
    loops.group().forEach(loop -> beats.add(new Beat(loop, new AtomicLong(NONE))));
  }

  /**
   * Looks; says how many threads are stuck, if any is. Never blocks.
   *
   * @param nowNs on the clock of {@link System#nanoTime}
   */
  List<String> look(long nowNs) {
    int stuck = 0;
    for (Beat beat : beats) {
      long left = beat.leftNs().get();
      if (left == NONE) {
        leave(beat, nowNs);
      } else if (nowNs - left > STUCK_NS) {
        stuck++;
      }
    }
    return stuck == 0
        ? List.of()
        : List.of(stuck + " of " + beats.size() + " threads that carry messages do not run");
  }

  private static void leave(Beat beat, long nowNs) {
    beat.leftNs().set(nowNs);
    try {
      beat.loop().execute(() -> beat.leftNs().set(NONE));
    } catch (RejectedExecutionException e) {
      // it ends because the sidecar does
      beat.leftNs().set(NONE);
    }
  }
}
