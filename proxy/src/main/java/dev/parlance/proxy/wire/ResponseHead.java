package dev.parlance.proxy.wire;

/**
 * What stands before a response's body.
 *
 * @param status HTTP status code
 * @param fields header fields
 * @param relayed which texts have passed here before
 * @param trailers fields behind the body; {@link Fields#NONE} where the transport has none, or they
 *     have not come yet
 */
public record ResponseHead(int status, Fields fields, Relayed relayed, Fields trailers) {
  /** The head of an answer without trailers. */
  public ResponseHead(int status, Fields fields, Relayed relayed) {
    this(status, fields, relayed, Fields.NONE);
  }

  /** The head of an answer where nothing has passed before. */
  public ResponseHead(int status, Fields fields) {
    this(status, fields, Relayed.NOTHING);
  }
}
