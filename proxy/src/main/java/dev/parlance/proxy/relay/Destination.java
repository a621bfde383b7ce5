package dev.parlance.proxy.relay;

/** Where an origin listens. */
public record Destination(String host, int port) {
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
