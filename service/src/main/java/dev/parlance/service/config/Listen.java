package dev.parlance.service.config;

import java.util.Optional;

/**
 * Where a listener is bound.
 *
 * @param host name or address; IPv6 without brackets
 * @param port 0 to 65535; 0 takes a free one
 */
public record Listen(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** Refuses what cannot be an address. */
  public Listen {
    if (host.isEmpty() || port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("expected host and port, got " + host + ", " + port);
    }
  }

  /** Reads {@code host:port} or {@code [v6]:port}. */
  public static Optional<Listen> parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    String digits = text.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      return Optional.empty(); // a bare IPv6 address cannot be told from host:port
    }
    if (host.isEmpty()
        || digits.isEmpty()
        || digits.length() > 5
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    int port = Integer.parseInt(digits);
    return port > MAX_PORT ? Optional.empty() : Optional.of(new Listen(host, port));
  }

  /** The same host with the port that was really bound. */
  public Listen withPort(int bound) {
    return new Listen(host, bound);
  }

  /** True if the address is this machine's own, see {@link Loopback}. */
  public boolean isLoopback() {
    return Loopback.isLoopback(host);
  }

  /** As {@code equals}, whose first use in a process would link methods for 10 ms at each start. */
  public boolean isSame(Listen other) {
    return port == other.port && host.equals(other.host);
  }

  @Override
  public String toString() {
    return HostPort.format(host, port);
  }
}
