package dev.parlance.proxy.config;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.text.Coded;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Verdicts that go from sidecar to sidecar (key {@code verdicts}).
 *
 * @param keyFile private key that verdicts are made with; its name is the name of this sidecar
 * @param peers keys of other sidecars
 * @param trustVerdicts whose verdicts are believed
 * @param acceptProfiles digests of profiles, beside the own ones, by whose judgment a message
 *     passes
 * @param onForged what becomes of a message with a verdict that no honest sidecar has sent
 * @param lifetimeMs how long a verdict holds, 1 to 60,000
 */
public record VerdictSettings(
    Optional<Path> keyFile,
    List<PeerKey> peers,
    Trust trustVerdicts,
    Set<String> acceptProfiles,
    OnForged onForged,
    int lifetimeMs) {
  /** Takes copies. */
  public VerdictSettings {
    peers = List.copyOf(peers);
    acceptProfiles = Set.copyOf(acceptProfiles);
  }

  /** What becomes of a message with a forged verdict. */
  public enum OnForged implements Coded {
    /** It is judged as if it had none. */
    JUDGE,
    /** It is refused. */
    REFUSE
  }

  /**
   * A key of another sidecar.
   *
   * @param hosts where it can be reached; its callers need none
   */
  public record PeerKey(VerifierKey key, List<HostPattern> hosts) {
    /** Takes a copy. */
    public PeerKey {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * Names of sidecars.
   *
   * @param ids SPIFFE ids
   * @param agents ids of agents, as the control plane knows them
   */
  public record Trust(List<SpiffePattern> ids, Set<String> agents) {
    /** Takes copies. */
    public Trust {
      ids = List.copyOf(ids);
      agents = Set.copyOf(agents);
    }

    /** True if there is nobody among them. */
    public boolean isEmpty() {
      return ids.isEmpty() && agents.isEmpty();
    }

    /**
     * True for this name.
     *
     * @param known the id of who goes by it, as the control plane says; empty if it says none
     */
    public boolean has(String name, Optional<SpiffeId> known) {
      return agents.contains(name)
          || known
              .or(() -> SpiffeId.parse(name))
              .filter(id -> ids.stream().anyMatch(pattern -> pattern.matches(id)))
              .isPresent();
    }
  }
}
