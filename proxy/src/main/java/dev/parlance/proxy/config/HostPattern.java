package dev.parlance.proxy.config;

import dev.parlance.service.config.HostPort;
import java.util.Locale;
import java.util.Optional;

/**
 * A pattern {@code host[:port]} for hosts, ASCII case-insensitive. In either part {@code *} matches
 * any run of characters, also none; it never reaches over the colon before the port. Without a port
 * part every port matches. A trailing dot of a host name is ignored.
 */
public final class HostPattern {
  /** Matches every host and port. */
  public static final HostPattern ANY = new HostPattern("*", "*", "*");

  private final String text;
  private final String host;
  private final String port;

  private HostPattern(String text, String host, String port) {
    this.text = text;
    this.host = host;
    this.port = port;
  }

  /** Reads a pattern; empty if it is none (nothing, blanks, a port that is no number). */
  public static Optional<HostPattern> parse(String text) {
    int colon = text.startsWith("[") ? text.indexOf(':', text.indexOf(']') + 1) : text.indexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    String port = colon < 0 ? "*" : text.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty() || port.isEmpty() || port.length() > 5) {
      return Optional.empty();
    }
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c > '~' || c == '/' || c == '@' || c == '?' || c == '#') {
        return Optional.empty();
      }
    }
    for (int i = 0; i < port.length(); i++) {
      char c = port.charAt(i);
      if (c != '*' && (c < '0' || c > '9')) {
        return Optional.empty();
      }
    }
    return Optional.of(new HostPattern(text, canonical(host), port));
  }

  /** True if the pattern matches every host and port. */
  public boolean matchesAll() {
    return host.equals("*") && port.equals("*");
  }

  /** The host, if the pattern is for one name and not for an address. */
  public Optional<String> name() {
    boolean isName =
        host.indexOf('*') < 0 && host.indexOf(':') < 0 && !host.matches("[0-9]+(\\.[0-9]+){3}");
    return isName ? Optional.of(host) : Optional.empty();
  }

  /** True for this host (IPv6 with or without brackets) and port. */
  public boolean matches(String candidateHost, int candidatePort) {
    return matchesAll()
        || (glob(host, canonical(unbracketed(candidateHost)))
            && (port.equals("*") || glob(port, Integer.toString(candidatePort))));
  }

  /**
   * True for this authority, {@code host} or {@code host:port}; one without a port has the given
   * default. Only a pattern that matches everything takes text that is no authority.
   */
  public boolean matchesAuthority(String authority, int defaultPort) {
    if (matchesAll()) {
      return true;
    }
    Optional<HostPort> parts = HostPort.parse(authority);
    return parts.isPresent()
        && matches(parts.get().host(), parts.get().port() < 0 ? defaultPort : parts.get().port());
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static String canonical(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.length() > 1 && lower.endsWith(".")
        ? lower.substring(0, lower.length() - 1)
        : lower;
  }

  /** Greedy with one step back to the last star: linear for one star, never exponential. */
  private static boolean glob(String pattern, String value) {
    int p = 0;
    int v = 0;
    int star = -1;
    int resume = 0;
    while (v < value.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = v;
      } else if (p < pattern.length() && pattern.charAt(p) == value.charAt(v)) {
        p++;
        v++;
      } else if (star >= 0) {
        p = star + 1;
        v = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostPattern that && host.equals(that.host) && port.equals(that.port);
  }

  @Override
  public int hashCode() {
    return 31 * host.hashCode() + port.hashCode();
  }

  /** The pattern as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
