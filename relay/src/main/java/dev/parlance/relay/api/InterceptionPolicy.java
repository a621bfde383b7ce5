package dev.parlance.relay.api;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides whether a connection that the kernel redirected to a listener is read as HTTP, passed
 * through, or refused. Called on event loops; must not block.
 */
public interface InterceptionPolicy {
  /** What is done with a connection. */
  sealed interface Action {
    /** Read it as HTTP. */
    record Intercept() implements Action {}

    /**
     * Tunnel it to its original destination without reading it.
     *
     * @param reason why: {@code port}, {@code tls}, {@code not_http}
     */
    record PassThrough(String reason) implements Action {}

    /**
     * Close it.
     *
     * @param code stable reason code
     * @param detail for the log
     */
    record Refuse(String code, String detail) implements Action {}
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
  Action accepted(Optional<InetSocketAddress> original, InetSocketAddress local);

  /** True if connections are looked at whether they begin like HTTP. */
  boolean looks();

  /**
   * A connection does not begin like HTTP.
   *
   * @param loop where the answer is taken; called on it
   * @param original where it was going
   * @param serverName what its handshake names (SNI), if it is one of TLS and names anything
   * @param then called once, on the loop; may be called before this returns
   */
  void unreadable(
      EventLoop loop,
      InetSocketAddress original,
      Form form,
      Optional<String> serverName,
      Consumer<Action> then);
}
