package dev.parlance.console.login;

import dev.parlance.service.config.Loopback;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An issuer of OpenID Connect, and what its groups may do.
 *
 * @param issuer as its tokens name it; https, or http on loopback
 * @param clientId what the console is called there
 * @param clientSecretFile file whose first line is its secret; empty: a public client, by PKCE
 *     alone
 * @param whoClaim member of the token that names the person in decisions
 * @param groupsClaim member of the token with the names of groups, a list or one
 * @param groups names of groups that have a role
 */
public record OidcSettings(
    URI issuer,
    String clientId,
    Optional<Path> clientSecretFile,
    String whoClaim,
    String groupsClaim,
    Map<ConsoleRole, Set<String>> groups) {
  /** Refuses an issuer whose word could be changed on the way. */
  public OidcSettings {
    groups = Map.copyOf(groups);
    if (!isSafe(issuer)) {
      throw new IllegalArgumentException("expected an https issuer, got " + issuer);
    }
  }

  /** True if nobody on the way can read or change what goes there. */
  static boolean isSafe(URI address) {
    String host = address.getHost() == null ? "" : address.getHost();
    return ("https".equals(address.getScheme()) && !host.isEmpty())
        || ("http".equals(address.getScheme())
            && Loopback.isLoopback(host.replaceAll("[\\[\\]]", "")));
  }
}
