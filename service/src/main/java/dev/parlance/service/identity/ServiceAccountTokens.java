package dev.parlance.service.identity;

import dev.parlance.service.Result;
import java.util.Optional;
import java.util.ServiceLoader;

/** Says whose the token of a Kubernetes service account is. May wait for the API server. */
public interface ServiceAccountTokens extends AutoCloseable {
  /**
   * A service account.
   *
   * @param namespace a DNS label
   * @param name a DNS subdomain
   */
  record ServiceAccount(String namespace, String name) {
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final String SUBDOMAIN = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";

    /** The one of these names; empty if they cannot be its. */
    public static Optional<ServiceAccount> of(String namespace, String name) {
      return namespace.matches(LABEL) && name.matches(SUBDOMAIN)
          ? Optional.of(new ServiceAccount(namespace, name))
          : Optional.empty();
    }

    /** Its id in a trust domain. */
    public SpiffeId id(String trustDomain) {
      return new SpiffeId(trustDomain, "/ns/" + namespace + "/sa/" + name);
    }
  }

  /**
   * Whose it is.
   *
   * @param audience for whom it has to be meant
   */
  Result<ServiceAccount> review(String token, String audience);

  @Override
  default void close() {}

  /** Finds who reviews the tokens of this process's cluster; a service on the class path. */
  interface Provider {
    /** Whoever reviews them; empty outside of a cluster. */
    Optional<ServiceAccountTokens> inCluster();
  }

  /** Whoever reviews tokens where this process runs; empty outside of a cluster. */
  static Optional<ServiceAccountTokens> here() {
    return ServiceLoader.load(Provider.class).stream()
        .flatMap(found -> found.get().inCluster().stream())
        .findFirst();
  }
}
