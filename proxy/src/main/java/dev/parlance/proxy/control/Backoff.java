package dev.parlance.proxy.control;

import java.util.random.RandomGenerator;

/**
 * Pauses between attempts: each drawn between {@value #SHORTEST_MS} ms and three times the one
 * before, at most {@value #LONGEST_MS} ms, so that sidecars which lost the control plane together
 * come back apart.
 */
public final class Backoff {
  public static final int SHORTEST_MS = 500;
  public static final int LONGEST_MS = 60_000;
  private static final int GROWTH = 3;

  private final RandomGenerator random;
  private int lastMs = SHORTEST_MS;

  public Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** The next pause, in milliseconds. */
  public int nextMs() {
    lastMs = Math.min(LONGEST_MS, random.nextInt(SHORTEST_MS, GROWTH * lastMs + 1));
    return lastMs;
  }

  /** After things went well for a while. */
  public void reset() {
    lastMs = SHORTEST_MS;
  }
}
