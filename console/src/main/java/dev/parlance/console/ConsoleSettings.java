package dev.parlance.console;

import dev.parlance.console.login.OidcSettings;
import dev.parlance.service.config.Listen;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How a console is served.
 *
 * @param listen where; loopback unless people log in at an issuer
 * @param version what runs, for people
 * @param who in whose name holders of a one-time code act
 * @param groups in which groups they do, at most 90
 * @param outside how it is reached from elsewhere; empty: not at all
 */
public record ConsoleSettings(
    Listen listen, String version, String who, Set<String> groups, Optional<Outside> outside) {
  /**
   * A console that is reached over a network; people log in at an issuer, and codes are void.
   *
   * @param url what browsers call it: scheme, host and port, no path
   * @param oidc who says who people are
   * @param tls the certificate of the next connection; empty: what stands in front ends TLS
   */
  public record Outside(URI url, OidcSettings oidc, Optional<Supplier<Optional<SslContext>>> tls) {
    /** Refuses an address that is more or less than an origin. */
    public Outside {
      boolean isWeb = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      if (!isWeb || url.getHost() == null || !url.toString().equals(origin(url))) {
        throw new IllegalArgumentException(
            "expected scheme, host and port of the console, got " + url);
      }
    }

    private static String origin(URI url) {
      return url.getScheme() + "://" + url.getRawAuthority();
    }
  }

  /** Refuses to be open to a network without an issuer. */
  public ConsoleSettings {
    groups = Set.copyOf(groups);
    if (outside.isEmpty() && !listen.isLoopback()) {
      throw new IllegalArgumentException(
          "without an issuer to log in at, the console listens on loopback only, got "
              + listen.host());
    }
  }

  /** The same, whose people act in these groups as well. */
  public ConsoleSettings in(Set<String> others) {
    return new ConsoleSettings(listen, version, who, others, outside);
  }

  /** A console on loopback. */
  public static ConsoleSettings onLoopback(int port, String version, String who) {
    return new ConsoleSettings(
        new Listen("127.0.0.1", port), version, who, Set.of(), Optional.empty());
  }
}
