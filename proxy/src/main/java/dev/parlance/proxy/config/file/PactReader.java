package dev.parlance.proxy.config.file;

import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.OpaquePolicy;
import dev.parlance.proxy.config.PactRule;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PactSettings.Actions;
import dev.parlance.proxy.config.PactSettings.Bound;
import dev.parlance.proxy.config.PactSettings.OnNoPeer;
import dev.parlance.proxy.config.PactSettings.OnUnmeasured;
import dev.parlance.proxy.config.PactSettings.Peer;
import dev.parlance.proxy.config.PactSettings.Rule;
import dev.parlance.proxy.config.Pointers;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the section {@code pacts}, and what a route asks of pacts. */
final class PactReader {
  private static final int LONGEST_PARTY = 128;

  private final Section root;
  private final Section pacts;
  private final Issues issues;
  private final Path baseDir;
  private final Path dataDir;

  private PactReader(Section root, Issues issues, Path baseDir, Path dataDir) {
    this.root = root;
    this.pacts = root.section("pacts");
    this.issues = issues;
    this.baseDir = baseDir;
    this.dataDir = dataDir;
  }

  /** The settings; empty if the section is absent, or if there is a problem in it. */
  static Optional<PactSettings> read(Section root, Issues issues, Path baseDir, Path dataDir) {
    return root.has("pacts")
        ? new PactReader(root, issues, baseDir, dataDir).settings()
        : Optional.empty();
  }

  private Optional<PactSettings> settings() {
    checkParty();
    checkActions();
    long maxDurationMs = pacts.bigNumber("maxDurationMs", PactSettings.DURATION_MS);
    long validityMs =
        pacts.bigNumber("validityMs", Math.min(PactSettings.DURATION_MS, maxDurationMs));
    if (validityMs > maxDurationMs) {
      pacts.problem(
          "validityMs",
          "got " + validityMs + ", expected at most maxDurationMs (" + maxDurationMs + ")");
    }
    Path keyFile = path("keyFile").orElseGet(() -> dataDir.resolve(PactSettings.KEY_FILE));
    List<String> schemas = schemas();
    Optional<Path> schemasDir = path("schemasDir");
    Optional<Path> templatesDir = path("templatesDir");
    List<Peer> peers = peers();
    List<Rule> policy = pacts.sections("policy").stream().map(this::rule).toList();
    if (!issues.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PactSettings(
            keyFile,
            pacts.number("clockSkewMs", PactSettings.CLOCK_SKEW_MS),
            pacts.number("timeoutMs", PactSettings.TIMEOUT_MS),
            maxDurationMs,
            validityMs,
            pacts.bigNumber("completeAfterIdleMs", PactSettings.IDLE_MS),
            pacts.bigNumber("heldBytes", PactSettings.HELD_BYTES),
            pacts.number("maxActive", PactSettings.MAX_ACTIVE),
            Choices.of(
                pacts.text("onUnmeasured"),
                OnUnmeasured.values(),
                OnUnmeasured::code,
                OnUnmeasured.BLOCK),
            Choices.of(pacts.text("onNoPeer"), OnNoPeer.values(), OnNoPeer::code, OnNoPeer.REFUSE),
            actions(),
            schemas,
            schemasDir,
            templatesDir,
            peers,
            policy));
  }

  private Actions actions() {
    return Choices.of(pacts.text("actions"), Actions.values(), Actions::code, Actions.WORKING);
  }

  /** What is handed on unread is under no pact. */
  private void checkActions() {
    Section outbound = root.section("outbound");
    boolean passes =
        outbound.text("opaque").filter(OpaquePolicy.PASS.code()::equals).isPresent()
            || !outbound.items("opaquePorts").isEmpty();
    if (actions() == Actions.STRICT && passes) {
      pacts.problem("actions", "got \"strict\", expected no opaque connections beside it");
    }
  }

  /** A party is the agent of {@code control}; a key's name cannot hold every id. */
  private void checkParty() {
    if (!root.has("control")) {
      issues.add(
          "/pacts", "nobody here has a name or a ledger, expected a section control beside pacts");
      return;
    }
    Section control = root.section("control");
    control
        .text("agent")
        .filter(agent -> !isParty(agent))
        .ifPresent(agent ->
            control.problem(
                "agent",
                "got \"" + Pointers.shown(agent) + "\", expected an id without @ beside pacts"));
  }

  private static boolean isParty(String id) {
    return id.length() <= LONGEST_PARTY && id.indexOf('@') < 0;
  }

  private Optional<Path> path(String key) {
    return pacts
        .text(key)
        .filter(text -> !text.isEmpty())
        .flatMap(text -> {
          try {
            return Optional.of(baseDir.resolve(text).normalize());
          } catch (InvalidPathException e) {
            pacts.problem(
                key, "got \"" + Pointers.shown(text) + "\", expected a path: " + e.getReason());
            return Optional.empty();
          }
        });
  }

  private List<String> schemas() {
    for (Section.Item schema : pacts.items("schemas")) {
      try {
        JsonTree.read(new ByteArrayInputStream(schema.text().getBytes(StandardCharsets.UTF_8)));
      } catch (JacksonException | IllegalStateException e) {
        issues.add(
            schema.pointer(),
            "got \"" + Pointers.shown(schema.text()) + "\", expected a JSON Schema as text");
      }
    }
    return texts(pacts, "schemas");
  }

  private List<Peer> peers() {
    List<Peer> peers = new ArrayList<>();
    Set<String> agents = new HashSet<>();
    for (Section section : pacts.sections("peers")) {
      Optional<String> agent = section.text("agent");
      if (agent.isPresent() && !agents.add(agent.get())) {
        section.problem(
            "agent", "agent \"" + agent.get() + "\" is listed twice, expected unique agents");
      }
      List<VerifierKey> keys = new ArrayList<>();
      List<Section.Item> items = section.items("keys");
      if (items.isEmpty()) {
        section.problem("keys", "no key, expected one or more");
      }
      for (Section.Item item : items) {
        key(item, agent.orElse("")).ifPresent(keys::add);
      }
      if (agent.isPresent() && !keys.isEmpty()) {
        peers.add(new Peer(agent.get(), keys));
      }
    }
    return peers;
  }

  private Optional<VerifierKey> key(Section.Item item, String agent) {
    Optional<VerifierKey> key =
        VerifierKey.parse(item.text()) instanceof Parsed.Ok<VerifierKey>(VerifierKey good)
            ? Optional.of(good)
            : Optional.empty();
    if (key.filter(found -> found.type() == KeyType.ED25519 && found.name().equals(agent))
        .isEmpty()) {
      issues.add(
          item.pointer(),
          "got \""
              + Pointers.shown(item.text())
              + "\", expected a public key name+id+base64 of Ed25519 whose name is the agent");
      return Optional.empty();
    }
    return key;
  }

  private Rule rule(Section rule) {
    List<String> peers = texts(rule, "peers");
    if (peers.isEmpty()) {
      rule.problem("peers", "no peer, expected one or more, \"*\" for any");
    }
    for (Section.Item peer : rule.items("peers")) {
      if (peer.text().indexOf('*') >= 0 && peer.text().indexOf('*') < peer.text().length() - 1) {
        issues.add(
            peer.pointer(),
            "got \""
                + Pointers.shown(peer.text())
                + "\", expected an agent's id, or its beginning and one * at the end");
      }
    }
    enumerated(rule, "accept");
    enumerated(rule, "negotiate");
    return new Rule(
        peers.isEmpty() ? List.of("*") : peers,
        texts(rule, "accept"),
        texts(rule, "negotiate"),
        texts(rule, "refuse"),
        texts(rule, "offer"),
        propose(rule),
        bounds(rule.section("bounds")));
  }

  /** What is agreed to is named, each for itself (paper, "Templates"). */
  private void enumerated(Section rule, String key) {
    for (Section.Item item : rule.items(key)) {
      if (item.text().equals("*")) {
        issues.add(item.pointer(), "got \"*\", expected templates by name, AUTHOR/NAME@VERSION");
      }
    }
  }

  private static List<String> texts(Section section, String key) {
    return section.items(key).stream().map(Section.Item::text).toList();
  }

  private static List<Predicate> propose(Section rule) {
    List<Predicate> predicates = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Section one : rule.sections("propose")) {
      Predicate predicate =
          new Predicate(one.text("id", ""), one.text("category", ""), one.text("body", ""));
      if (!predicate.id().isEmpty() && !ids.add(predicate.id())) {
        one.problem("id", "two predicates are \"" + predicate.id() + "\", expected unique ids");
      }
      if (!predicate.body().isEmpty()
          && PactTerms.read(predicate.category(), predicate.body())
              instanceof PactTerms.Reading.Bad(PactTerms.Fault fault, Optional<String> key)) {
        one.problem(
            "body",
            "got \""
                + Pointers.shown(predicate.body())
                + "\", expected key op value; ...: "
                + fault
                + key.map(name -> " at " + name).orElse(""));
      }
      predicates.add(predicate);
    }
    return predicates;
  }

  private static Map<String, Bound> bounds(Section bounds) {
    Map<String, Bound> found = new TreeMap<>();
    for (String key : bounds.names()) {
      Section one = bounds.section(key);
      OptionalDouble atMost = decimal(one, "atMost");
      OptionalDouble atLeast = decimal(one, "atLeast");
      List<String> subsetOf = texts(one, "subsetOf");
      if (atMost.isEmpty() && atLeast.isEmpty() && subsetOf.isEmpty()) {
        bounds.problem(key, "binds nothing, expected atMost, atLeast or subsetOf");
      } else {
        found.put(key, new Bound(atMost, atLeast, subsetOf));
      }
    }
    return found;
  }

  private static OptionalDouble decimal(Section section, String key) {
    return section
        .value(key)
        .filter(JsonNode::isNumber)
        .map(value -> OptionalDouble.of(value.doubleValue()))
        .orElse(OptionalDouble.empty());
  }

  // ---- routes ----

  /**
   * What a route asks of pacts, and what would let a message pass that was not held to one.
   *
   * @param root the whole file
   */
  static PactRule rule(Section root, Section route) {
    PactRule.Demand demand =
        Choices.of(
            route.text("pact"),
            PactRule.Demand.values(),
            PactRule.Demand::code,
            PactRule.Demand.OFF);
    PactRule rule = new PactRule(demand, route.text("peer"));
    if (!rule.isOn()) {
      if (rule.peer().isPresent()) {
        route.problem("peer", "nobody asks for a peer, expected pact beside it");
      }
      return rule;
    }
    if (!root.has("pacts")) {
      route.problem(
          "pact", "there are no pacts here, expected a section pacts beside pact " + demand.code());
    }
    if (demand == PactRule.Demand.REQUIRED) {
      only(route, "onUnjudged");
      only(route, "onError");
    }
    return rule;
  }

  private static void only(Section route, String key) {
    route
        .text(key)
        .filter(given -> !given.equals(OnFailure.BLOCK.code()))
        .ifPresent(given ->
            route.problem(key, "got \"" + given + "\", expected block beside pact required"));
  }
}
