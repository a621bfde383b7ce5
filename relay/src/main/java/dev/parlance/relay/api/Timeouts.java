package dev.parlance.relay.api;

/**
 * Bounds in time; every one is always on.
 *
 * @param headerMs from the first byte of a request to the end of its headers
 * @param bodyIdleMs longest pause inside the body of a request
 * @param keepAliveMs longest idle time between requests
 * @param connectMs to connect to an origin
 * @param responseMs from the end of a request to the end of its response, or to its head if the
 *     body is passed on piece by piece (agents think for long)
 * @param streamIdleMs longest pause of an origin inside a body that is passed on piece by piece;
 *     time in which we do not read does not count
 * @param writeMs for a peer to take what is written to it
 */
public record Timeouts(
    int headerMs,
    int bodyIdleMs,
    int keepAliveMs,
    int connectMs,
    int responseMs,
    int streamIdleMs,
    int writeMs) {
  /** The defaults of docs/limits.md. */
  public static final Timeouts DEFAULT =
      new Timeouts(10_000, 30_000, 60_000, 1_000, 120_000, 300_000, 30_000);

  /** The same, but an origin has at most this long to answer. */
  public Timeouts answeredWithin(long ms) {
    return new Timeouts(
        headerMs,
        bodyIdleMs,
        keepAliveMs,
        connectMs,
        (int) Math.min(responseMs, ms),
        streamIdleMs,
        writeMs);
  }
}
