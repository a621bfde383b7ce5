package dev.parlance.loadtest;

/**
 * One connection of a load phase as {@link LoadRun} sees it, with at most one request under way.
 */
interface LoadLine {
  /** Sends a request that was due at {@code dueNs}; only when not {@link #isWaiting()}. */
  void send(long id, RequestBytes requests, long dueNs);

  /** True while a request is under way. */
  boolean isWaiting();

  /** When the last request was due. */
  long dueNs();

  /** When it was sent. */
  long sentNs();

  /** Ends the wait and closes; the close is reported as that of an idle connection. */
  void giveUp();
}
