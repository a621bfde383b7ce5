package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What checks ask of objects of Kubernetes, and the words for many of them. */
final class Kinds {
  static final String CORE = "/api/v1";
  static final String APPS = "/apis/apps/v1";
  static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1";
  static final String NETWORK = "/apis/networking.k8s.io/v1";
  static final String MONITORING = "/apis/monitoring.coreos.com/v1";
  static final String SIDECAR = "parlance-sidecar";
  static final String LABEL = "parlance.dev/inject";

  private static final int NAMED = 5;

  private Kinds() {}

  static String name(JsonNode object) {
    return object.path("metadata").path("name").asString("");
  }

  static String qualifiedName(JsonNode object) {
    String in = object.path("metadata").path("namespace").asString("");
    return in.isEmpty() ? name(object) : in + "/" + name(object);
  }

  static String label(JsonNode object, String key) {
    return object.path("metadata").path("labels").path(key).asString("");
  }

  static String annotation(JsonNode object, String key) {
    return object.path("metadata").path("annotations").path(key).asString("");
  }

  /** Containers and init containers: a native sidecar is one of the latter. */
  static Stream<JsonNode> containers(JsonNode pod) {
    return Stream.concat(
        pod.path("spec").path("initContainers").valueStream(),
        pod.path("spec").path("containers").valueStream());
  }

  static Stream<JsonNode> states(JsonNode pod) {
    return Stream.concat(
        pod.path("status").path("initContainerStatuses").valueStream(),
        pod.path("status").path("containerStatuses").valueStream());
  }

  /** True if the pod has not ended. */
  static boolean isAlive(JsonNode pod) {
    String phase = pod.path("status").path("phase").asString("");
    return !phase.equals("Succeeded") && !phase.equals("Failed");
  }

  static boolean hasSidecar(JsonNode pod) {
    return containers(pod).anyMatch(one -> one.path("name").asString("").equals(SIDECAR));
  }

  static boolean isHostNetwork(JsonNode pod) {
    return pod.path("spec").path("hostNetwork").asBoolean(false);
  }

  /** The first few names, and how many more there are. */
  static String some(List<String> names) {
    return names.size() <= NAMED
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMED)) + " and " + (names.size() - NAMED) + " more";
  }

  /** Bad with the names if there are any, else good. */
  static CheckFinding noneBad(List<String> names, String bad, String good) {
    return names.isEmpty() ? good(good) : bad(bad + ": " + some(names));
  }

  /** A warning with the names if there are any, else good. */
  static CheckFinding noneOdd(List<String> names, String odd, String good) {
    return names.isEmpty() ? good(good) : warning(odd + ": " + some(names));
  }

  /** Replicas that are wanted and ready, of a Deployment or StatefulSet. */
  static CheckFinding replicas(JsonNode workload, String what) {
    if (workload.isMissingNode()) {
      return bad("there is no " + what);
    }
    int wanted = workload.path("spec").path("replicas").asInt(1);
    int ready = workload.path("status").path("readyReplicas").asInt(0);
    String detail = what + ": " + ready + " of " + wanted + " ready";
    return wanted > 0 && ready >= wanted ? good(detail) : bad(detail);
  }

  /** Containers of these pods that were started again often or for want of memory. */
  static List<String> unsteady(Stream<JsonNode> pods, int restartsMax) {
    return pods.flatMap(pod ->
            states(pod)
                .filter(state ->
                    state.path("restartCount").asInt(0) > restartsMax
                        || state.at("/lastState/terminated/reason").asString("").equals("OOMKilled")
                        || state
                            .at("/state/waiting/reason")
                            .asString("")
                            .matches("CrashLoopBackOff|ImagePullBackOff|ErrImagePull"))
                .map(state -> qualifiedName(pod) + " (" + why(state) + ")"))
        .toList();
  }

  private static String why(JsonNode state) {
    String waiting = state.at("/state/waiting/reason").asString("");
    String ended = state.at("/lastState/terminated/reason").asString("");
    return "%s %s, %s restarts"
        .formatted(
            state.path("name").asString(""),
            waiting.isEmpty() ? ended.isEmpty() ? "restarts" : ended : waiting,
            state.path("restartCount").asInt(0));
  }
}
