package dev.parlance.service.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The text {@code host:port} taken apart.
 *
 * @param host the host; IPv6 without brackets
 * @param port the port, or -1 where the text has none
 */
public record HostPort(String host, int port) {
  /** Reads {@code host}, {@code host:port}, {@code [v6]} or {@code [v6]:port}. */
  public static Optional<HostPort> parse(String text) {
    String host = text;
    String portText = "";
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      if (end < 0) {
        return Optional.empty();
      }
      host = text.substring(1, end);
      String rest = text.substring(end + 1);
      if (!rest.isEmpty()) {
        if (rest.length() < 2 || rest.charAt(0) != ':') {
          return Optional.empty();
        }
        portText = rest.substring(1);
      }
    } else {
      int colon = text.indexOf(':');
      if (colon >= 0) {
        // A second colon would be a bare IPv6 address, which cannot be told from host:port.
        if (text.indexOf(':', colon + 1) >= 0 || colon == text.length() - 1) {
          return Optional.empty();
        }
        host = text.substring(0, colon);
        portText = text.substring(colon + 1);
      }
    }
    if (host.isEmpty()) {
      return Optional.empty();
    }
    if (portText.isEmpty()) {
      return Optional.of(new HostPort(host, -1));
    }
    OptionalInt port = parsePort(portText);
    return port.isPresent() ? Optional.of(new HostPort(host, port.getAsInt())) : Optional.empty();
  }

  private static OptionalInt parsePort(String text) {
    if (text.length() > 5) {
      return OptionalInt.empty();
    }
    int port = 0;
    for (int i = 0; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return OptionalInt.empty();
      }
      port = port * 10 + (digit - '0');
    }
    return port <= 65_535 ? OptionalInt.of(port) : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return port < 0 ? host : format(host, port);
  }

  /** The text of the two; IPv6 in brackets. */
  public static String format(String host, int port) {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
