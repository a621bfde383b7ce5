package dev.parlance.service;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How often each of those that are known by name may do something within a minute, so that none
 * crowds out the others. Memory is that of the names of one minute. For any number of threads.
 */
public final class MinuteQuota {
  private final int most;
  private final Map<String, Integer> taken = new HashMap<>();
  private long minute;

  /**
   * A quota that nobody has used.
   *
   * @param most times within a minute
   */
  public MinuteQuota(int most) {
    this.most = most;
  }

  /** True if it may do so once more now, which is counted. */
  public synchronized boolean take(String name, long nowMs) {
    long now = Math.floorDiv(nowMs, TimeUnit.MINUTES.toMillis(1));
    if (now != minute) {
      minute = now;
      taken.clear();
    }
    int times = taken.getOrDefault(name, 0);
    if (times == most) {
      return false;
    }
    taken.put(name, times + 1);
    return true;
  }
}
