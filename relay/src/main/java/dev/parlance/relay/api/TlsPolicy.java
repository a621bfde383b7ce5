package dev.parlance.relay.api;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.io.Serial;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * How connections are encrypted and who may be at their other end: of a listener, or towards an
 * origin. Connections are made with the context that is there when they begin, so that a new one
 * takes the place of an old one and no connection is cut for it.
 */
public interface TlsPolicy {
  /** What the next connection is encrypted with; empty while there is nothing to encrypt with. */
  Optional<SslContext> context();

  /** True if a listener also takes clients that do not encrypt. */
  default boolean allowsClearText() {
    return false;
  }

  /**
   * Looks at the peer of a handshake that has succeeded.
   *
   * @throws PeerRefused if it is not one to talk to
   */
  TlsPeer identify(SSLSession session) throws PeerRefused;

  /** Hears of a connection whose peer was identified, before anything passes. */
  default void opened(Channel channel, SSLSession session) {}

  /**
   * The stable code of a handshake that failed.
   *
   * @return one of a few
   */
  default String failure(Throwable cause) {
    return cause instanceof PeerRefused refused ? refused.code() : "handshake";
  }

  /** A peer that is not one to talk to. */
  final class PeerRefused extends SSLException {
    @Serial private static final long serialVersionUID = 1L;

    private final String code;

    /** With a stable code, one of a few. */
    public PeerRefused(String code, String message) {
      super(message);
      this.code = code;
    }

    /** Stable code. */
    public String code() {
      return code;
    }
  }
}
