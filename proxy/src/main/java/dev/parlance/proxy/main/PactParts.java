package dev.parlance.proxy.main;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.pact.PactPolicy;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proxy.admin.AdminPorts;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.control.api.MemberSigning;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.pact.PactRules;
import dev.parlance.proxy.pact.SidecarPacts;
import dev.parlance.service.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The pacts among the sidecar's parts. */
final class PactParts {
  private static final Logger log = LoggerFactory.getLogger(PactParts.class);

  /** What stands before the digest of a template's text. */
  private static final String PIN = "@sha256:";

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
                config.storage().dataDir()),
            () -> rules,
            control.get().pacts(),
            events));
  }

  /** The local agent signs in rounds with the key of its pacts. */
  static void sign(SidecarConfig config, ControlPlaneClient control, SidecarPacts pacts) {
    Map<String, List<VerifierKey>> pinned = new HashMap<>();
    config
        .pacts()
        .ifPresent(
            settings -> settings.peers().forEach(peer -> pinned.put(peer.agent(), peer.keys())));
    control.signs(new MemberSigning(pacts::keys, pinned));
  }

  /** The pacts as the admin server sees them. */
  record Admin(SidecarPacts pacts) implements AdminPorts.PactsPort {
    private static final long WAIT_MS = 5_000;
    private static final List<String> REASONS =
        Ending.of(Ending.Source.PARTY).stream().map(Ending::code).toList();

    @Override
    public List<JsonNode> list(int limit) {
      return pacts.shown(limit).stream().map(Admin::json).toList();
    }

    @Override
    public List<String> reasons() {
      return REASONS;
    }

    @Override
    public Result<JsonNode> dissolve(String id, String reason, String who, String note) {
      log.atInfo()
          .addKeyValue("pact", id)
          .addKeyValue("reason", reason)
          .addKeyValue("who", who)
          .addKeyValue("note", note)
          .log("a person ends a pact");
      try {
        return pacts
            .dissolve(id, Ending.ofCode(reason).orElseThrow())
            .get(WAIT_MS, TimeUnit.MILLISECONDS)
            .then(shown -> Result.done(json(shown)));
      } catch (ExecutionException | TimeoutException e) {
        return unavailable();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return unavailable();
      }
    }

    private static Result<JsonNode> unavailable() {
      return Result.refused(Result.Kind.UNAVAILABLE, "pact_unavailable", "no answer in time");
    }

    private static JsonNode json(SidecarPacts.Shown shown) {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("pact", shown.pact()).put("peer", shown.peer());
      node.put("initiator", shown.initiator()).put("state", shown.standing());
      node.put("endMs", shown.endMs());
      shown.reason().ifPresent(reason -> node.put("reason", reason));
      return node;
    }
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
        pins(settings),
        settings.schemas(),
        settings.schemasDir(),
        new PactRules.Moves.ByPolicy(
            new PactPolicy(settings.policy().stream().map(PactParts::rule).toList())));
  }

  private static Map<String, Set<String>> pins(PactSettings settings) {
    Map<String, Set<String>> pins = new HashMap<>();
    for (PactSettings.Rule rule : settings.policy()) {
      for (List<String> texts : List.of(rule.accept(), rule.negotiate(), rule.offer())) {
        for (String text : texts) {
          int pin = text.indexOf(PIN);
          if (pin > 0) {
            pins.computeIfAbsent(text.substring(0, pin), _ -> new HashSet<>())
                .add(text.substring(pin + PIN.length()));
          }
        }
      }
    }
    return pins;
  }

  /** Templates without the digests of their texts. */
  private static List<String> references(List<String> texts) {
    return texts.stream()
        .map(text -> text.contains(PIN) ? text.substring(0, text.indexOf(PIN)) : text)
        .toList();
  }

  private static PactPolicy.Rule rule(PactSettings.Rule rule) {
    return new PactPolicy.Rule(
        rule.peers(),
        new HashSet<>(references(rule.accept())),
        new HashSet<>(references(rule.negotiate())),
        new HashSet<>(rule.refuse()),
        references(rule.offer()),
        rule.propose(),
        bounds(rule.bounds()),
        new HashSet<>(rule.hidden()),
        rule.arbiter()
            .map(name ->
                new PactPolicy.Arbiter(
                    name, rule.arbiterWithinMs(), bounds(rule.arbiterBounds()))));
  }

  private static Map<String, List<PactPolicy.Bound>> bounds(Map<String, PactSettings.Bound> byKey) {
    Map<String, List<PactPolicy.Bound>> bounds = new HashMap<>();
    byKey.forEach((key, bound) -> bounds.put(key, bounds(bound)));
    return bounds;
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
