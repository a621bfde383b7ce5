package dev.parlance.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.HostPort;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The section {@code control}. */
class ControlSettingsTest {
  private static final String GOOD =
      Yaml.MINIMAL
          + """
          control:
            target: 127.0.0.1:15010
            agent: alice
            keys: ["%s"]
            tokenFile: token
          """
              .formatted(Keys.ONE);

  private static ControlSettings control(String more) {
    return Yaml.loaded(GOOD + more).control().orElseThrow();
  }

  @Test
  void withoutTheSectionThereIsNoControlPlane() {
    assertThat(Yaml.loaded(Yaml.MINIMAL).control()).isEmpty();
  }

  @Test
  void theSmallestSection_hasTheDefaults_andPathsStartAtTheFile() {
    ControlSettings control = control("");
    assertThat(control.target()).isEqualTo(new HostPort("127.0.0.1", 15_010));
    assertThat(control.tokenFile()).contains(Path.of("/etc/parlance/token"));
    assertThat(control.keys()).extracting(Object::toString).containsExactly(Keys.ONE);
    assertThat(control.keysFile()).isEmpty();
    assertThat(control.maxStalenessMs()).isEqualTo(3_600_000);
    assertThat(control.tls()).isEmpty();
    assertThat(control.peers()).isEmpty();
    assertThat(control.localAgent()).isEmpty();
    assertThat(control.rounds()).isEqualTo(RoundSettings.DEFAULTS);
    assertThat(control.rounds())
        .isEqualTo(
            new RoundSettings(
                3_000, 60_000, RoundSettings.OnUnavailable.REFUSE, SignatureRule.OFFERED, 1));
  }

  @Test
  void everyKeyIsRead() {
    ControlSettings control =
        control(
            """
              keysFile: more-keys
              maxStalenessMs: 60000
              tls: { ca: ca.pem, cert: own.pem, key: own.key }
              peers:
                - { agent: bob, hosts: ["bob.example:8080", "*.bob.example"] }
              localAgent: { url: "http://127.0.0.1:8080/a2a", protocol: "0.3", timeoutMs: 5000 }
              rounds: { timeoutMs: 250, maxWaitMs: 0, onUnavailable: hold }
            """);
    assertThat(control.rounds())
        .isEqualTo(
            new RoundSettings(250, 0, RoundSettings.OnUnavailable.HOLD, SignatureRule.OFFERED, 1));
    assertThat(control.keysFile()).contains(Path.of("/etc/parlance/more-keys"));
    assertThat(control.tls().orElseThrow().own().orElseThrow().key())
        .isEqualTo(Path.of("/etc/parlance/own.key"));
    assertThat(control.peers().getFirst().hosts()).hasSize(2);
    assertThat(control.localAgent().orElseThrow().protocol()).isEqualTo(LocalAgent.Protocol.V0_3);
    assertThat(control.localAgent().orElseThrow().timeoutMs()).isEqualTo(5_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "target: control.example:1|/control/target: got host \"control.example\" without TLS,"
            + " expected tls.ca, a loopback address, or insecure: true",
        "target: 127.0.0.1:0|/control/target: got \"127.0.0.1:0\", expected host:port with a port"
            + " from 1 to 65535",
        "agent: -x|/control/agent: got \"-x\", expected text like \"alice\""
            + " (^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$)",
        "keys: []|/control/keys: no key, expected one or more in keys or keysFile",
        "keys: [abc]|/control/keys/0: got \"abc\", expected a public key name+id+base64: ",
        "keys: [WITNESS]|/control/keys/0: got a key of a witness, expected one that signs cores",
        "insecure: true, tls: {ca: x}|/control/insecure: got true beside tls, expected one of the"
            + " two",
        "tls: {ca: x, cert: y}|/control/tls/cert: got one of cert and key, expected both or"
            + " neither",
        "tls: {cert: y, key: z}|/control/tls/ca: missing, expected text",
        "peers: [{agent: alice, hosts: [x]}]|/control/peers/0/agent: got the agent beside this"
            + " sidecar, expected another one",
        "peers: [{agent: b, hosts: [x]}, {agent: b, hosts: [y]}]|/control/peers/1/agent: agent"
            + " \"b\" is listed twice, expected unique agents",
        "peers: [{agent: b, hosts: ['a:b']}]|/control/peers/0/hosts/0: got \"a:b\", expected a"
            + " pattern host[:port] like bob.example:8080",
        "localAgent: {url: 'http://u@h/'}|/control/localAgent/url: got \"http://u@h/\", expected"
            + " http://host:port/path without user and fragment",
        "localAgent: {url: 'http://[x/'}|/control/localAgent/url: got \"http://[x/\", expected a"
            + " URL: ",
        "maxStalenessMs: 1|/control/maxStalenessMs: got 1, expected a whole number from 100 to"
            + " 2678400000",
        "rounds: {timeoutMs: 99}|/control/rounds/timeoutMs: got 99, expected a whole number from"
            + " 100 to 60000",
        "rounds: {maxWaitMs: 600001}|/control/rounds/maxWaitMs: got 600001, expected a whole number"
            + " from 0 to 600000",
        "rounds: {onUnavailable: allow}|/control/rounds/onUnavailable: got \"allow\", expected one"
            + " of refuse, hold",
        "rounds: {waitMs: 1}|/control/rounds/waitMs: unknown key \"waitMs\"; did you mean",
        "tokenfile: x|/control/tokenfile: unknown key \"tokenfile\"; did you mean \"tokenFile\"?",
      })
  void O3_wrongValue_isRefused_withItsPlace(String change, String expected) {
    String flow =
        "control: {target: 127.0.0.1:1, agent: alice, keys: [ONE], tokenFile: t, CHANGE}\n";
    String key = change.substring(0, change.indexOf(':'));
    String yaml =
        flow.replaceFirst("(?<=[ {])" + key + ": [^,}]*,", "")
            .replace("CHANGE", change)
            .replace("ONE", Keys.ONE)
            .replace("WITNESS", Keys.WITNESS);
    assertThat(Yaml.refused(Yaml.MINIMAL + yaml))
        .extracting(ConfigProblem::toString)
        .singleElement()
        .asString()
        .contains(expected);
  }

  @Test
  void O3_severalProblems_areCollected() {
    assertThat(
            Yaml.refused(
                Yaml.MINIMAL + "control: {target: 127.0.0.1:0, agent: alice, keys: [x, y]}\n"))
        .extracting(ConfigProblem::pointer)
        .containsExactlyInAnyOrder(
            "/control/tokenFile", "/control/target", "/control/keys/0", "/control/keys/1");
  }

  @Test
  void noSecretIsShown() {
    assertThat(String.valueOf(Yaml.loaded(GOOD).toDisplayMap().get("control")))
        .contains("tokenFile=/etc/parlance/token")
        .contains("keys=[" + Keys.ONE);
  }

  @Test
  void onlyStalenessPeersAndRoundsChangeWithoutARestart() {
    SidecarConfig before = Yaml.loaded(GOOD);
    for (String reloads :
        Set.of(
            "maxStalenessMs: 5000",
            "peers: [{agent: b, hosts: [x]}]",
            "rounds: {timeoutMs: 200, maxWaitMs: 1, onUnavailable: hold}")) {
      SidecarConfig after = Yaml.loaded(GOOD + "  " + reloads + "\n");
      assertThat(StartupSetting.CONTROL.differs(before, after)).as(reloads).isFalse();
    }
    for (String fixed : Set.of("keysFile: k", "insecure: true", "localAgent: {url: 'http://x/'}")) {
      SidecarConfig after = Yaml.loaded(GOOD + "  " + fixed + "\n");
      assertThat(StartupSetting.CONTROL.differs(before, after)).as(fixed).isTrue();
    }
    assertThat(StartupSetting.CONTROL.differs(before, Yaml.loaded(Yaml.MINIMAL))).isTrue();
  }
}
