package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.ConsoleConfig;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the chart renders for the control plane is a file that the control plane reads. */
@NullMarked
class ControlFileTest {
  @TempDir Path folder = Path.of("");

  static List<RenderRequest> requests() {
    return Repository.requests();
  }

  private static String file(RenderRequest request) {
    return Repository.one(Repository.render(request), "ConfigMap", "parlance-control")
        .get("/data/control.yaml")
        .stringValue();
  }

  private ControlConfig read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("control.yaml"), yaml);
    ConfigResult<ControlConfig> result = ControlConfigLoader.load(file);
    assertThat(result).as(yaml).isInstanceOf(ConfigResult.Loaded.class);
    return result.loaded().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("requests")
  void everyFileOfValuesGivesOneThatIsRead(RenderRequest request) throws IOException {
    ControlConfig config = read(file(request));
    assertThat(config.grpc().port()).isEqualTo(7070);
    assertThat(config.http().port()).isEqualTo(7071);
  }

  @Test
  void whatIsMountedIsWhatTheFileNames() throws IOException {
    List<KubeResource> manifests =
        Repository.render(RenderRequest.of(Repository.CHART.values("ha")));
    JsonNode container =
        Repository.one(manifests, "Deployment", "parlance-control")
            .get("/spec/template/spec/containers/0");
    List<String> mounted =
        container
            .path("volumeMounts")
            .valueStream()
            .map(mount -> mount.path("mountPath").stringValue())
            .toList();
    JsonNode file =
        InstallManifests.readTree(
            Repository.one(manifests, "ConfigMap", "parlance-control")
                .get("/data/control.yaml")
                .stringValue());
    for (String pointer :
        List.of(
            "/data",
            "/keys/dir",
            "/attachSecretFile",
            "/operatorTokenFile",
            "/tls/cert",
            "/tls/key",
            "/store/passwordFile")) {
      assertThat(mounted)
          .as(pointer)
          .anyMatch(mount -> file.at(pointer).stringValue().startsWith(mount));
    }
  }

  @Test
  void aConsoleOfTheValues_isOneOfTheFile() throws IOException {
    RenderRequest request =
        RenderRequest.of()
            .with("controlPlane.console.enabled", true)
            .with("controlPlane.console.url", "https://console.example")
            .with("controlPlane.console.oidc.issuer", "https://login.example")
            .with("controlPlane.console.oidc.clientId", "parlance")
            .with("controlPlane.console.oidc.clientSecret.name", "parlance-console")
            .with("controlPlane.console.oidc.roles.reviewer[0]", "staff")
            .with("controlPlane.config.console.oidc.nameClaim", "sub");
    ConsoleConfig console = read(file(request)).console().orElseThrow();
    assertThat(console.listen().port()).isEqualTo(7072);
    ConsoleConfig.Issuer issuer = console.issuer().orElseThrow();
    assertThat(issuer.roles().reviewer()).containsExactly("staff");
    assertThat(issuer.nameClaim()).isEqualTo("sub");
    assertThat(issuer.clientSecretFile()).contains(Path.of("/etc/parlance/oidc/client-secret"));
  }

  @Test
  void everyFurtherKeyOfItsFileCanBeAValue() throws IOException {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    JsonNode further =
        InstallManifests.readTree(
            """
            ledger: {origin: example.org/ledger}
            replica: one
            audits: {questionsInFlight: 5, answerTimeoutMs: 4000, retries: 2, leaseTtlMs: 9000}
            rounds:
              encoder: {dir: /models/mini}
              encoderThreads: 2
              encoderQueue: 99
              defaultDeadlineMs: 5000
              maxOpenRounds: 7
              textRetentionDays: 1
            lexicon:
              enabled: true
              groups: {legal: [officer, scholar]}
              share: reviewed
              promote: {uses: 5, speakers: 2, plan: license}
            identity:
              trustDomain: mesh.example
              authority: {cert: /ca/tls.crt, key: /ca/tls.key, bundle: /ca/ca.crt}
              certificateMinutes: 60
              authorityDays: 30
              audience: parlance-control
              agents: {alice: "spiffe://mesh.example/ns/shop/sa/alice"}
              domains: {partner.example: /ca/partner.pem}
            console:
              listen: "127.0.0.1:7072"
              who: ada
            pollMs: 50
            reportIntervalMs: 5000
            streamMaxAgeMs: 60000
            """);
    values.putObject("controlPlane").set("config", further);
    Path file = Files.writeString(folder.resolve("values.yaml"), InstallManifests.write(values));
    String rendered = file(RenderRequest.of(file));
    ControlConfig config = read(rendered);
    assertThat(config.ledgerOrigin()).isEqualTo("example.org/ledger");
    JsonNode tree = InstallManifests.readTree(rendered);
    further
        .properties()
        .forEach(member -> assertThat(tree.path(member.getKey())).isEqualTo(member.getValue()));
    // With the keys that have values of their own, this is every key there is.
    assertThat(Schemas.control().path("properties").propertyNames())
        .containsExactlyInAnyOrder(
            "data",
            "grpc",
            "http",
            "store",
            "keys",
            "attachSecretFile",
            "operatorTokenFile",
            "tls",
            "insecure",
            "ledger",
            "replica",
            "audits",
            "rounds",
            "lexicon",
            "identity",
            "console",
            "pollMs",
            "reportIntervalMs",
            "streamMaxAgeMs");
  }
}
