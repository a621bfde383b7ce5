package dev.parlance.proxy.control;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;

/**
 * Whom the mesh believes, as the control plane says.
 *
 * @param trustDomain of the authorities; empty if the control plane issues no identities
 * @param authorities who vouch for ids of that domain
 * @param denied entries of the deny list
 */
public record PushedTrust(
    String trustDomain, Set<X509Certificate> authorities, List<String> denied) {
  /** Takes copies. */
  public PushedTrust {
    authorities = Set.copyOf(authorities);
    denied = List.copyOf(denied);
  }

  /** Hears of it, on the thread of the stream. */
  @FunctionalInterface
  public interface Listener {
    /** It takes the place of what was there before. */
    void trusted(PushedTrust trust);
  }
}
