package dev.parlance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyMainTest {
  @Test
  void everydayForms_areUnderstood_inAnyOrder() {
    assertThat(ProxyMain.Form.of("proxy", "--config", "a b.yaml"))
        .contains(new ProxyMain.Form(Path.of("a b.yaml"), false));
    assertThat(ProxyMain.Form.of("proxy", "--stop-on-stdin-close", "--config", "c.yaml"))
        .contains(new ProxyMain.Form(Path.of("c.yaml"), true));
    assertThat(ProxyMain.Form.of("proxy", "--config", "c.yaml", "--stop-on-stdin-close"))
        .contains(new ProxyMain.Form(Path.of("c.yaml"), true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy",
        "proxy --help",
        "proxy --config",
        "proxy --config --help",
        "proxy --config @file",
        "proxy --config=c.yaml",
        "proxy --config c.yaml --config d.yaml",
        "proxy --config c.yaml --verbose",
        "proxy --config c.yaml more",
        "review --config c.yaml"
      })
  void everyOtherForm_isForTheParser(String line) {
    assertThat(ProxyMain.Form.of(line.split(" "))).isEmpty();
  }
}
