package dev.parlance.wire.api;

import java.util.List;
import java.util.Optional;

/**
 * A request for the tasks of a caller, page by page. Answers that are held for it are tasks that
 * its agent does not know: they stand in front of the agent's own on the first page, and count in
 * every total.
 */
public interface TaskListing {
  /** The most tasks of a page that this protocol has. */
  int MAX_PAGE = 100;

  /** The size of a page that says none. */
  int DEFAULT_PAGE = 50;

  /** True if a task that waits since then, in milliseconds since the epoch, is asked for. */
  boolean asksFor(HeldAnswer held, long sinceMs);

  /**
   * The request for a first page with room for this many other tasks; at least one is asked for.
   *
   * @return empty if it is not for the first page, or cannot be changed
   */
  Optional<Smaller> smaller(int others);

  /**
   * An answer with held tasks in it; empty if it is no list.
   *
   * @param answer whole, without content coding
   */
  Optional<byte[]> with(List<HeldAnswer> held, byte[] answer);

  /**
   * A request for fewer tasks.
   *
   * @param target where it goes
   * @param body what it says; empty if that is as before
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Smaller(String target, Optional<byte[]> body) {}

  /** The number of tasks that a request for this size asks for. */
  static int page(long size) {
    return (int) (size <= 0 ? DEFAULT_PAGE : Math.min(size, MAX_PAGE));
  }
}
