package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.PactRule.Demand;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The section {@code pacts} and the route keys {@code pact} and {@code peer}. */
class PactConfigTest {
  private static final String CONTROL =
      """
      control:
        target: 127.0.0.1:15010
        agent: %s
        keys: ["%s"]
        tokenFile: token
      """;

  private static final String GOOD = Yaml.MINIMAL + CONTROL.formatted("alice", Keys.ONE);

  private static PactSettings pacts(String settings) {
    return Yaml.loaded(GOOD + "pacts: {%s}".formatted(settings)).pacts().orElseThrow();
  }

  private static PactRule route(String settings) {
    return Yaml.loaded(GOOD + "pacts: {}\nroutes: [{name: a%s}]".formatted(settings))
        .routes()
        .getFirst()
        .pact();
  }

  @Test
  void withoutTheSection_thereAreNone() {
    SidecarConfig config = Yaml.loaded(Yaml.MINIMAL);
    assertThat(config.pacts()).isEmpty();
    assertThat(config.routes().getLast().pact()).isEqualTo(PactRule.OFF);
  }

  @Test
  void anEmptySection_hasTheDefaults() {
    PactSettings pacts = pacts("");
    assertThat(pacts.keyFile())
        .isEqualTo(Yaml.loaded(GOOD).storage().dataDir().resolve(PactSettings.KEY_FILE));
    assertThat(pacts.validityMs()).isEqualTo(600_000);
    assertThat(pacts.onUnmeasured()).isEqualTo(PactSettings.OnUnmeasured.BLOCK);
    assertThat(pacts.onNoPeer()).isEqualTo(PactSettings.OnNoPeer.REFUSE);
    assertThat(pacts.policy()).isEmpty();
  }

  @Test
  void anArbiter_isNamedWithItsTimeAndBounds() {
    PactSettings.Rule rule =
        pacts(
                "policy: [{peers: [bob], arbiter: board, arbiterWithinMs: 5000,"
                    + " arbiterBounds: {max_kb: {atMost: 24}}}]")
            .policy()
            .getFirst();
    assertThat(rule.arbiter()).contains("board");
    assertThat(rule.arbiterWithinMs()).isEqualTo(5_000);
    assertThat(rule.arbiterBounds()).containsOnlyKeys("max_kb");
    PactSettings.Rule none = pacts("policy: [{peers: [bob]}]").policy().getFirst();
    assertThat(none.arbiter()).isEmpty();
    assertThat(none.arbiterWithinMs()).isEqualTo(3_600_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "peers: [bob], arbiter: alice|another one than control.agent",
        "peers: [bob], arbiter: bob|another one than the peers",
        "peers: [bob], arbiter: board, hidden: [scope]|none beside hidden predicates",
      })
  void anArbiterThatCannotDecide_isRefused(String rule, String problem) {
    assertThat(Yaml.problem(GOOD + "pacts: {policy: [{%s}]}".formatted(rule)))
        .contains("/pacts/policy/0/arbiter")
        .contains(problem);
  }

  @Test
  void shorterPacts_areAskedForWhereNoLongerOneIsSigned() {
    assertThat(pacts("maxDurationMs: 30000").validityMs()).isEqualTo(30_000);
  }

  @Test
  void policy_isReadWithItsBounds() {
    PactSettings pacts =
        pacts(
            "policy: [{peers: [\"org2/*\"], accept: [a/t@2], offer: [a/t@2],"
                + " bounds: {max_kb: {atMost: 64}, tools: {subsetOf: [lookup]}}}]");
    PactSettings.Rule rule = pacts.policy().getFirst();
    assertThat(rule.peers()).containsExactly("org2/*");
    assertThat(rule.accept()).containsExactly("a/t@2");
    assertThat(rule.bounds())
        .containsEntry(
            "max_kb",
            new PactSettings.Bound(OptionalDouble.of(64), OptionalDouble.empty(), List.of()))
        .containsEntry(
            "tools",
            new PactSettings.Bound(
                OptionalDouble.empty(), OptionalDouble.empty(), List.of("lookup")));
  }

  @Test
  void aRoute_saysWhetherItNeedsAPact_andWithWhom() {
    assertThat(route("")).isEqualTo(PactRule.OFF);
    assertThat(route(", pact: required, peer: bob"))
        .isEqualTo(new PactRule(Demand.REQUIRED, Optional.of("bob")));
    assertThat(route(", pact: optional, onUnjudged: warn").demand()).isEqualTo(Demand.OPTIONAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "pacts: {validityMs: 600001}|/pacts/validityMs: got 600001, expected at most maxDurationMs"
            + " (600000)",
        "pacts: {policy: [{peers: []}]}|/pacts/policy/0/peers: no peer, expected one or more, \"*\""
            + " for any",
        "pacts: {policy: [{peers: [b], bounds: {max_kb: {}}}]}|/pacts/policy/0/bounds/max_kb: binds"
            + " nothing, expected atMost, atLeast or subsetOf",
        "pacts: {policy: [{peers: [b], propose: [{id: a, category: scope, body:"
            + " max_request_kb=x}]}]}|/pacts/policy/0/propose/0/body: got \"max_request_kb=x\","
            + " expected key op value; ...: BAD_VALUE at max_request_kb",
        "routes: [{name: a, pact: required}]|/routes/0/pact: there are no pacts here, expected a"
            + " section pacts beside pact required",
        "{pacts: {actions: strict}, outbound: {listen: 127.0.0.1:1, transparent: true, opaque:"
            + " pass}}|/pacts/actions: got \"strict\", expected no opaque connections beside it",
        "{pacts: {}, routes: [{name: a, peer: bob}]}|/routes/0/peer: nobody asks for a peer,"
            + " expected pact beside it",
      })
  void whatCannotBeMeant_isRefused_withItsPlace(String settings, String expected) {
    String lines =
        settings.startsWith("{")
            ? settings
                .substring(1, settings.length() - 1)
                .replace(", routes", "\nroutes")
                .replace(", outbound", "\noutbound")
            : settings;
    assertThat(place(Yaml.problem(GOOD + lines))).isEqualTo(expected);
  }

  @Test
  void requiredPact_letsNothingPassThatNobodyRead() {
    assertThat(
            place(
                Yaml.problem(
                    GOOD + "pacts: {}\nroutes: [{name: a, pact: required, onUnjudged: warn}]")))
        .isEqualTo("/routes/0/onUnjudged: got \"warn\", expected block beside pact required");
  }

  @Test
  void aParty_needsAControlPlane_andANameThatKeysCanHave() {
    assertThat(place(Yaml.problem(Yaml.MINIMAL + "pacts: {}")))
        .startsWith("/pacts: nobody here has a name or a ledger");
    assertThat(place(Yaml.problem(Yaml.MINIMAL + CONTROL.formatted("a@b", Keys.ONE) + "pacts: {}")))
        .isEqualTo("/control/agent: got \"a@b\", expected an id without @ beside pacts");
  }

  @Test
  void keysOfAnotherParty_haveItsName() {
    assertThat(
            place(
                Yaml.problem(
                    GOOD
                        + "pacts: {peers: [{agent: org2/seller, keys: [\"%s\"]}]}"
                            .formatted(Keys.ONE))))
        .endsWith("expected a public key name+id+base64 of Ed25519 whose name is the agent");
  }

  private static String place(String problem) {
    return problem.substring(problem.indexOf(' ') + 1);
  }
}
