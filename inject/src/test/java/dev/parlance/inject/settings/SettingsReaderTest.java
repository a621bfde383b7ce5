package dev.parlance.inject.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.inject.Samples;
import dev.parlance.inject.pod.ConfigKeys;
import dev.parlance.inject.settings.SettingsReader.SettingsResult;
import dev.parlance.inject.settings.SidecarSettings.AllowedOverrides;
import dev.parlance.inject.settings.SidecarSettings.Interception;
import dev.parlance.inject.settings.SidecarSettings.Quantity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {
  private static final Path DIR = Path.of("/etc/parlance");

  private static List<String> problems(String yaml) {
    return switch (SettingsReader.parse(yaml, DIR)) {
      case SettingsResult.Refused refused -> refused.problems();
      case SettingsResult.Loaded loaded -> throw new AssertionError(loaded);
    };
  }

  @Test
  void theSampleNamesEveryKeyAndItsDefault() {
    InjectorSettings sample = Samples.settings("{sidecar: {control: null}}");
    SettingsResult smallest =
        SettingsReader.parse(
            "image: {reference: 'registry.example/parlance:0.1.0'}\n"
                + "sidecar: {config: {mode: enforce}}",
            DIR);
    assertThat(smallest).isEqualTo(new SettingsResult.Loaded(sample));
    assertThat(sample.sidecar().interception()).isEqualTo(Interception.REDIRECT);
    assertThat(sample.sidecar().uid()).isEqualTo(2717);
  }

  @Test
  void theDecisionLogOfDefaultSize_leavesRoomInTheVolume() {
    String volume = Samples.settings("{}").sidecar().resources().dataLimit().text();
    assertThat(volume).endsWith("Mi");
    long volumeBytes = Long.parseLong(volume.replace("Mi", "")) << 20;
    var log = ConfigKeys.all();
    long logBytes =
        log.get("decisionLog.fileBytes").path("default").longValue()
            * log.get("decisionLog.files").path("default").longValue();
    assertThat(logBytes).isLessThanOrEqualTo(volumeBytes * 3 / 4);
  }

  @Test
  void everythingWrongIsSaidAtOnceUnderItsKey() {
    assertThat(
            problems(
                """
                version: 2
                listen: here
                certificate: { mode: selv, leafDays: 400, dnsNames: [1] }
                image: { referense: x }
                sidecar:
                  uid: 0
                  native: maybe
                  interception: redirct
                  excludeInboundPorts: [0]
                  overrides: ["con fig"]
                  resources: { memoryLimit: much, cpuRequest: 50x }
                  control: { target: nowhere }
                  colour: red
                """))
        .containsExactlyInAnyOrder(
            "version: got 2, expected a whole number from 1 to 1",
            "listen: got \"here\", expected host:port",
            "certificate.mode: got \"selv\", expected one of self, files",
            "certificate.leafDays: got 400, expected a whole number from 1 to 365",
            "certificate.dnsNames: got 1 in the list, expected text",
            "certificate.leafDays: expected a name for the certificate",
            "image.reference: missing, expected text",
            "image.referense: unknown key; did you mean \"reference\"?",
            "sidecar.uid: got 0, expected a whole number from 1 to 65535",
            "sidecar.native: got \"maybe\", expected true or false",
            "sidecar.interception: got \"redirct\", expected one of redirect, proxy",
            "sidecar.excludeInboundPorts: got 0, expected whole numbers from 1 to 65535",
            "sidecar.overrides: got \"con fig\", expected patterns like config.mode,"
                + " config.limits.* or *",
            "sidecar.resources.memoryLimit: got \"much\", expected a quantity like 160Mi",
            "sidecar.resources.cpuRequest: got \"50x\", expected a quantity like 50m",
            "sidecar.control.target: got \"nowhere\", expected host:port",
            "sidecar.control.keys: expected one key or more, and ca beside clientCertificate",
            "sidecar.colour: unknown key, expected one of config, control,"
                + " excludeInboundPorts, excludeOutboundPorts, identity, interception, logFormat,"
                + " native,"
                + " onPrivileged,"
                + " overrides, resources, uid");
  }

  @Test
  void whatIsNoYamlIsRefusedWithItsPlace() {
    assertThat(problems("image: [\n")).singleElement().asString().startsWith("2:1 ");
    assertThat(problems("a: 1\na: 2\n")).singleElement().asString().contains("duplicate key");
    assertThat(problems("- 1\n")).anyMatch(text -> text.contains("expected a mapping"));
    assertThat(problems("")).contains("image.reference: missing, expected text");
    String bomb = "a: &a [x]\nb: [" + "*a, ".repeat(60) + "x]\n";
    assertThat(problems(bomb)).singleElement().asString().contains("aliases");
  }

  @Test
  void aFileThatIsNotThereOrTooLargeIsRefused(@TempDir Path dir) throws Exception {
    assertThat(SettingsReader.load(dir.resolve("none"))).isInstanceOf(SettingsResult.Refused.class);
    Path large = Files.writeString(dir.resolve("large"), "#".repeat(SettingsReader.MAX_BYTES + 1));
    assertThat(SettingsReader.load(large)).isInstanceOf(SettingsResult.Refused.class);
  }

  @Test
  void theAuthorityOfTheControlPlaneMayBeAFileOfTheInjectors(@TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("ca.pem"), "PEM");
    Path file =
        Files.writeString(
            dir.resolve("injector.yaml"),
            "image: {reference: a}\n"
                + "sidecar: {control: {target: 'c:1', keys: [k], caFile: ca.pem}}");
    assertThat(SettingsReader.load(file))
        .isInstanceOfSatisfying(
            SettingsResult.Loaded.class,
            loaded ->
                assertThat(loaded.settings().sidecar().control().orElseThrow().ca())
                    .isEqualTo(Optional.of("PEM")));
  }

  @Test
  void theLastPatternThatMatchesCounts() {
    AllowedOverrides overrides =
        new AllowedOverrides(List.of("*", "!config", "config.limits.*", "!image"));
    assertThat(overrides.allows("interception")).isTrue();
    assertThat(overrides.allows("image")).isFalse();
    assertThat(overrides.allows("config.mode")).isFalse();
    assertThat(overrides.allows("config.limits.bodyBytes")).isTrue();
    assertThat(new AllowedOverrides(List.of()).allows("image")).isFalse();
    assertThat(new AllowedOverrides(List.of("config.mode")).allows("config.modes")).isFalse();
  }

  @Test
  void quantitiesAreWhatKubernetesTakes() {
    assertThat(new Quantity("160Mi").bytes()).isEqualTo(160L << 20);
    assertThat(new Quantity("1.5Gi").bytes()).isEqualTo(3L << 29);
    assertThat(new Quantity("2e8").bytes()).isEqualTo(200_000_000);
    assertThat(new Quantity("200M").bytes()).isEqualTo(200_000_000);
    assertThat(new Quantity("1").isMoreThan(new Quantity("999m"))).isTrue();
    for (String bad : List.of("", "0", "-1", "1 Gi", "1gi", "Mi", "1e999", "NaN", "1Ei")) {
      assertThat(Quantity.parse(bad)).as(bad).isEmpty();
      assertThatThrownBy(() -> new Quantity(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
