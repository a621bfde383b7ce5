package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The chart by real Helm: lint, values it refuses, and what its parts say. */
@NullMarked
class HelmChartTest {
  private static final String KEY =
      "parlance.local/ledger/core+8b6bfb75+AQAZdLWtd8pZU34BXA/b77SUKB9DqyQZUyW3ulac+LnZ";

  @TempDir Path folder = Path.of("");

  @Test
  void lintHasNothingAgainstItEvenWhenStrict() {
    assertThat(Repository.CHART.lint()).isEmpty();
  }

  @Test
  void lintIsNotBlind() throws IOException {
    Path copy = Repository.copy(folder);
    Files.writeString(copy.resolve("templates/broken.yaml"), "a: {{ .Values.nothing.at.all }}\n");
    assertThat(new HelmChart(copy).lint()).isNotEmpty();
  }

  @Test
  void whereHelmIsNotInsideNothingIsFetchedAndThatIsSaid() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertThat(Repository.refusal(RenderRequest.of())).contains("there is no Helm for");
      assertThat(Repository.CHART.lint()).hasSize(1);
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThat(HelmChart.isHelmInside()).isTrue();
  }

  @Test
  void itComesWithValuesForFourWaysToRunIt() {
    assertThat(Repository.CHART.profiles()).containsExactly("enforce", "ha", "minimal", "observe");
  }

  /** Wrong keys and values, and what Helm says; nothing of it renders. */
  @ParameterizedTest
  @CsvSource({
    "controlplane.enabled, true, controlplane",
    "controlPlane.replica, 2, replica",
    "image.tagg, x, tagg",
    "image.digest, sha256:1, digest",
    "sidecar.confg.mode, observe, confg",
    "sidecar.config.mod, observe, mod",
    "sidecar.config.mode, obsrve, mode",
    "sidecar.config.limits.bodyByte, 5, bodyByte",
    "sidecar.config.limits.bodyBytes, lots, bodyBytes",
    "sidecar.interception, iptables, interception",
    "sidecar.resources.memoryLimit, lots, memoryLimit",
    "sidecar.control.key, x, key",
    "sidecar.control.keys[0], x, keys",
    "controlPlane.config.audits.retry, 2, retry",
    "controlPlane.config.rounds.encoder, of, encoder",
    "controlPlane.store.type, mysql, type",
    "injector.failurePolicy, Maybe, failurePolicy",
    "injector.replicas, -1, replicas",
    "monitoring.podMonitor.enable, true, enable",
    "networkPolicy.agents[0].port, 8080, agents",
    "admissionPolicy.actions[0], Refuse, actions",
    "nonsense, 1, nonsense",
  })
  void whatTheSchemaDoesNotKnowIsRefused(String key, String value, String named) {
    String refusal = Repository.refusal(RenderRequest.of().with(key, value));
    assertThat(refusal).contains("values don't meet the specifications").contains(named);
  }

  /** Values that are right one by one and do not go together. */
  @ParameterizedTest
  @CsvSource({
    "controlPlane.replicas, 2, '', '', 'controlPlane.replicas is above 1 with the embedded store'",
    "controlPlane.autoscaling.enabled, true, '', '', controlPlane.autoscaling needs",
    "controlPlane.store.type, postgresql, '', '', postgresql.url is missing",
    "controlPlane.store.type, postgresql, controlPlane.store.postgresql.url, jdbc:postgresql://x/y,"
        + " controlPlane.secret is missing",
    "controlPlane.tls.clientCertificates, true, '', '', clientCertificates needs",
    "controlPlane.console.enabled, true, '', '', 'controlPlane.console needs url, oidc.issuer'",
    "certManager.enabled, true, '', '', issuerRef.name is missing",
    "admissionPolicy.enabled, true, injector.enabled, false, would refuse every pod",
    "networkPolicy.agents[0].namespace, shop, '', '', ports are missing for namespace shop",
  })
  void whatCannotWorkIsRefusedInWords(
      String key, String value, String key2, String value2, String words) {
    RenderRequest request = RenderRequest.of().with(key, value);
    assertThat(Repository.refusal(key2.isEmpty() ? request : request.with(key2, value2)))
        .contains(words);
  }

  private static RenderRequest withConsole(RenderRequest request) {
    return request
        .with("controlPlane.console.enabled", true)
        .with("controlPlane.console.url", "https://console.example")
        .with("controlPlane.console.oidc.issuer", "https://login.example")
        .with("controlPlane.console.oidc.clientId", "parlance")
        .with("controlPlane.console.oidc.clientSecret.name", "parlance-console")
        .with("controlPlane.console.oidc.roles.reviewer[0]", "staff");
  }

  @Test
  void aConsoleHasItsPortAndItsSecret_andWhoMayCallItIsNamed() {
    List<KubeResource> manifests =
        Repository.render(
            withConsole(RenderRequest.of())
                .with("networkPolicy.enabled", true)
                .with("networkPolicy.consoleFrom[0].podSelector.matchLabels.app", "ingress"));
    assertThat(
            Repository.one(manifests, "Service", "parlance-control")
                .get("/spec/ports/2")
                .toString())
        .contains("\"console\"", "7072", "\"http\"");
    JsonNode pod =
        Repository.one(manifests, "StatefulSet", "parlance-control").get("/spec/template/spec");
    assertThat(pod.at("/containers/0/ports/2/containerPort").intValue()).isEqualTo(7_072);
    assertThat(pod.path("volumes").toString()).contains("parlance-console", "client-secret");
    assertThat(
            Repository.one(manifests, "NetworkPolicy", "parlance-control")
                .get("/spec/ingress/1")
                .toString())
        .contains("7072", "ingress");
    assertThat(
            Repository.one(Repository.render(RenderRequest.of()), "Service", "parlance-control")
                .get("/spec/ports")
                .size())
        .as("none without being asked")
        .isEqualTo(2);
  }

  private static String controlImage(RenderRequest request) {
    return Repository.one(Repository.render(request), "StatefulSet", "parlance-control")
        .get("/spec/template/spec/containers/0/image")
        .stringValue();
  }

  @Test
  void theControlPlaneHasTheImageWithTheEncoderThatItIsToUse() {
    RenderRequest plain = RenderRequest.of().with("image.tag", "1.2.3");
    RenderRequest minilm = plain.with("controlPlane.config.rounds.encoder", "minilm");
    assertThat(controlImage(plain)).isEqualTo("parlance:1.2.3");
    assertThat(controlImage(minilm)).isEqualTo("parlance:1.2.3-minilm");
    assertThat(controlImage(plain.with("controlPlane.config.rounds.encoder.dir", "/models/x")))
        .isEqualTo("parlance:1.2.3");
    assertThat(controlImage(minilm.with("controlPlane.image", "r.example/own:1")))
        .isEqualTo("r.example/own:1");
    assertThat(Repository.refusal(minilm.with("image.digest", "sha256:" + "0".repeat(64))))
        .contains("name it in controlPlane.image");
  }

  @Test
  void aConsoleOfSeveralReplicasIsRefusedInWords() {
    RenderRequest several = withConsole(RenderRequest.of(Repository.CHART.values("ha")));
    assertThat(Repository.refusal(several)).contains("controlPlane.console is for one replica");
  }

  @Test
  void anAdmissionPolicyIsRefusedWhereKubernetesIsTooOldForIt() {
    RenderRequest request =
        new RenderRequest("parlance", "parlance-system", "1.29.4", List.of(), List.of())
            .with("admissionPolicy.enabled", true);
    assertThat(Repository.refusal(request)).contains("needs Kubernetes 1.30");
    assertThat(
            Repository.refusal(
                new RenderRequest("parlance", "parlance-system", "1.28.0", List.of(), List.of())))
        .contains("incompatible with Kubernetes");
  }

  @Test
  void theFileOfRulesBecomesThePrometheusRuleWordForWord() throws IOException {
    KubeResource rule =
        Repository.one(
            Repository.render(RenderRequest.of().with("monitoring.rules.enabled", true)),
            "PrometheusRule",
            "parlance");
    assertThat(rule.get("/spec"))
        .isEqualTo(
            InstallManifests.readTree(
                Files.readString(
                    Repository.ROOT.resolve("deploy/prometheus/parlance.rules.yaml"))));
  }

  @Test
  void runbooksOfAlertsLieWhereTheOperatorPublishesThem() {
    KubeResource rule =
        Repository.one(
            Repository.render(
                RenderRequest.of()
                    .with("monitoring.rules.enabled", true)
                    .with("monitoring.rules.runbookBaseUrl", "https://wiki.example/agents/")),
            "PrometheusRule",
            "parlance");
    assertThat(rule.get("/spec/groups").findValuesAsString("runbook_url"))
        .hasSizeGreaterThan(20)
        .allMatch(
            url -> url.matches("https://wiki\\.example/agents/runbooks(-[a-z]+)?\\.md#parlance.+"));
  }

  @Test
  void everyDashboardBecomesAConfigMapThatGrafanaFinds() throws IOException {
    List<KubeResource> maps =
        Repository.render(RenderRequest.of().with("monitoring.dashboards.enabled", true)).stream()
            .filter(manifest -> manifest.get("/metadata/labels").has("grafana_dashboard"))
            .toList();
    try (Stream<Path> files = Files.list(Repository.ROOT.resolve("deploy/dashboards"))) {
      List<Path> dashboards =
          files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
      assertThat(maps).hasSameSizeAs(dashboards);
      for (Path dashboard : dashboards) {
        String name = String.valueOf(dashboard.getFileName());
        JsonNode data =
            Repository.one(maps, "ConfigMap", "parlance-dashboard-" + name.replace(".json", ""))
                .get("/data");
        assertThat(Schemas.JSON.readTree(data.path(name).stringValue()))
            .isEqualTo(Schemas.JSON.readTree(Files.readString(dashboard)));
      }
    }
  }

  @Test
  void plainTextAndIgnoredFailuresAreSaidInTheNotes() throws IOException {
    String minimal = notes(RenderRequest.of(Repository.CHART.values("minimal")));
    assertThat(minimal)
        .contains("kubectl label namespace NAMESPACE parlance.dev/inject=enabled")
        .contains("speaks plain text")
        .contains("failurePolicy is Ignore")
        .contains("exec parlance-control-0")
        .contains("no network policies");
    assertThat(notes(RenderRequest.of(Repository.CHART.values("observe"))))
        .contains("Mode is observe");
    assertThat(notes(Repository.everything()))
        .contains("Let the agents' Services point to port 15006".replace("Let", "let"))
        .doesNotContain("plain text")
        .doesNotContain("failurePolicy is Ignore")
        .doesNotContain("do not attach");
  }

  /** Helm shows the notes only after it has installed; so they are rendered into an object. */
  private String notes(RenderRequest request) throws IOException {
    Path copy = Repository.copy(folder);
    Files.writeString(
        copy.resolve("templates/shown.yaml"),
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: shown-notes}
        data:
          notes: {{ include (print $.Template.BasePath "/NOTES.txt") . | toJson }}
        """);
    Rendering rendering = new HelmChart(copy).render(request);
    assertThat(rendering).isInstanceOf(Rendering.Rendered.class);
    return rendering instanceof Rendering.Rendered done
        ? Repository.one(done.manifests(), "ConfigMap", "shown-notes")
            .get("/data/notes")
            .stringValue()
        : "";
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "certmanager", "spiffe", "controlplane"})
  void everySourceOfIdentitiesReachesTheInjector(String source) throws IOException {
    RenderRequest request =
        RenderRequest.of()
            .with("sidecar.identity", source)
            .with("sidecar.control.keys[0]", KEY)
            .with("controlPlane.config.identity.trustDomain", "mesh.example");
    JsonNode file =
        InstallManifests.readTree(
            Repository.one(Repository.render(request), "ConfigMap", "parlance-injector")
                .get("/data/injector.yaml")
                .stringValue());
    assertThat(file.at("/sidecar/identity").stringValue()).isEqualTo(source);
  }

  @Test
  void identitiesOfAControlPlaneThatIssuesNoneAreRefused() {
    RenderRequest request = RenderRequest.of().with("sidecar.identity", "controlplane");
    assertThat(Repository.refusal(request)).contains("sidecar.control.keys");
    assertThat(Repository.refusal(request.with("sidecar.control.keys[0]", KEY)))
        .contains("controlPlane.config.identity.trustDomain");
  }
}
