package dev.parlance.proxy.control;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.proxy.config.ControlSettings.PeerHosts;
import dev.parlance.proxy.gate.Gate;
import java.util.List;
import java.util.Optional;

/** Agents by the patterns of their hosts; the first that matches. */
public final class HostPeers implements Gate.PeerResolver {
  /** Callers choose what they ask for, so what is remembered is bounded. */
  private static final int REMEMBERED = 1_024;

  private static final int HTTP_PORT = 80;

  private final List<PeerHosts> peers;
  private final Cache<String, Optional<String>> known =
      Caffeine.newBuilder().maximumSize(REMEMBERED).executor(Runnable::run).build();

  public HostPeers(List<PeerHosts> peers) {
    this.peers = List.copyOf(peers);
  }

  @Override
  public Optional<String> agentAt(String authority) {
    return peers.isEmpty() ? Optional.empty() : known.get(authority, this::look);
  }

  private Optional<String> look(String authority) {
    for (PeerHosts peer : peers) {
      if (peer.hosts().stream()
          .anyMatch(pattern -> pattern.matchesAuthority(authority, HTTP_PORT))) {
        return Optional.of(peer.agent());
      }
    }
    return Optional.empty();
  }
}
