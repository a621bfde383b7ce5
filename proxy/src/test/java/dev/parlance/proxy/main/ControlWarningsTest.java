package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.Yaml;
import org.junit.jupiter.api.Test;

class ControlWarningsTest {
  private static final String KEY = dev.parlance.proxy.config.Keys.ONE;

  private static final String CONTROL =
      """
      control:
        target: 127.0.0.1:15010
        agent: alice
        keys: ["%s"]
        tokenFile: token
      """
          .formatted(KEY);

  private static final String ACTS = "routes: [{name: a, finality: verdict}]\n";

  @Test
  void whoActsOnOutcomes_andHasNoKeyOfAMember_isWarned_untilSignaturesAreRequired() {
    assertThat(ControlParts.warnings(Yaml.loaded(Yaml.MINIMAL + CONTROL + ACTS)))
        .singleElement()
        .asString()
        .contains("control.rounds.signatures: offered");
    assertThat(ControlParts.warnings(Yaml.loaded(Yaml.MINIMAL + CONTROL))).isEmpty();
    assertThat(
            ControlParts.warnings(
                Yaml.loaded(Yaml.MINIMAL + CONTROL + "  rounds: {signatures: required}\n" + ACTS)))
        .isEmpty();
  }
}
