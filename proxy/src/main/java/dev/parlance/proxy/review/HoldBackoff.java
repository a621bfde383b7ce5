package dev.parlance.proxy.review;

import dev.parlance.wire.api.Notice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A circuit breaker for a full queue: the callers of each route that were answered something lately
 * that had to be held. While the queue is full they are refused before their agent is asked; after
 * {@link Notice#QUEUE_RETRY_S} seconds one is asked again, which is when they were told to come
 * back. Callers and routes whose answers pass are not in it, so that nobody can stop another's
 * traffic by filling the queue. Called from any thread.
 */
final class HoldBackoff {
  private static final int MAX_CALLERS = 4096;
  private static final long BACKOFF_MS = Notice.QUEUE_RETRY_S * 1000L;
  private static final long WARN_PAUSE_MS = 60_000;

  private final LongSupplier clockMs;
  private final Map<String, Long> untilMs = new ConcurrentHashMap<>();

  /** When it was last said that messages are refused, and how many were since; under its lock. */
  private long warnedMs = Long.MIN_VALUE / 2;

  private long refusals;

  HoldBackoff(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** A message of this exchange is to be held, whether there is room for it or not. */
  void held(HeldMessage.Origin origin) {
    long nowMs = clockMs.getAsLong();
    if (untilMs.size() >= MAX_CALLERS) {
      untilMs.values().removeIf(until -> until <= nowMs);
      if (untilMs.size() >= MAX_CALLERS) {
        untilMs.clear();
      }
    }
    untilMs.put(key(origin.direction(), origin.routeRule(), origin.caller()), nowMs + BACKOFF_MS);
  }

  /** A message is refused: says so, once in a while. */
  synchronized void full(int waiting, long bytes, ReviewLimits limits) {
    refusals++;
    long nowMs = clockMs.getAsLong();
    if (nowMs >= warnedMs + WARN_PAUSE_MS) {
      ReviewQueue.LOG
          .atWarn()
          .addKeyValue("waiting", waiting)
          .addKeyValue("capacity", limits.capacity())
          .addKeyValue("bytes", bytes)
          .addKeyValue("capacityBytes", limits.bytes())
          .addKeyValue("refused", refusals)
          .log("the review queue is full, and refuses what should be held");
      warnedMs = nowMs;
      refusals = 0;
    }
  }

  /** True if one of this caller on this route was held or refused lately. */
  boolean appliesTo(String direction, String routeRule, String caller) {
    Long until = untilMs.get(key(direction, routeRule, caller));
    return until != null && clockMs.getAsLong() < until;
  }

  private static String key(String direction, String routeRule, String caller) {
    return direction + " " + routeRule + " " + caller;
  }
}
