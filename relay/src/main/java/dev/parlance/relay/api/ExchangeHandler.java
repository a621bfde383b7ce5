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
}
