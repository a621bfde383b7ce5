package dev.parlance.proxy.wire;

/**
 * What stands before a response's body.
 *
 * @param status HTTP status code
 * @param fields header fields
 * @param relayed which texts have passed here before
 */
public record ResponseHead(int status, Fields fields, Relayed relayed) {
  /** The head of an answer where nothing has passed before. */
  public ResponseHead(int status, Fields fields) {
    this(status, fields, Relayed.NOTHING);
  }
}
