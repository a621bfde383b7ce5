package dev.parlance.loadtest;

/** How a request ended; every request ends in exactly one of these. */
enum Outcome {
  /** Status 200, its own id, a result at least as long as the upstream's. */
  ANSWERED("answered"),
  /**
   * Its own id, but a JSON-RPC error, or a result shorter than the upstream's: held or replaced.
   */
  REFUSED("refused"),
  /** Another status than 200. */
  BAD_STATUS("badStatus"),
  /** No HTTP message, or no JSON-RPC answer in it. */
  BAD_ANSWER("badAnswer"),
  /** The id of a request that this connection did not ask, or nobody. */
  WRONG_ID("wrongId"),
  /** The id of a request that was answered before. */
  DUPLICATE("duplicate"),
  /** The connection closed before the answer. */
  LOST("lost"),
  /** No answer in time. */
  TIMED_OUT("timedOut"),
  /** It was due, and no connection became free for it before the run gave up. */
  UNSENT("unsent");

  private final String code;

  Outcome(String code) {
    this.code = code;
  }

  /** Name in reports. */
  String code() {
    return code;
  }

  /** True if something is wrong; a refusal is a decision, no fault. */
  boolean isFault() {
    return this != ANSWERED && this != REFUSED;
  }
}
