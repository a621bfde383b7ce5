package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.RouteRule.Read;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The route key {@code read}, and what asks that messages are read. */
class ReadConfigTest {
  private static final String CONTROL =
      """
      control: {target: "127.0.0.1:15010", agent: alice, keys: ["%s"], tokenFile: token}
      """
          .formatted(Keys.ONE);

  private static final String GOOD = Yaml.MINIMAL + CONTROL;

  @Test
  void allIsRead_unlessTheRouteSaysOtherwise() {
    assertThat(Yaml.loaded(GOOD).routes().getLast().read()).isEqualTo(Read.ALL);
    assertThat(Yaml.loaded(GOOD + "routes: [{name: a, read: none}]").routes().getFirst().read())
        .isEqualTo(Read.NONE);
    assertThat(
            Yaml.loaded(GOOD + "routes: [{name: a, read: answer, codec: a2a, core: {domain: a}}]")
                .routes()
                .getFirst()
                .read())
        .isEqualTo(Read.ANSWER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "read: none, core: {domain: orders}|core",
        "read: none, lexicon: {coin: on}|lexicon",
        "read: none, finality: verdict|a route that is consequential, asks for finality or requires"
            + " a pact",
      })
  void whatHoldsMessagesAgainstSomething_readsThem(String settings, String what) {
    assertThat(Yaml.problem(GOOD + "routes: [{name: a, " + settings + "}]"))
        .contains(
            "/routes/0/read: got \"none\", expected all beside " + what + ", which reads them");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "read: answer|/routes/0/codec: codec auto reads no answer without its request, expected"
            + " a2a, json, text beside read answer",
        "read: answer, codec: mcp|/routes/0/codec: codec mcp reads no answer without its request",
        "read: answer, codec: openai|/routes/0/codec: codec openai reads no answer without",
        "read: answer, codec: a2a, requestGrounding: required|/routes/0/requestGrounding: got"
            + " \"required\", but requests are not read",
        "read: answer, codec: json, json: {request: {text: /q}, response: {text:"
            + " /a}}|/routes/0/json: requests are not read, expected no json.request",
        "read: answer, codec: a2a, lexicon: {coin: on}|/routes/0/read: got \"answer\", expected all"
            + " beside lexicon",
        "read: answer, codec: a2a, finality: verdict|/routes/0/read: got \"answer\", expected all"
            + " beside a route that is consequential, asks for finality or requires a pact",
      })
  void whatNeedsRequests_isRefusedWhereAnswersAloneAreRead(String settings, String problem) {
    assertThat(Yaml.problem(GOOD + "routes: [{name: a, " + settings + "}]")).contains(problem);
  }

  @Test
  void aSectionPacts_asksThatAllIsRead() {
    assertThat(Yaml.problem(GOOD + "pacts: {}\nroutes: [{name: a, read: none}]"))
        .contains(
            "/routes/0/read: got \"none\", expected all beside a section pacts, which reads them");
  }
}
