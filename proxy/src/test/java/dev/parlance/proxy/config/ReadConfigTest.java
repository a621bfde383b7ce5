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

  @Test
  void aSectionPacts_asksThatAllIsRead() {
    assertThat(Yaml.problem(GOOD + "pacts: {}\nroutes: [{name: a, read: none}]"))
        .contains(
            "/routes/0/read: got \"none\", expected all beside a section pacts, which reads them");
  }
}
