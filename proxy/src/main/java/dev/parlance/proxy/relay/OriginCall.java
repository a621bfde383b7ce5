package dev.parlance.proxy.relay;

/** A request that is under way to an origin. */
public interface OriginCall {
  /**
   * Gives up: the connection to the origin is closed, and the receiver gets {@code Failed} with
   * code {@code cancelled} unless it already had its result. May be called on any thread, more than
   * once.
   */
  void cancel();
}
