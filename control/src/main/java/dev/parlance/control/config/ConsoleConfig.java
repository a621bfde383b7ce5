package dev.parlance.control.config;

import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.login.OidcSettings;
import dev.parlance.service.config.Binder.Key;
import dev.parlance.service.config.Listen;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The console that a replica serves for the sidecars that are attached to it.
 *
 * @param listen where; loopback unless people log in at an issuer
 * @param who in whose name holders of a one-time code decide; on loopback only
 * @param url what browsers call it: scheme, host and port; stands with an issuer
 * @param issuer who says who people are; absent: one-time codes, on loopback
 */
public record ConsoleConfig(
    Listen listen, String who, Optional<URI> url, @Key("oidc") Optional<Issuer> issuer) {
  /** Refuses to be open to a network without an issuer, and an issuer without an address. */
  public ConsoleConfig {
    if (issuer.isEmpty() && !listen.isLoopback()) {
      throw new IllegalArgumentException(
          "got listen " + listen + " without oidc, expected a loopback address, or oidc and url");
    }
    if (issuer.isPresent() != url.isPresent()) {
      throw new IllegalArgumentException(
          "expected oidc and url together: people come back from the issuer to that address");
    }
    // refuses an address or an issuer that cannot be used, with a sentence
    settings(listen, "", who, url, issuer, Optional.empty());
  }

  /**
   * As the console takes it.
   *
   * @param version what runs, for people
   * @param tls the certificate of the next connection; empty: plain text
   */
  public ConsoleSettings settings(String version, Optional<Supplier<Optional<SslContext>>> tls) {
    return settings(listen, version, who, url, issuer, tls);
  }

  private static ConsoleSettings settings(
      Listen listen,
      String version,
      String who,
      Optional<URI> url,
      Optional<Issuer> issuer,
      Optional<Supplier<Optional<SslContext>>> tls) {
    return new ConsoleSettings(
        listen,
        version,
        who,
        Set.of(),
        issuer.map(
            people -> new ConsoleSettings.Outside(url.orElseThrow(), people.settings(), tls)));
  }

  /**
   * An issuer of OpenID Connect.
   *
   * @param issuer as its tokens name it
   * @param clientId what the console is called there
   * @param clientSecretFile file whose first line is its secret; absent: PKCE alone
   * @param nameClaim member of the token that names a person
   * @param groupsClaim member of the token with a person's groups
   */
  public record Issuer(
      URI issuer,
      String clientId,
      Optional<Path> clientSecretFile,
      String nameClaim,
      String groupsClaim,
      Roles roles) {
    /** Refuses an issuer whose people may do nothing. */
    public Issuer {
      if (roles.viewer().isEmpty()
          && roles.reviewer().isEmpty()
          && roles.auditor().isEmpty()
          && roles.operator().isEmpty()) {
        throw new IllegalArgumentException("expected a group that has a role, in roles");
      }
    }

    private OidcSettings settings() {
      Map<ConsoleRole, Set<String>> groups = new EnumMap<>(ConsoleRole.class);
      groups.put(ConsoleRole.VIEWER, Set.copyOf(roles.viewer()));
      groups.put(ConsoleRole.REVIEWER, Set.copyOf(roles.reviewer()));
      groups.put(ConsoleRole.AUDITOR, Set.copyOf(roles.auditor()));
      groups.put(ConsoleRole.OPERATOR, Set.copyOf(roles.operator()));
      return new OidcSettings(issuer, clientId, clientSecretFile, nameClaim, groupsClaim, groups);
    }
  }

  /** The groups that have each role. */
  public record Roles(
      List<String> viewer, List<String> reviewer, List<String> auditor, List<String> operator) {
    /** Takes copies. */
    public Roles {
      viewer = List.copyOf(viewer);
      reviewer = List.copyOf(reviewer);
      auditor = List.copyOf(auditor);
      operator = List.copyOf(operator);
    }
  }
}
