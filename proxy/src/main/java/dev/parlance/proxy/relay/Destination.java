package dev.parlance.proxy.relay;

/**
 * Where an origin listens, and what is spoken to it.
 *
 * @param host name or address
 * @param port 1-65535
 * @param protocol the version of HTTP
 */
public record Destination(String host, int port, HttpProtocol protocol) {
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

  // Written out, as they are asked for every request: a record's own are linked at their first use,
  // which costs the first message of a process several milliseconds.
  @Override
  public boolean equals(Object other) {
    return other instanceof Destination that
        && port == that.port
        && protocol == that.protocol
        && host.equals(that.host);
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
