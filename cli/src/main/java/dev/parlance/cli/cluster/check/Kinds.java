package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What checks ask of objects of Kubernetes, and what several of them look at. */
final class Kinds {
  static final String CORE = "/api/v1";
  static final String APPS = "/apis/apps/v1";
  static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1";
  static final String NETWORK = "/apis/networking.k8s.io/v1";
  static final String MONITORING = "/apis/monitoring.coreos.com/v1";
  static final String SIDECAR = "parlance-sidecar";
  static final String LABEL = "parlance.dev/inject";

  private static final int RESTARTS_MAX = 3;

  private Kinds() {}

  /** Text at a JSON pointer; empty if there is none. */
  static String text(JsonNode object, String pointer) {
    return object.at(pointer).asString("");
  }

  static String name(JsonNode object) {
    return text(object, "/metadata/name");
  }

  static String namespace(JsonNode object) {
    return text(object, "/metadata/namespace");
  }

  static String qualifiedName(JsonNode object) {
    String in = namespace(object);
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
        pod.at("/spec/initContainers").valueStream(), pod.at("/spec/containers").valueStream());
  }

  static boolean hasContainer(JsonNode pod, String name) {
    return containers(pod).anyMatch(one -> text(one, "/name").equals(name));
  }

  static Stream<JsonNode> states(JsonNode pod) {
    return Stream.concat(
        pod.at("/status/initContainerStatuses").valueStream(),
        pod.at("/status/containerStatuses").valueStream());
  }

  /** True if the pod has not ended. */
  static boolean isAlive(JsonNode pod) {
    String phase = text(pod, "/status/phase");
    return !phase.equals("Succeeded") && !phase.equals("Failed");
  }

  static boolean isRunning(JsonNode pod) {
    return text(pod, "/status/phase").equals("Running");
  }

  static boolean isHostNetwork(JsonNode pod) {
    return pod.at("/spec/hostNetwork").asBoolean(false);
  }

  /** Looks for an object in the namespace of Parlance that somebody should miss. */
  static Checkup.Look wished(String group, String resource, String name, String missing) {
    return cluster ->
        cluster.own(group, resource, name).isMissingNode() ? warning(missing) : good(name);
  }

  /** Replicas that are wanted and ready, of a Deployment or StatefulSet. */
  static CheckFinding replicas(JsonNode workload, String what) {
    if (workload.isMissingNode()) {
      return bad("there is no " + what);
    }
    int wanted = workload.at("/spec/replicas").asInt(1);
    int ready = workload.at("/status/readyReplicas").asInt(0);
    String detail = what + ": " + ready + " of " + wanted + " ready";
    return wanted > 0 && ready >= wanted ? good(detail) : bad(detail);
  }

  /** Containers of these pods that were started again often or for want of memory. */
  static List<String> unsteady(Stream<JsonNode> pods) {
    return pods.flatMap(pod ->
            states(pod)
                .filter(Kinds::isUnsteady)
                .map(state -> qualifiedName(pod) + " (" + why(state) + ")"))
        .toList();
  }

  private static boolean isUnsteady(JsonNode state) {
    return state.path("restartCount").asInt(0) > RESTARTS_MAX
        || text(state, "/lastState/terminated/reason").equals("OOMKilled")
        || text(state, "/state/waiting/reason")
            .matches("CrashLoopBackOff|ImagePullBackOff|ErrImagePull");
  }

  private static String why(JsonNode state) {
    String waiting = text(state, "/state/waiting/reason");
    String ended = text(state, "/lastState/terminated/reason");
    return "%s %s, %d restarts"
        .formatted(
            text(state, "/name"),
            !waiting.isEmpty() ? waiting : ended.isEmpty() ? "restarts" : ended,
            state.path("restartCount").asInt(0));
  }
}
