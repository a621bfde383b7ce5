package dev.parlance.relay.api;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Decides what becomes of connections at a listener that the kernel redirects connections to.
 * Called on event loops; must not block.
 */
public interface Redirection {
  /** What becomes of a connection. */
  sealed interface Passage {
    /** It is read as HTTP. */
    record Read() implements Passage {}

    /**
     * It goes on to where it was going, and nobody reads it.
     *
     * @param reason why: {@code port}, {@code tls}, {@code not_http}
     */
    record Unread(String reason) implements Passage {}

    /**
     * It is closed.
     *
     * @param code stable reason code
     * @param detail for the log
     */
    record Closed(String code, String detail) implements Passage {}
  }

  /** The first bytes of a connection that no request of HTTP begins with. */
  enum Form {
    /** A handshake of TLS. */
    TLS,
    /** Anything else. */
    OTHER
  }

  /**
   * A connection has come and nothing of it has been read.
   *
   * @param original where it was going; empty if it was not redirected
   * @param local our address on it
   */
  Passage accepted(Optional<InetSocketAddress> original, InetSocketAddress local);

  /** True if connections are looked at whether they begin like HTTP. */
  boolean looks();

  /**
   * A connection does not begin like HTTP.
   *
   * @param original where it was going
   */
  Passage unreadable(InetSocketAddress original, Form form);
}
