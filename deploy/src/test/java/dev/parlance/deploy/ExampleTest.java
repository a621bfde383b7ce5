package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.inject.pod.PodAnnotation;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.inject.webhook.WebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The example's agents get sidecars from the injector as the chart sets it up. */
@NullMarked
class ExampleTest {
  private static List<KubeResource> files(String agent) throws IOException {
    return InstallManifests.read(
        Files.readString(Repository.ROOT.resolve("deploy/k8s/example/" + agent + ".yaml")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scholar", "officer"})
  void anAgentOfTheExampleIsInjectedWithoutAnyCapability(String agent) throws IOException {
    KubeResource deployment = Repository.one(files(agent), "Deployment", agent);
    String injector =
        Repository.one(Repository.render(RenderRequest.of()), "ConfigMap", "parlance-injector")
            .get("/data/injector.yaml")
            .stringValue();
    InjectorSettings settings = SettingsReader.parse(injector, Path.of("")).loaded().orElseThrow();
    assertThat(new PodInjector(settings, "1").inject((ObjectNode) deployment.get("/spec/template")))
        .isInstanceOfSatisfying(PodOutcome.Injected.class, injected -> check(injected.pod()));
  }

  private static void check(JsonNode pod) {
    JsonNode sidecar = pod.at("/spec/initContainers/0");
    assertThat(pod.at("/spec/initContainers")).hasSize(1);
    assertThat(sidecar.path("name").stringValue()).isEqualTo("parlance-sidecar");
    assertThat(pod.toString()).doesNotContain("NET_ADMIN");
    assertThat(sidecar.path("ports").toString()).contains("\"" + metricsPort() + "\"");
    JsonNode file =
        InstallManifests.readTree(
            pod.path("metadata")
                .path("annotations")
                .path(PodAnnotation.SIDECAR_CONFIG)
                .stringValue());
    assertThat(file.at("/inbound/agent").stringValue()).isEqualTo("127.0.0.1:8080");
  }

  /** By which the chart's PodMonitor finds a sidecar's metrics. */
  private static String metricsPort() {
    return Repository.one(
            Repository.render(RenderRequest.of().with("monitoring.podMonitor.enabled", true)),
            "PodMonitor",
            "parlance-sidecars")
        .get("/spec/podMetricsEndpoints/0/port")
        .stringValue();
  }

  @Test
  void theWebhookConfigurationNamesThePathThatTheInjectorServes() {
    KubeResource webhooks =
        Repository.one(
            Repository.render(RenderRequest.of()),
            "MutatingWebhookConfiguration",
            "parlance-injector");
    assertThat(webhooks.get("/webhooks")).hasSize(2);
    for (JsonNode webhook : webhooks.get("/webhooks")) {
      assertThat(webhook.at("/clientConfig/service/path").stringValue())
          .isEqualTo(WebhookServer.PATH);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scholar", "officer"})
  void itsServiceLeadsToTheSidecarAndItsObjectsAreValid(String agent) throws IOException {
    for (KubeResource manifest : files(agent)) {
      assertThat(StrictTypes.problems(manifest)).as(manifest.toString()).isEmpty();
    }
    assertThat(
            Repository.one(files(agent), "Service", agent)
                .get("/spec/ports/0/targetPort")
                .intValue())
        .isEqualTo(15_006);
  }
}
