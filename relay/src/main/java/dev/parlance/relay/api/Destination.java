package dev.parlance.relay.api;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Where an origin listens, and what is spoken to it.
 *
 * @param host name or address
 * @param port 1-65535
 * @param protocol the version of HTTP
 * @param address the only address that is connected to; if empty, any that the host has
 * @param tls how connections are encrypted, if they are, and who may be at their other end
 */
public record Destination(
    String host,
    int port,
    HttpProtocol protocol,
    Optional<InetAddress> address,
    Optional<TlsPolicy> tls) {
  /** An origin in clear text. */
  public Destination(String host, int port, HttpProtocol protocol, Optional<InetAddress> address) {
    this(host, port, protocol, address, Optional.empty());
  }

  /** An origin at whatever addresses its host has. */
  public Destination(String host, int port, HttpProtocol protocol) {
    this(host, port, protocol, Optional.empty());
  }

  /** An origin that is spoken to in HTTP/1.1. */
  public Destination(String host, int port) {
    this(host, port, HttpProtocol.HTTP1);
  }

  /** Refuses an empty host and a port outside 1-65535. */
  public Destination {
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw new IllegalArgumentException("expected host:port, got " + host + ":" + port);
    }
  }

  /** The same origin, encrypted like this. */
  public Destination over(TlsPolicy policy) {
    return new Destination(host, port, protocol, address, Optional.of(policy));
  }

  // Written out, as they are asked for every request: a record's own are linked at their first use,
  // which costs the first message of a process several milliseconds.
  @Override
  public boolean equals(Object other) {
    return other instanceof Destination that
        && port == that.port
        && protocol == that.protocol
        && host.equals(that.host)
        && address.equals(that.address)
        && tls.equals(that.tls);
  }

  @Override
  public int hashCode() {
    return host.hashCode() * 31 + port;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
