package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every pod of the chart keeps to the Pod Security Standard "restricted" (the list of controls in
 * the Kubernetes documentation), and to what we ask beyond it: a read-only root, an own user, no
 * token that nobody needs, memory that is bounded.
 */
@NullMarked
class PodSecurityTest {
  @TempDir Path folder = Path.of("");

  private static final Set<String> VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "persistentVolumeClaim",
          "projected",
          "secret");

  static List<RenderRequest> requests() {
    return Repository.requests();
  }

  @ParameterizedTest
  @MethodSource("requests")
  void everyPodIsRestricted(RenderRequest request) throws IOException {
    List<KubeResource> manifests = Repository.renderWithHooks(folder, request);
    List<String> problems = new ArrayList<>();
    int pods = 0;
    for (KubeResource manifest : manifests) {
      JsonNode spec = podSpec(manifest);
      if (!spec.isMissingNode()) {
        pods++;
        problems(spec).forEach(problem -> problems.add(manifest + " " + problem));
      }
    }
    assertThat(pods).as("control plane, injector and test").isEqualTo(3);
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/securityContext, runAsNonRoot, false",
    "/securityContext, runAsUser, 0",
    "/securityContext/seccompProfile, type, Unconfined",
    "/containers/0/securityContext, allowPrivilegeEscalation, true",
    "/containers/0/securityContext, privileged, true",
    "/containers/0/securityContext, readOnlyRootFilesystem, false",
    "/containers/0/securityContext/capabilities, drop, none",
    "'', hostNetwork, true",
    "/containers/0/ports/0, hostPort, 80",
    "/containers/0/resources, limits, none",
  })
  void whatIsNotRestrictedIsFound(String at, String field, String value) {
    KubeResource good =
        Repository.one(Repository.render(RenderRequest.of()), "Deployment", "parlance-injector");
    JsonNode spec = podSpec(good);
    ObjectNode place = (ObjectNode) spec.at(at);
    switch (value) {
      case "true", "false" -> place.put(field, Boolean.parseBoolean(value));
      case "none" -> place.remove(field);
      default -> {
        if (value.matches("\\d+")) {
          place.put(field, Integer.parseInt(value));
        } else {
          place.put(field, value);
        }
      }
    }
    assertThat(problems(spec)).isNotEmpty();
  }

  @Test
  void aVolumeOfTheNodeIsFound() {
    JsonNode spec =
        podSpec(
            Repository.one(
                Repository.render(RenderRequest.of()), "Deployment", "parlance-injector"));
    ObjectNode volume = (ObjectNode) spec.at("/volumes/1");
    volume.removeAll();
    volume.put("name", "tmp").putObject("hostPath").put("path", "/");
    assertThat(problems(spec)).anySatisfy(problem -> assertThat(problem).contains("hostPath"));
  }

  private static JsonNode podSpec(KubeResource manifest) {
    return manifest.kind().equals("Pod")
        ? manifest.tree().path("spec")
        : manifest.tree().at("/spec/template/spec");
  }

  private static List<String> problems(JsonNode spec) {
    List<String> problems = new ArrayList<>();
    for (String name : new String[] {"hostNetwork", "hostPID", "hostIPC", "hostUsers"}) {
      if (spec.has(name)) {
        problems.add(name);
      }
    }
    JsonNode pod = spec.path("securityContext");
    expect(problems, pod.path("runAsNonRoot").asBoolean(false), "runAsNonRoot");
    expect(problems, pod.path("runAsUser").asInt(0) == 2717, "runAsUser");
    expect(problems, pod.path("runAsGroup").asInt(0) == 2717, "runAsGroup");
    expect(
        problems,
        pod.at("/seccompProfile/type").asString("").equals("RuntimeDefault"),
        "seccompProfile");
    expect(problems, spec.has("automountServiceAccountToken"), "automountServiceAccountToken");
    for (JsonNode volume : spec.path("volumes")) {
      for (String field : volume.propertyNames()) {
        expect(problems, field.equals("name") || VOLUMES.contains(field), "volume " + field);
      }
    }
    for (String list : new String[] {"initContainers", "containers"}) {
      spec.path(list).forEach(container -> container(problems, container));
    }
    return problems;
  }

  private static void container(List<String> problems, JsonNode container) {
    JsonNode own = container.path("securityContext");
    expect(problems, !own.path("privileged").asBoolean(false), "privileged");
    expect(
        problems,
        !own.path("allowPrivilegeEscalation").asBoolean(true),
        "allowPrivilegeEscalation");
    expect(problems, own.path("readOnlyRootFilesystem").asBoolean(false), "read-only root");
    expect(problems, own.at("/capabilities/drop").toString().equals("[\"ALL\"]"), "drop");
    expect(problems, own.at("/capabilities/add").isMissingNode(), "capabilities");
    expect(problems, !own.has("runAsUser") && !own.has("runAsNonRoot"), "the pod's user");
    expect(problems, !container.at("/resources/limits/memory").isMissingNode(), "memory limit");
    for (JsonNode port : container.path("ports")) {
      expect(problems, !port.has("hostPort"), "hostPort");
    }
  }

  private static void expect(List<String> problems, boolean holds, String what) {
    if (!holds) {
      problems.add(what);
    }
  }
}
