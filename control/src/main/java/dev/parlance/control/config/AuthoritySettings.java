package dev.parlance.control.config;

import dev.parlance.service.config.Binder.Key;
import dev.parlance.service.identity.SpiffeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Whom the control plane gives an identity, and whose identities it believes.
 *
 * @param trustDomain whose ids it issues; empty: it issues none
 * @param files an authority that somebody else keeps; absent: one in the store
 * @param certificateLife how long a certificate is valid
 * @param authorityLife how long an authority of its own is valid
 * @param audience which service-account tokens are meant for it
 * @param agents the ids of agents, which their attach tokens prove and which may attach for them
 * @param domains bundles of trust domains whose sidecars may attach by their SVID
 */
public record AuthoritySettings(
    Optional<String> trustDomain,
    @Key("authority") Optional<AuthorityFiles> files,
    @Key("certificateMinutes") Duration certificateLife,
    @Key("authorityDays") Duration authorityLife,
    String audience,
    Map<String, SpiffeId> agents,
    Map<String, Path> domains) {
  /** No identities. */
  public static final AuthoritySettings NONE =
      ControlConfigLoader.defaults("identity", AuthoritySettings.class);

  /** Takes copies. */
  public AuthoritySettings {
    agents = Map.copyOf(agents);
    domains = Map.copyOf(domains);
  }

  /** True if sidecars may show an SVID. */
  public boolean believes() {
    return trustDomain.isPresent() || !domains.isEmpty();
  }

  /**
   * An authority in files.
   *
   * @param cert the issuing certificate first, then those between it and the root
   * @param key its private key
   * @param bundle the authorities that sidecars are to believe
   */
  public record AuthorityFiles(Path cert, Path key, Path bundle) {}
}
