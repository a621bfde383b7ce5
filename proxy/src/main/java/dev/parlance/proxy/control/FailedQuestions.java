package dev.parlance.proxy.control;

import dev.parlance.proxy.control.AgentAnswer.Failure;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A throttle for the log: an audit asks hundreds of questions, and an agent that answers none of
 * them fails all in the same way. Of each way the first one in a minute is said, with how many were
 * not since the one before; all are counted in the metrics. Used by one thread.
 */
public final class FailedQuestions {
  /** For so long nothing more is said of the same failure. */
  static final long PAUSE_MS = 60_000;

  private final Map<Failure, Unsaid> last = new EnumMap<>(Failure.class);

  /**
   * One way to fail.
   *
   * @param fromMs from when on it is said again
   * @param count how many were not said since
   */
  private record Unsaid(long fromMs, long count) {}

  /**
   * Another one has failed.
   *
   * @param nowMs any clock that does not go back
   * @return how many were left out before this one, if it is to be said
   */
  public OptionalLong add(Failure failure, long nowMs) {
    Unsaid before = last.get(failure);
    if (before != null && nowMs < before.fromMs()) {
      last.put(failure, new Unsaid(before.fromMs(), before.count() + 1));
      return OptionalLong.empty();
    }
    last.put(failure, new Unsaid(nowMs + PAUSE_MS, 0));
    return OptionalLong.of(before == null ? 0 : before.count());
  }
}
