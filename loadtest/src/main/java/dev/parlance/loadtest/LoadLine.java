package dev.parlance.loadtest;

import io.netty.channel.Channel;

/**
 * One connection of a load phase as {@link LoadRun} sees it, with at most one request under way.
 */
interface LoadLine {
  /** The request under way. */
  Waiting waiting();

  /** Where it runs. */
  Channel channel();

  /** Sends a request that was due at {@code dueNs}; only when not {@link #isWaiting()}. */
  void send(long id, RequestBytes requests, long dueNs);

  /** True while a request is under way. */
  default boolean isWaiting() {
    return waiting().isWaiting();
  }

  /** When the last request was due. */
  default long dueNs() {
    return waiting().dueNs();
  }

  /** When it was sent. */
  default long sentNs() {
    return waiting().sentNs();
  }

  /** Ends the wait and closes; the close is reported as that of an idle connection. */
  default void giveUp() {
    waiting().giveUp();
    var _ = channel().close();
  }
}
