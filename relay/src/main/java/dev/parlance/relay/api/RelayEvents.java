package dev.parlance.relay.api;

import dev.parlance.relay.http2.H2Budget;

/** Callbacks that count what happens to connections. Called on event loops; must not block. */
public interface RelayEvents {
  /** Counts nothing. */
  RelayEvents NOOP = new RelayEvents() {};

  /** A client's connection was accepted. */
  default void connectionOpened() {}

  /** A client's connection that was counted as opened has ended. */
  default void connectionClosed() {}

  /**
   * A client's connection was turned away because there are too many.
   *
   * @param code {@code connection_limit} or {@code address_connections}
   */
  default void connectionRefused(String code) {}

  /** A client left before it had its response. */
  default void exchangeAborted() {}

  /**
   * An HTTP/2 connection was ended because of what its peer did.
   *
   * @param reason what it did too often ({@link H2Budget.Excess}), or the name of the connection
   *     error in lower case; one of a few
   */
  default void http2Cut(String reason) {}

  /**
   * A connection, or a stream of one, goes on unread.
   *
   * @param reason as in {@link InterceptionPolicy.Action.PassThrough}, or {@code connect}, or as in
   *     {@link ExchangeHandler#onPassage}
   * @param to the host that it names, or else the address, and the port
   */
  default void opaqueConnection(String reason, String to) {}

  /**
   * What came of a connection that could be encrypted, of a client or to an origin.
   *
   * @param result {@code ok}, {@code clear_text} (allowed), {@code clear_text_refused}, {@code
   *     no_identity} (nothing to encrypt with), {@code timeout}, {@code handshake}, or a code of
   *     {@link TlsPolicy}; one of a few
   */
  default void handshake(String result) {}

  /** A connection to an origin was made. */
  default void originConnectionOpened() {}

  /** An idle connection to an origin was used again. */
  default void originConnectionReused() {}

  /** A connection to an origin has ended. */
  default void originConnectionClosed() {}
}
