package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the chart's service accounts may do, right by right. */
@NullMarked
class RightsTest {
  private static Set<String> rights(RenderRequest request) {
    Set<String> rights = new TreeSet<>();
    for (KubeResource manifest : Repository.render(request)) {
      if (manifest.kind().equals("Role") || manifest.kind().equals("ClusterRole")) {
        for (JsonNode rule : manifest.get("/rules")) {
          rights.add(
              manifest.kind()
                  + " "
                  + manifest.name()
                  + ": "
                  + rule.path("verbs")
                  + rule.path("resources")
                  + rule.path("resourceNames"));
        }
      }
    }
    return rights;
  }

  @Test
  void theInjectorTouchesItsOwnSecretAndWebhookAndTheControlPlaneWritesEvents() {
    assertThat(rights(RenderRequest.of()))
        .containsExactly(
            "ClusterRole parlance-control: [\"create\"][\"events\"]",
            "ClusterRole parlance-injector: [\"get\",\"patch\"][\"mutatingwebhookconfigurations\"]"
                + "[\"parlance-injector\"]",
            "Role parlance-injector: [\"get\",\"update\"][\"secrets\"][\"parlance-injector-tls\"]");
  }

  @Test
  void withCertManagerAndWithoutEventsNobodyMayDoAnything() {
    RenderRequest request =
        RenderRequest.of()
            .with("certManager.enabled", true)
            .with("certManager.issuerRef.name", "ca")
            .with("controlPlane.events", false);
    assertThat(rights(request)).isEmpty();
    for (String workload : new String[] {"parlance-control", "parlance-injector"}) {
      String kind = workload.equals("parlance-control") ? "StatefulSet" : "Deployment";
      assertThat(
              Repository.one(Repository.render(request), kind, workload)
                  .get("/spec/template/spec/automountServiceAccountToken")
                  .booleanValue())
          .isFalse();
    }
  }

  @Test
  void whoIssuesIdentitiesMayHaveTokensReviewed() {
    RenderRequest request =
        RenderRequest.of()
            .with("controlPlane.events", false)
            .with("controlPlane.config.identity.trustDomain", "mesh.example");
    assertThat(rights(request))
        .contains("ClusterRole parlance-control: [\"create\"][\"tokenreviews\"]")
        .noneMatch(right -> right.contains("events"));
    assertThat(
            Repository.one(Repository.render(request), "StatefulSet", "parlance-control")
                .get("/spec/template/spec/automountServiceAccountToken")
                .booleanValue())
        .isTrue();
  }
}
