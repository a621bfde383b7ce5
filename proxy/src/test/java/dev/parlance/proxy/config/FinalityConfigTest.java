package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Finality;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The route key {@code finality} and the pointers {@code json.*.round}. */
class FinalityConfigTest {
  private static final String CONTROL =
      """
      control:
        target: 127.0.0.1:15010
        agent: alice
        keys: ["%s"]
        tokenFile: token
      """
          .formatted(Keys.ONE);

  private static final String GOOD = Yaml.MINIMAL + CONTROL;

  private static RouteRule route(String settings) {
    return Yaml.loaded(GOOD + "routes: [{name: a%s}]".formatted(settings)).routes().getFirst();
  }

  @Test
  void withoutIt_nothingHasToBeProved() {
    assertThat(route("").finality()).isEqualTo(Finality.NONE);
    assertThat(Yaml.loaded(GOOD).routes().getLast().finality()).isEqualTo(Finality.NONE);
    assertThat(route(", finality: none, codec: text, onUnjudged: allow").finality())
        .isEqualTo(Finality.NONE);
  }

  @Test
  void levels_areRead_alsoOnARouteThatOnlyObserves() {
    assertThat(route(", finality: verdict").finality()).isEqualTo(Finality.VERDICT);
    assertThat(route(", finality: semantic, codec: a2a").finality()).isEqualTo(Finality.SEMANTIC);
    assertThat(route(", finality: semantic, mode: observe").finality())
        .isEqualTo(Finality.SEMANTIC);
  }

  @Test
  void codecJson_readsTheStatementAtItsPointer_onEachSide() {
    RouteRule rule =
        route(
            ", finality: verdict, codec: json, json: {request: {text: /t, round: /r},"
                + " response: {text: /a, round: /meta/round}}");
    assertThat(rule.json().request().round()).isEqualTo(Optional.of("/r"));
    assertThat(rule.json().response().round()).isEqualTo(Optional.of("/meta/round"));
    assertThat(rule.finality()).isEqualTo(Finality.VERDICT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "finality: total|/routes/0/finality: got \"total\", expected one of none, verdict,"
            + " semantic",
        "finality: verdict, codec: text|/routes/0/finality: requests of codec text have no place"
            + " for an outcome, expected codec auto, a2a or json",
        "finality: verdict, codec: mcp|/routes/0/finality: requests of codec mcp have no place for"
            + " an outcome, expected codec auto, a2a or json",
        "finality: semantic, codec: openai|/routes/0/finality: requests of codec openai have no"
            + " place for an outcome, expected codec auto, a2a or json",
        "finality: verdict, codec: json, json: {request: {text: /t}}|/routes/0/json: requests have"
            + " to show an outcome for their text, expected json.request.round and"
            + " json.request.text beside finality verdict",
        "finality: verdict, codec: json, json: {request: {round: /r}, response: {text: /t}}"
            + "|/routes/0/json: requests have to show an outcome for their text, expected"
            + " json.request.round and json.request.text beside finality verdict",
        "finality: verdict, onUnjudged: warn|/routes/0/onUnjudged: got \"warn\", expected block"
            + " beside finality verdict",
        "finality: semantic, onError: allow|/routes/0/onError: got \"allow\", expected block beside"
            + " finality semantic",
        "json: {request: {round: /r}}|/routes/0/json: pointers are read by codec json only, got"
            + " codec auto",
      })
  void whatCannotBeMeant_isRefused_withItsPlace(String settings, String expected) {
    String problem = Yaml.problem(GOOD + "routes: [{name: a, %s}]".formatted(settings));
    assertThat(problem.substring(problem.indexOf(' ') + 1)).isEqualTo(expected);
  }

  @Test
  void withoutAControlPlane_nobodyKnowsAnOutcome() {
    String problem = Yaml.problem(Yaml.MINIMAL + "routes: [{name: a, finality: verdict}]");
    assertThat(problem.substring(problem.indexOf(' ') + 1))
        .isEqualTo(
            "/routes/0/finality: nobody here knows an outcome, expected a section control beside"
                + " finality verdict");
  }
}
