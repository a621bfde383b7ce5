package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Every rendered object is one that the API server knows, field by field. */
@NullMarked
class StrictTypesTest {
  @TempDir Path folder = Path.of("");

  /** Kinds of others, of which Kubernetes' own document says nothing. */
  private static final Set<String> OTHERS = Set.of("Certificate", "PodMonitor", "PrometheusRule");

  static List<RenderRequest> requests() {
    return Repository.requests();
  }

  @ParameterizedTest
  @MethodSource("requests")
  void everyObjectIsStrictlyValid(RenderRequest request) throws IOException {
    List<String> problems = new ArrayList<>();
    for (KubeResource manifest : Repository.renderWithHooks(folder, request)) {
      if (!OTHERS.contains(manifest.kind())) {
        StrictTypes.problems(manifest).forEach(problem -> problems.add(manifest + " " + problem));
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void everythingRendersEveryKindOfObjectThatTheChartHas() throws IOException {
    Set<String> kinds = new TreeSet<>();
    for (RenderRequest request : requests()) {
      Repository.renderWithHooks(folder, request).forEach(manifest -> kinds.add(manifest.kind()));
    }
    assertThat(kinds)
        .contains(
            "StatefulSet",
            "Deployment",
            "Service",
            "ConfigMap",
            "Secret",
            "ServiceAccount",
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding",
            "PodDisruptionBudget",
            "HorizontalPodAutoscaler",
            "MutatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "NetworkPolicy",
            "Pod",
            "Certificate",
            "PodMonitor",
            "PrometheusRule");
  }

  /** The check itself: each of these changes makes a good object bad. */
  @ParameterizedTest
  @CsvSource({
    "/spec/template/spec/containers/0, imagee, text, unknown in V1Container",
    "/spec/template/spec/containers/0/ports/0, containerPort, 80x, expected a whole number",
    "/spec/template/spec, enableServiceLinks, yes, expected true or false",
    "/spec/template/spec/containers/0/resources/limits, memory, lots, expected a quantity",
    "/spec, replica, 1, unknown in V1DeploymentSpec",
    "/metadata, lables, x, unknown in V1ObjectMeta",
    "/spec, selector, x, expected a mapping",
  })
  void whatIsWrongIsFound(String at, String field, String value, String complaint) {
    KubeResource good =
        Repository.one(Repository.render(RenderRequest.of()), "Deployment", "parlance-injector");
    assertThat(StrictTypes.problems(good)).isEmpty();
    ObjectNode tree = good.tree();
    ((ObjectNode) tree.at(at)).put(field, value);
    assertThat(StrictTypes.problems(new KubeResource(tree)))
        .anySatisfy(problem -> assertThat(problem).contains(complaint));
  }
}
