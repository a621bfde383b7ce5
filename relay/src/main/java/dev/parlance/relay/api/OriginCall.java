package dev.parlance.relay.api;

/** A request that is under way to an origin. */
public interface OriginCall {
  /**
   * Gives up: the connection to the origin is closed, and the receiver gets {@code Failed} with
   * code {@code cancelled} unless it already had its result. May be called on any thread, more than
   * once.
   */
  void cancel();

  /**
   * Stops reading from the origin while whoever takes the pieces cannot take more; a few that were
   * read already may still come. Only on the loop of the call.
   */
  void pauseReading();

  /** Reads on after {@link #pauseReading}. Only on the loop of the call. */
  void resumeReading();
}
