package dev.parlance.cli.api;

import io.grpc.Status;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Watches something at the control plane until it has ended. A replica that goes away in between is
 * waited for, because another one takes over.
 *
 * @param <T> what is watched
 */
final class Following<T> {
  private static final int RETRIES_MAX = 60;
  private static final long RETRY_MS = 500;

  /** One call; each change is to be given to {@link #changed}. */
  @FunctionalInterface
  interface Watch {
    ControlReply<Boolean> untilItIsOver();
  }

  private final String what;
  private Optional<T> last = Optional.empty();
  private int failures;

  /**
   * Nothing yet.
   *
   * @param what how it is called in a message
   */
  Following(String what) {
    this.what = what;
  }

  void changed(T now) {
    last = Optional.of(now);
    failures = 0;
  }

  /** What was seen last. */
  Optional<T> last() {
    return last;
  }

  /** Calls again and again until what is watched has ended. */
  ControlReply<T> follow(Watch watch, Predicate<T> hasEnded) {
    while (failures <= RETRIES_MAX) {
      if (watch.untilItIsOver()
              instanceof ControlReply.Failed<Boolean>(Status.Code code, String message)
          && (code != Status.Code.UNAVAILABLE || failures == RETRIES_MAX)) {
        return new ControlReply.Failed<>(code, message);
      }
      if (last.filter(hasEnded).isPresent()) {
        return new ControlReply.Answered<>(last.get());
      }
      failures++;
      try {
        Thread.sleep(RETRY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ControlReply.Failed<>(Status.Code.CANCELLED, "interrupted");
      }
    }
    return new ControlReply.Failed<>(
        Status.Code.UNAVAILABLE, "the control plane does not say how the " + what + " goes on");
  }
}
