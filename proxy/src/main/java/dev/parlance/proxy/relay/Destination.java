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

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
