package dev.parlance.inject.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.inject.Samples;
import dev.parlance.inject.pod.ConfigKeys;
import dev.parlance.inject.settings.SidecarSettings.AllowedOverrides;
import dev.parlance.inject.settings.SidecarSettings.Interception;
import dev.parlance.inject.settings.SidecarSettings.Quantity;
import dev.parlance.service.config.ConfigResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {
  private static final Path DIR = Path.of("/etc/parlance");

  private static List<String> problems(String yaml) {
    return SettingsReader.parse(yaml, DIR).problems().stream().map(Object::toString).toList();
  }

  @Test
  void theSampleNamesEveryKeyAndItsDefault() {
    InjectorSettings sample = Samples.settings("{sidecar: {control: null}}");
    ConfigResult<InjectorSettings> smallest =
        SettingsReader.parse(
            "image: {reference: 'registry.example/parlance:0.1.0'}\n"
                + "sidecar: {config: {mode: enforce}}",
            DIR);
    assertThat(smallest).isEqualTo(new ConfigResult.Loaded<>(sample));
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
        .containsExactly(
            "1:10 /version: got 2, expected 1",
            "2:9 /listen: got \"here\", expected host:port",
            "3:22 /certificate/mode: got \"selv\", expected one of self, files",
            "3:38 /certificate/leafDays: got 400, expected a whole number from 1 to 365",
            "3:54 /certificate/dnsNames/0: got 1, expected text of at least 1 character",
            "4:8 /image/reference: missing, expected text of at least 1 character and at most 1024",
            "4:10 /image/referense: unknown key \"referense\"; did you mean \"reference\"?",
            "6:8 /sidecar/uid: got 0, expected a whole number from 1 to 65535",
            "7:11 /sidecar/native: got \"maybe\", expected true or false",
            "8:17 /sidecar/interception: got \"redirct\", expected one of redirect, proxy",
            "9:25 /sidecar/excludeInboundPorts/0: got 0, expected a whole number from 1 to 65535",
            "10:15 /sidecar/overrides/0: got \"con fig\", expected a pattern like config.mode,"
                + " config.limits.* or *",
            "11:29 /sidecar/resources/memoryLimit: got \"much\", expected a quantity like 160Mi or"
                + " 50m",
            "11:47 /sidecar/resources/cpuRequest: got \"50x\", expected a quantity like 160Mi or"
                + " 50m",
            "12:12 /sidecar/control/keys: missing, expected a list",
            "12:22 /sidecar/control/target: got \"nowhere\", expected host:port",
            "13:3 /sidecar/colour: unknown key \"colour\", expected one of uid, native,"
                + " interception, onPrivileged, logFormat, identity, resources,"
                + " excludeInboundPorts, excludeOutboundPorts, config, overrides, control");
  }

  @Test
  void whatGoesTogether_isHeldTogether() {
    String image = "image: {reference: a}\n";
    assertThat(problems(image + "certificate: {dnsNames: []}"))
        .containsExactly("2:14 /certificate: expected a name for the certificate");
    assertThat(problems(image + "certificate: {caDays: 3}"))
        .singleElement()
        .asString()
        .startsWith("2:14 /certificate: expected leafDays 1-365 and caDays of 3 * leafDays");
    assertThat(
            problems(
                image + "sidecar: {control: {target: 'c:1', keys: [], clientCertificate: true}}"))
        .containsExactly(
            "2:42 /sidecar/control/keys: no key, expected one or more",
            "2:65 /sidecar/control/clientCertificate: got true, expected ca beside it");
  }

  @Test
  void whatIsNoYamlIsRefusedWithItsPlace() {
    assertThat(problems("image: [\n")).singleElement().asString().startsWith("2:1 ");
    assertThat(problems("a: 1\na: 2\n")).singleElement().asString().contains("duplicate key");
    assertThat(problems("- 1\n")).anyMatch(text -> text.contains("expected a mapping"));
    assertThat(problems("")).containsExactly("1:1 /image: missing, expected a mapping");
    String bomb = "a: &a [x]\nb: [" + "*a, ".repeat(60) + "x]\n";
    assertThat(problems(bomb)).singleElement().asString().startsWith("1:4 /a: anchor &a");
  }

  @Test
  void aFileThatIsNotThereOrTooLargeIsRefused(@TempDir Path dir) throws Exception {
    assertThat(SettingsReader.load(dir.resolve("none"))).isInstanceOf(ConfigResult.Refused.class);
    Path large = Files.writeString(dir.resolve("large"), "#".repeat(SettingsReader.MAX_BYTES + 1));
    assertThat(SettingsReader.load(large)).isInstanceOf(ConfigResult.Refused.class);
  }

  @Test
  void theAuthorityOfTheControlPlaneMayBeAFileOfTheInjectors(@TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("ca.pem"), "PEM");
    Path file =
        Files.writeString(
            dir.resolve("injector.yaml"),
            "image: {reference: a}\n"
                + "sidecar: {control: {target: 'c:1', keys: [k], caFile: ca.pem}}");
    InjectorSettings settings = SettingsReader.load(file).loaded().orElseThrow();
    assertThat(settings.sidecar().control().orElseThrow().ca()).isEqualTo(Optional.of("PEM"));
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
