package dev.parlance.proxy.config;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.config.Loopback;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the certified cores come from.
 *
 * @param target address of the control plane; its port is 1-65535
 * @param agent id of the agent beside this sidecar
 * @param keys keys of which one must have signed a core, as they stand in the file
 * @param keysFile file with further keys, one a line; absolute
 * @param tokenFile file with the attach token; absolute; absent: the sidecar shows its SVID
 * @param tls TLS towards the control plane
 * @param insecure whether a target that is not this machine may do without TLS
 * @param maxStalenessMs longest time since the control plane confirmed a core, 1 or more
 * @param peers which agent is behind which host
 * @param localAgent where questions are put; without it none is answered
 * @param rounds how messages that have to do with rounds are dealt with
 */
public record ControlSettings(
    HostPort target,
    String agent,
    List<VerifierKey> keys,
    Optional<Path> keysFile,
    Optional<Path> tokenFile,
    Optional<ControlTls> tls,
    boolean insecure,
    long maxStalenessMs,
    List<PeerHosts> peers,
    Optional<LocalAgent> localAgent,
    RoundSettings rounds) {
  /** Refuses settings under which no core could be trusted or none reached. */
  public ControlSettings {
    keys = List.copyOf(keys);
    peers = List.copyOf(peers);
    if (keys.isEmpty() && keysFile.isEmpty()) {
      throw new IllegalArgumentException("expected keys or a file with keys");
    }
    if (target.port() < 1 || maxStalenessMs < 1) {
      throw new IllegalArgumentException(
          "expected a port and maxStalenessMs of at least 1, got "
              + target
              + ", "
              + maxStalenessMs);
    }
    if (tls.isEmpty() && !insecure && !Loopback.isLoopback(target.host())) {
      throw new IllegalArgumentException("expected TLS towards " + target.host());
    }
  }

  /** What cannot change while the sidecar runs: all but staleness, peers and rounds. */
  ControlSettings fixedPart() {
    return new ControlSettings(
        target,
        agent,
        keys,
        keysFile,
        tokenFile,
        tls,
        insecure,
        1,
        List.of(),
        localAgent,
        RoundSettings.DEFAULTS);
  }

  /**
   * TLS towards the control plane.
   *
   * @param ca file of the authorities that may vouch for it; absolute
   * @param own the sidecar's own certificate, where the control plane asks for one
   */
  public record ControlTls(Path ca, Optional<Own> own) {
    /**
     * A certificate of one's own.
     *
     * @param cert PEM file of the chain; absolute
     * @param key PEM file of the private key; absolute
     */
    public record Own(Path cert, Path key) {}
  }

  /**
   * An agent and its addresses.
   *
   * @param agent id of the agent
   * @param hosts patterns of its addresses, one or more
   */
  public record PeerHosts(String agent, List<HostPattern> hosts) {
    /** Refuses an agent without an address. */
    public PeerHosts {
      hosts = List.copyOf(hosts);
      if (hosts.isEmpty()) {
        throw new IllegalArgumentException("expected hosts of " + agent);
      }
    }
  }
}
