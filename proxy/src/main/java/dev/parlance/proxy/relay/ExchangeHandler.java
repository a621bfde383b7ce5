package dev.parlance.proxy.relay;

/** What a listener does with requests. Implementations never block. */
public interface ExchangeHandler {
  /** A whole request; the handler owns its body and calls {@link Exchange#respond} exactly once. */
  void onRequest(Exchange exchange, WholeRequest request);

  /**
   * A request that the strict guard or a limit refused; nothing of it went anywhere. The relay
   * sends the response that this returns and closes the connection.
   */
  WholeResponse onRejected(Rejection rejection);
}
