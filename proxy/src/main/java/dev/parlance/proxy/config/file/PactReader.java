package dev.parlance.proxy.config.file;

import static dev.parlance.proxy.config.file.ConfigTypes.got;

import dev.parlance.policy.pact.PactTerms;
import dev.parlance.proxy.config.OpaquePolicy;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PactSettings.Actions;
import dev.parlance.service.config.JsonTree;
import dev.parlance.service.config.Section;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads {@code pacts}: what its keys have as defaults, and what goes with what. */
final class PactReader {
  private static final int MAX_PARTY_CHARS = 128;

  private final Section root;
  private final Section pacts;

  private PactReader(Section root) {
    this.root = root;
    this.pacts = root.section("pacts");
  }

  /** The settings; empty if the section is absent, or if there is a problem in it. */
  static Optional<PactSettings> read(Section root, Path dataDir) {
    if (!root.has("pacts")) {
      return Optional.empty();
    }
    PactReader reader = new PactReader(root);
    reader.check(dataDir);
    return reader.pacts.bind(PactSettings.class);
  }

  private void check(Path dataDir) {
    checkParty();
    checkActions();
    pacts.setDefault("keyFile", dataDir.resolve(PactSettings.KEY_FILE).toString());
    long maxDurationMs = pacts.bigNumber("maxDurationMs");
    long validityMs = pacts.bigNumber("validityMs");
    if (validityMs > maxDurationMs) {
      if (pacts.given("validityMs").isPresent()) {
        pacts.problem(
            "validityMs",
            "got " + validityMs + ", expected at most maxDurationMs (" + maxDurationMs + ")");
      }
      pacts.setDefault("validityMs", JsonNodeFactory.instance.numberNode(maxDurationMs));
    }
    for (Section.Item schema : pacts.items("schemas")) {
      try {
        JsonTree.read(new ByteArrayInputStream(schema.text().getBytes(StandardCharsets.UTF_8)));
      } catch (JacksonException | IllegalStateException e) {
        pacts.problem(schema, got(schema.text()) + "a JSON Schema as text");
      }
    }
    Set<String> agents = new HashSet<>();
    for (Section peer : pacts.sections("peers")) {
      peer.text("agent")
          .filter(agent -> !agents.add(agent))
          .ifPresent(agent ->
              peer.problem(
                  "agent", "agent \"" + agent + "\" is listed twice, expected unique agents"));
    }
    Optional<String> self = root.section("control").text("agent");
    pacts.sections("policy").forEach(rule -> rule(rule, self));
  }

  /** What is handed on unread is under no pact. */
  private void checkActions() {
    Section outbound = root.section("outbound");
    boolean passes =
        outbound.constant("opaque", OpaquePolicy.class) == OpaquePolicy.PASS
            || !outbound.numbers("opaquePorts").isEmpty();
    if (pacts.constant("actions", Actions.class) == Actions.STRICT && passes) {
      pacts.problem("actions", "got \"strict\", expected no opaque connections beside it");
    }
  }

  /** A party is the agent of {@code control}; a key's name cannot hold every id. */
  private void checkParty() {
    if (!root.has("control")) {
      root.problem(
          "pacts", "nobody here has a name or a ledger, expected a section control beside pacts");
      return;
    }
    Section control = root.section("control");
    control
        .text("agent")
        .filter(agent -> agent.length() > MAX_PARTY_CHARS || agent.indexOf('@') >= 0)
        .ifPresent(agent -> control.problem("agent", got(agent) + "an id without @ beside pacts"));
  }

  private static void rule(Section rule, Optional<String> self) {
    if (rule.items("peers").isEmpty()) {
      rule.problem("peers", "no peer, expected one or more, \"*\" for any");
    }
    for (Section.Item peer : rule.items("peers")) {
      if (peer.text().indexOf('*') >= 0 && peer.text().indexOf('*') < peer.text().length() - 1) {
        rule.problem(
            peer, got(peer.text()) + "an agent's id, or its beginning and one * at the end");
      }
    }
    enumerated(rule, "accept");
    enumerated(rule, "negotiate");
    propose(rule);
    arbiter(rule, self);
    bounds(rule.section("bounds"));
    bounds(rule.section("arbiterBounds"));
  }

  /** Nobody decides for itself, and what an arbiter is told stands on the ledger. */
  private static void arbiter(Section rule, Optional<String> self) {
    Optional<String> arbiter = rule.text("arbiter");
    if (arbiter.isPresent() && arbiter.equals(self)) {
      rule.problem("arbiter", got(arbiter.get()) + "another one than control.agent");
    }
    for (Section.Item peer : rule.items("peers")) {
      arbiter
          .filter(peer.text()::equals)
          .ifPresent(name -> rule.problem("arbiter", got(name) + "another one than the peers"));
    }
    if (arbiter.isPresent() && !rule.items("hidden").isEmpty()) {
      rule.problem("arbiter", got(arbiter.get()) + "none beside hidden predicates");
    }
  }

  private static void bounds(Section bounds) {
    for (String key : bounds.names()) {
      Section one = bounds.section(key);
      if (one.decimal("atMost").isEmpty()
          && one.decimal("atLeast").isEmpty()
          && one.items("subsetOf").isEmpty()) {
        bounds.problem(key, "binds nothing, expected atMost, atLeast or subsetOf");
      }
    }
  }

  /** What is agreed to is named, each for itself (paper, "Templates"). */
  private static void enumerated(Section rule, String key) {
    for (Section.Item item : rule.items(key)) {
      if (item.text().equals("*")) {
        rule.problem(item, "got \"*\", expected templates by name, AUTHOR/NAME@VERSION");
      }
    }
  }

  private static void propose(Section rule) {
    Set<String> ids = new HashSet<>();
    for (Section one : rule.sections("propose")) {
      String id = one.text("id").orElse("");
      String body = one.text("body").orElse("");
      if (!id.isEmpty() && !ids.add(id)) {
        one.problem("id", "two predicates are \"" + id + "\", expected unique ids");
      }
      if (!body.isEmpty()
          && PactTerms.read(one.text("category").orElse(""), body)
              instanceof PactTerms.Reading.Bad(PactTerms.Fault fault, Optional<String> key)) {
        one.problem(
            "body",
            got(body) + "key op value; ...: " + fault + key.map(name -> " at " + name).orElse(""));
      }
    }
  }
}
