package dev.parlance.relay.api;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Optional;

/**
 * Who is at the other end of an encrypted connection.
 *
 * @param id the identity that its certificate shows; empty if it has shown none
 * @param serverName the name that a client has asked for (SNI)
 * @param expiresAtMs when its certificate does, in milliseconds since the epoch: the connection
 *     takes no further request then
 */
public record TlsPeer(Optional<String> id, Optional<String> serverName, long expiresAtMs) {
  private static final AttributeKey<TlsPeer> KEY = AttributeKey.valueOf(TlsPeer.class, "peer");

  /** The one of this connection; empty if it is not encrypted. */
  public static Optional<TlsPeer> of(Channel channel) {
    return Optional.ofNullable(channel.attr(KEY).get());
  }

  /** Keeps it with the connection. */
  public void putOn(Channel channel) {
    channel.attr(KEY).set(this);
  }

  /** True once the connection takes no further request. */
  public boolean hasExpired() {
    return System.currentTimeMillis() >= expiresAtMs;
  }
}
