package dev.parlance.proxy.main;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.pact.PactRules;
import dev.parlance.proxy.pact.PolicyMoves;
import dev.parlance.proxy.pact.SidecarPacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pacts among the sidecar's parts. */
final class PactParts {
  private PactParts() {}

  /**
   * The pacts of the local agent, if they are configured; nothing is asked before they are started.
   *
   * @throws IOException if the key or the journal cannot be used
   */
  static Optional<SidecarPacts> open(
      SidecarConfig config, Optional<ControlPlaneClient> control, Pacts.Events events)
      throws IOException {
    if (config.pacts().isEmpty() || control.isEmpty()) {
      return Optional.empty();
    }
    PactSettings settings = config.pacts().get();
    // Read once: the section is fixed at start.
    PactRules rules = rules(settings);
    return Optional.of(
        SidecarPacts.open(
            new SidecarPacts.Place(
                config.control().map(ControlSettings::agent).orElseThrow(),
                Optional.of(settings.keyFile()),
                config.dataDir()),
            () -> rules,
            control.get().pacts(),
            events));
  }

  private static PactRules rules(PactSettings settings) {
    Map<String, List<VerifierKey>> keys = new HashMap<>();
    settings.peers().forEach(peer -> keys.put(peer.agent(), peer.keys()));
    return new PactRules(
        settings.clockSkewMs(),
        settings.timeoutMs(),
        settings.maxDurationMs(),
        settings.validityMs(),
        settings.completeAfterIdleMs(),
        settings.maxActive(),
        keys,
        settings.templatesDir(),
        new PolicyMoves(new PactPolicy(settings.policy().stream().map(PactParts::rule).toList())));
  }

  private static PactPolicy.Rule rule(PactSettings.Rule rule) {
    Map<String, List<PactPolicy.Bound>> bounds = new HashMap<>();
    rule.bounds().forEach((key, bound) -> bounds.put(key, bounds(bound)));
    return new PactPolicy.Rule(
        rule.peers(),
        new HashSet<>(rule.accept()),
        new HashSet<>(rule.negotiate()),
        new HashSet<>(rule.refuse()),
        rule.offer(),
        rule.propose(),
        bounds);
  }

  private static List<PactPolicy.Bound> bounds(PactSettings.Bound bound) {
    List<PactPolicy.Bound> all = new ArrayList<>();
    bound.atMost().ifPresent(most -> all.add(new PactPolicy.Bound.AtMost(most)));
    bound.atLeast().ifPresent(least -> all.add(new PactPolicy.Bound.AtLeast(least)));
    if (!bound.subsetOf().isEmpty()) {
      all.add(new PactPolicy.Bound.SubsetOf(bound.subsetOf()));
    }
    return all;
  }
}
