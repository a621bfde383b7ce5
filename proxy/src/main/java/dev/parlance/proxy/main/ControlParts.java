package dev.parlance.proxy.main;

import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.Finality;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.control.PodPlace;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.service.identity.Svid;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The control plane among the sidecar's parts; no class of gRPC is loaded without one. */
final class ControlParts {
  private ControlParts() {}

  /** The control plane, if one is configured; not attached yet. */
  static Optional<ControlPlaneClient> open(
      SidecarConfig config,
      ConfigHolder holder,
      SidecarMetrics metrics,
      String version,
      Supplier<Optional<Svid>> identity)
      throws IOException {
    if (config.control().isEmpty()) {
      return Optional.empty();
    }
    ControlPlaneClient plane =
        ControlPlaneClient.open(
            config,
            config.control().get(),
            new ControlPlaneClient.Surroundings(
                config.node(),
                version,
                config.storage().dataDir(),
                metrics::guardedMessages,
                metrics.control(),
                holder::state,
                PodPlace.of(System.getenv()),
                identity));
    holder.addListener(plane);
    return Optional.of(plane);
  }

  /** Why routes with consequences cannot take traffic yet. */
  static List<String> notReady(Optional<ControlPlaneClient> control, SidecarConfig config) {
    return control.map(plane -> plane.notReady(consequential(config))).orElse(List.of());
  }

  private static Set<String> consequential(SidecarConfig config) {
    return config.routes().stream()
        .filter(RouteRule::consequential)
        .flatMap(route -> route.core().stream())
        .map(CoreRule::domain)
        .collect(Collectors.toSet());
  }

  /**
   * What the control plane is believed that nobody else confirms: on a route that acts on outcomes
   * of rounds, keys of members where none of them is configured.
   */
  static List<String> warnings(SidecarConfig config) {
    boolean acts = config.routes().stream().anyMatch(route -> route.finality() != Finality.NONE);
    boolean believes =
        config
            .control()
            .filter(control -> control.rounds().signatures() == SignatureRule.OFFERED)
            .isPresent();
    boolean isPinned = config.pacts().filter(pacts -> !pacts.peers().isEmpty()).isPresent();
    return acts && believes && !isPinned
        ? List.of(
            "a route acts on outcomes of rounds, and who has signed them the control plane alone"
                + " says (control.rounds.signatures: offered, no keys in pacts.peers)")
        : List.of();
  }
}
