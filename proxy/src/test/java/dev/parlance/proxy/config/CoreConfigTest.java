package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The route keys {@code consequential} and {@code core}. */
class CoreConfigTest {
  @Test
  void withoutThem_aRouteHasNoCore() {
    RouteRule rule = route("grounding: optional");
    assertThat(rule.consequential()).isFalse();
    assertThat(rule.core()).isEmpty();
    assertThat(Yaml.loaded(Yaml.MINIMAL).routes().getLast().core()).isEmpty();
  }

  @Test
  void theDefaultsDependOnWhetherMessagesHaveConsequences() {
    assertThat(route("core: {domain: license}").core())
        .contains(new CoreRule("license", Optional.empty(), GuardPolicy.ORDINARY));
    RouteRule consequential = route("consequential: true, core: {domain: license, peer: bob}");
    assertThat(consequential.consequential()).isTrue();
    assertThat(consequential.core())
        .contains(new CoreRule("license", Optional.of("bob"), GuardPolicy.CONSEQUENTIAL));
    assertThat(
            route(
                    "consequential: true, core: {domain: d, onUncertified: regenerate,"
                        + " onStale: warn, onAbsent: allow}")
                .core()
                .map(CoreRule::policy))
        .contains(new GuardPolicy(OnUncertified.REGENERATE, OnCoreGap.WARN, OnCoreGap.ALLOW));
  }

  @Test
  void theEffectiveConfigurationShowsTheDefaultsThatHold() {
    SidecarConfig config =
        Yaml.loaded(
            Yaml.MINIMAL
                + "routes: [{name: a, consequential: true, core: {domain: license, peer: bob}}]");
    assertThat(((List<?>) config.toDisplayMap().getOrDefault("routes", List.of())).getFirst())
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("consequential", true)
        .containsEntry(
            "core",
            Map.of(
                "domain",
                "license",
                "peer",
                "bob",
                "onUncertified",
                "regenerate",
                "onStale",
                "yield",
                "onAbsent",
                "yield"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "consequential: true|/routes/0/consequential: a consequential route has no core to hold"
            + " messages against, expected core.domain",
        "core: {peer: bob}|/routes/0/core/domain: missing, expected text like \"license\""
            + " (^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$)",
        "core: {domain: ' x'}|/routes/0/core/domain: got \" x\", expected text like \"license\""
            + " (^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$)",
        "core: {domain: d, onStale: block}|/routes/0/core/onStale: got \"block\", expected one of"
            + " yield, warn, allow",
        "core: {domain: d, onStael: warn}|/routes/0/core/onStael: unknown key \"onStael\"; did you"
            + " mean \"onStale\"?",
        "consequential: true, core: {domain: d, onUncertified: warn}|/routes/0/core/onUncertified:"
            + " got \"warn\", expected regenerate on a consequential route",
        "consequential: true, core: {domain: d}, onUnjudged: allow|/routes/0/onUnjudged: got"
            + " \"allow\", expected block on a consequential route",
        "consequential: true, core: {domain: d}, onError: warn|/routes/0/onError: got \"warn\","
            + " expected block on a consequential route",
        "consequential: true, core: {domain: d}, codec: json, json: {response: {text:"
            + " /t}}|/routes/0/json: a consequential route reads both ways, expected"
            + " json.request.text and json.response.text",
      })
  void whatCannotBeMeant_isRefused_withItsPlace(String settings, String expected) {
    String problem = Yaml.problem(Yaml.MINIMAL + "routes: [{name: a, %s}]".formatted(settings));
    assertThat(problem.substring(problem.indexOf(' ') + 1)).isEqualTo(expected);
  }

  private static RouteRule route(String settings) {
    return Yaml.loaded(Yaml.MINIMAL + "routes: [{name: a, %s}]".formatted(settings))
        .routes()
        .getFirst();
  }
}
