package dev.parlance.control.lexicon;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many boards each agent may open, so that none crowds out those of others. Memory is that of
 * the agents that have a token. For any number of threads.
 */
final class BoardQuota {
  /** Most boards that an agent opens at one replica within a minute. */
  static final int BOARDS_A_MINUTE = 600;

  private final Map<String, Minute> opened = new HashMap<>();

  private record Minute(long number, int boards) {}

  /** True if the agent may open another one now, which is counted. */
  synchronized boolean take(String agent, long nowMs) {
    long number = Math.floorDiv(nowMs, TimeUnit.MINUTES.toMillis(1));
    Minute last = opened.getOrDefault(agent, new Minute(number, 0));
    int boards = last.number() == number ? last.boards() : 0;
    if (boards == BOARDS_A_MINUTE) {
      return false;
    }
    opened.put(agent, new Minute(number, boards + 1));
    return true;
  }
}
