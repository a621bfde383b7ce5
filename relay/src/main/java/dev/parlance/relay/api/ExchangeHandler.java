package dev.parlance.relay.api;

/** What a listener does with requests. Implementations never block. */
public interface ExchangeHandler {
  /**
   * A whole request; the handler owns its body and calls {@link ServerCall#respond} exactly once.
   */
  void onRequest(ServerCall exchange, WholeRequest request);

  /**
   * A request that the strict guard or a limit refused; nothing of it went anywhere. The relay
   * sends the response that this returns and closes the connection.
   */
  WholeResponse onRejected(Rejection rejection);

  /**
   * A request that never became one.
   *
   * @param status status to answer with: 400, 403, 405, 408, 413, 414, 417, 431, 503, 505
   * @param layer metric label: http1, http2, size, time, connections, destination, interception
   * @param code stable reason code, e.g. {@code content_length_conflict}, {@code bare_lf}
   * @param detail for the peer: bad value and what was expected; short, ASCII, no body text
   */
  record Rejection(int status, String layer, String code, String detail) {}
}
