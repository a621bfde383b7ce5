package dev.parlance.proxy.main;

import dev.parlance.relay.server.HttpListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The order in which the listeners of a sidecar end.
 *
 * <pre>
 * 0                      not ready; clients are told by Connection: close and GOAWAY
 * noticeMs               no new inbound connections
 * inbound has ended,     no new outbound connections: what the agent needs to answer
 *   at the latest the      its callers it may still ask for
 *   last call
 * drainMs - last second  last call: whoever still waits gets a typed answer
 * drainMs                what is left is cut
 * </pre>
 */
final class Drain {
  /** Time to write the answers of the last call; a quarter of short grace periods. */
  private static final long LAST_CALL_MS = 1_000;

  private final long graceMs;
  private final long noticeMs;
  private final long beganNs = System.nanoTime();

  Drain(long graceMs, long noticeMs) {
    this.graceMs = graceMs;
    this.noticeMs = noticeMs;
  }

  /**
   * Ends both; blocks until they have ended.
   *
   * @param lastCall has everything answered that still waits
   * @return how many connections had to be cut
   */
  int run(Optional<HttpListener> inbound, Optional<HttpListener> outbound, Runnable lastCall) {
    Duration grace = Duration.ofMillis(graceMs);
    Duration notice = Duration.ofMillis(noticeMs);
    CompletableFuture<Integer> in =
        inbound
            .map(listener -> listener.drain(notice, grace))
            .orElseGet(() -> CompletableFuture.completedFuture(0));
    long lastCallMs = Math.max(0, graceMs - Math.min(LAST_CALL_MS, graceMs / 4));
    wait(in, lastCallMs);
    Duration left = Duration.ofMillis(Math.max(0, graceMs - passedMs()));
    CompletableFuture<Integer> out =
        outbound
            .map(listener -> listener.drain(Duration.ZERO, left))
            .orElseGet(() -> CompletableFuture.completedFuture(0));
    CompletableFuture<Integer> both = in.thenCombine(out, Integer::sum);
    wait(both, lastCallMs);
    if (!both.isDone()) {
      lastCall.run();
    }
    return both.join();
  }

  private void wait(CompletableFuture<Integer> what, long untilMs) {
    CompletableFuture<Boolean> over =
        what.handle((_, _) -> true)
            .completeOnTimeout(false, Math.max(0, untilMs - passedMs()), TimeUnit.MILLISECONDS);
    over.join();
  }

  private long passedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
  }
}
