package dev.parlance.relay.http1;

/** How the end of a response body over HTTP/1.1 is told. */
public enum BodyDelimiter {
  /** The last chunk; trailers have a place behind it. */
  LAST_CHUNK,
  /**
   * The last chunk and nothing behind it: some clients that did not ask for trailers take them for
   * the beginning of the next response.
   */
  BARE_LAST_CHUNK,
  /** The end of the connection, in order; a broken body ends in a reset instead. */
  CLOSE,
  /** There is no body; pieces are dropped. */
  NO_BODY
}
