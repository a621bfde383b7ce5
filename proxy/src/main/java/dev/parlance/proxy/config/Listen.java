package dev.parlance.proxy.config;

/**
 * An address to listen on.
 *
 * @param host an address or a name of this machine; IPv6 without brackets
 * @param port 0-65535; 0 takes any free port
 */
public record Listen(String host, int port) {
  /** Refuses an empty host and a port outside 0-65535. */
  public Listen {
    if (host.isEmpty() || port < 0 || port > 65_535) {
      throw new IllegalArgumentException("expected host:port, got " + host + ":" + port);
    }
  }

  /** As {@code equals}, whose first use in a process would link methods for 10 ms at each start. */
  boolean isSame(Listen other) {
    return port == other.port && host.equals(other.host);
  }

  @Override
  public String toString() {
    return HostPort.format(host, port);
  }
}
