package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;
import dev.parlance.service.identity.IdentityFiles;
import dev.parlance.service.identity.SpiffePattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Who this sidecar is, and whom it believes.
 *
 * @param source where its certificate and the bundles come from; empty where another mesh has them
 * @param tls12 whether TLS 1.2 is spoken beside 1.3
 * @param deny ids that are refused although their certificates are good
 * @param peers which ids the names of other agents stand for; the first that matches
 * @param external who may say who calls, where another mesh encrypts
 */
public record IdentitySettings(
    Optional<Source> source,
    boolean tls12,
    List<SpiffePattern> deny,
    List<PeerIds> peers,
    Optional<External> external) {
  /** Takes copies. */
  public IdentitySettings {
    deny = List.copyOf(deny);
    peers = List.copyOf(peers);
  }

  /** Where an identity comes from. */
  public sealed interface Source {
    /** Files that somebody else renews. */
    record Files(IdentityFiles.Paths paths) implements Source {}

    /** The SPIFFE Workload API at a Unix socket. */
    record WorkloadApi(Path socket) implements Source {}

    /**
     * The control plane, which issues a certificate for a key that is made here.
     *
     * @param tokenFile token of the pod's service account; absent: the attach token proves who asks
     */
    record ControlPlane(Optional<Path> tokenFile) implements Source {}
  }

  /**
   * The identities that names stand for.
   *
   * @param hosts the names, as patterns
   * @param ids who may answer for them, one or more
   */
  public record PeerIds(List<HostPattern> hosts, List<SpiffePattern> ids) {
    /** Refuses a name for nobody. */
    public PeerIds {
      hosts = List.copyOf(hosts);
      ids = List.copyOf(ids);
      if (hosts.isEmpty() || ids.isEmpty()) {
        throw new IllegalArgumentException("expected hosts and ids");
      }
    }
  }

  /**
   * Who may say who calls.
   *
   * @param field in which field of the request
   * @param from addresses of those who are believed
   */
  public record External(Field field, List<AddressRange> from) {
    /** The fields that meshes write. */
    public enum Field implements Coded {
      /** Envoy's and Istio's {@code x-forwarded-client-cert}. */
      XFCC,
      /** Linkerd's {@code l5d-client-id}. */
      L5D
    }

    /** Takes a copy. */
    public External {
      from = List.copyOf(from);
    }
  }

  /** Who may answer for this name; empty if nobody has been named. */
  public List<SpiffePattern> idsOf(String host, int port) {
    return peers.stream()
        .filter(peer -> peer.hosts().stream().anyMatch(pattern -> pattern.matches(host, port)))
        .findFirst()
        .map(PeerIds::ids)
        .orElse(List.of());
  }
}
