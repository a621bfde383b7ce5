package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Agents: which have a sidecar, and whether there is a way around it. */
final class WorkloadChecks {
  private static final String PREFIX = "parlance.dev/";
  private static final int SIDECAR_INBOUND = 15006;

  /** Everything that the injector reads on pods, and what it writes. */
  private static final Set<String> ANNOTATIONS =
      Set.of(
          "inject",
          "agent-port",
          "agent",
          "interception",
          "exclude-inbound-ports",
          "exclude-outbound-ports",
          "exclude-uids",
          "native-sidecar",
          "config-map",
          "attach-secret",
          "memory-limit",
          "memory-request",
          "cpu-request",
          "cpu-limit",
          "image",
          "injected",
          "sidecar-config");

  private WorkloadChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("namespaces-labelled", WorkloadChecks::labelled);
    looks.put("namespace-label-values", WorkloadChecks::labelValues);
    looks.put("pods-injected", WorkloadChecks::injected);
    looks.put("pods-host-network", WorkloadChecks::hostNetwork);
    looks.put("injection-refused", WorkloadChecks::refused);
    looks.put("pod-annotations", WorkloadChecks::annotations);
    looks.put("services-reach-sidecar", WorkloadChecks::services);
    looks.put("agents-network-policy", WorkloadChecks::networkPolicies);
  }

  private static String inject(JsonNode object) {
    return Kinds.label(object, Kinds.LABEL);
  }

  private static List<JsonNode> labelledNamespaces(Cluster cluster) throws IOException {
    return cluster.namespaces().stream()
        .filter(namespace -> inject(namespace).equals("enabled"))
        .toList();
  }

  /** Pods that ask for a sidecar, by their namespace's label or their own, and live. */
  private static List<JsonNode> wanting(Cluster cluster) throws IOException {
    List<JsonNode> pods = new ArrayList<>();
    for (JsonNode namespace : cluster.namespaces()) {
      String says = inject(namespace);
      if (Kinds.name(namespace).startsWith("kube-")
          || Kinds.name(namespace).equals(cluster.namespace())
          || says.equals("disabled")) {
        continue;
      }
      if (says.equals("enabled")) {
        cluster.pods(Kinds.name(namespace)).stream()
            .filter(pod -> !isRefusing(pod))
            .filter(Kinds::isAlive)
            .forEach(pods::add);
      }
    }
    cluster.list("/api/v1/pods?labelSelector=" + Cluster.encoded(Kinds.LABEL + "=enabled")).stream()
        .filter(Kinds::isAlive)
        .filter(pod ->
            pods.stream()
                .noneMatch(one -> Kinds.qualifiedName(one).equals(Kinds.qualifiedName(pod))))
        .forEach(pods::add);
    return pods;
  }

  private static boolean isRefusing(JsonNode pod) {
    return inject(pod).equals("disabled") || Kinds.annotation(pod, Kinds.LABEL).equals("disabled");
  }

  private static CheckFinding labelled(Cluster cluster) throws IOException {
    int namespaces = labelledNamespaces(cluster).size();
    int pods = cluster.injected().size();
    String detail =
        "%s, %s with a sidecar"
            .formatted(
                namespaces == 1 ? "one namespace" : namespaces + " namespaces",
                pods == 1 ? "one pod" : pods + " pods");
    return namespaces == 0 && pods == 0
        ? warning("nothing is: no agent has a sidecar")
        : good(detail);
  }

  private static CheckFinding labelValues(Cluster cluster) throws IOException {
    return Kinds.noneBad(
        cluster.namespaces().stream()
            .filter(one -> !Set.of("", "enabled", "disabled").contains(inject(one)))
            .map(one -> Kinds.name(one) + "=" + inject(one))
            .toList(),
        "neither",
        "they do");
  }

  private static CheckFinding injected(Cluster cluster) throws IOException {
    List<JsonNode> wanting = wanting(cluster);
    return Kinds.noneBad(
        wanting.stream()
            .filter(pod -> !Kinds.isHostNetwork(pod))
            .filter(pod -> !Kinds.hasSidecar(pod))
            .map(Kinds::qualifiedName)
            .toList(),
        "without",
        wanting.size() + " have");
  }

  private static CheckFinding hostNetwork(Cluster cluster) throws IOException {
    return Kinds.noneBad(
        wanting(cluster).stream().filter(Kinds::isHostNetwork).map(Kinds::qualifiedName).toList(),
        "on the host's network",
        "none does");
  }

  private static CheckFinding refused(Cluster cluster) throws IOException {
    return Kinds.noneBad(
        cluster
            .list("/api/v1/events?fieldSelector=" + Cluster.encoded("reason=FailedCreate"))
            .stream()
            .filter(event -> event.path("message").asString("").contains("injector.parlance.dev"))
            .map(event ->
                "%s/%s"
                    .formatted(
                        event.at("/involvedObject/namespace").asString(""),
                        event.at("/involvedObject/name").asString("")))
            .distinct()
            .toList(),
        "waiting",
        "none does");
  }

  private static CheckFinding annotations(Cluster cluster) throws IOException {
    List<JsonNode> pods = new ArrayList<>(wanting(cluster));
    pods.addAll(cluster.injected());
    return Kinds.noneOdd(
        pods.stream()
            .flatMap(pod ->
                pod.at("/metadata/annotations")
                    .propertyStream()
                    .map(one -> one.getKey())
                    .filter(key -> key.startsWith(PREFIX))
                    .filter(key -> !ANNOTATIONS.contains(key.substring(PREFIX.length())))
                    .map(key -> Kinds.qualifiedName(pod) + " " + key))
            .distinct()
            .toList(),
        "unknown",
        "they are");
  }

  /** Pods whose agent is reached through the sidecar's own port. */
  private static List<JsonNode> withoutRedirection(Cluster cluster) throws IOException {
    return cluster.injected().stream()
        .filter(Kinds::isAlive)
        .filter(pod ->
            Kinds.containers(pod)
                .noneMatch(one -> one.path("name").asString("").equals("parlance-intercept")))
        .toList();
  }

  private static CheckFinding services(Cluster cluster) throws IOException {
    List<String> around = new ArrayList<>();
    for (JsonNode pod : withoutRedirection(cluster)) {
      String in = pod.at("/metadata/namespace").asString("");
      for (JsonNode service : cluster.list("/api/v1/namespaces/" + in + "/services")) {
        if (chooses(service, pod) && goesAround(service, pod)) {
          around.add(in + "/" + Kinds.name(service));
        }
      }
    }
    return Kinds.noneBad(around.stream().distinct().toList(), "around it", "they do");
  }

  private static boolean goesAround(JsonNode service, JsonNode pod) {
    return service
        .at("/spec/ports")
        .valueStream()
        .noneMatch(port -> target(port, pod) == SIDECAR_INBOUND);
  }

  private static int target(JsonNode port, JsonNode pod) {
    JsonNode target = port.path("targetPort");
    if (!target.isString()) {
      return target.asInt(port.path("port").asInt(0));
    }
    return Kinds.containers(pod)
        .flatMap(one -> one.path("ports").valueStream())
        .filter(one -> one.path("name").asString("").equals(target.asString()))
        .mapToInt(one -> one.path("containerPort").asInt(0))
        .findFirst()
        .orElse(0);
  }

  private static CheckFinding networkPolicies(Cluster cluster) throws IOException {
    List<String> open = new ArrayList<>();
    List<String> namespaces =
        withoutRedirection(cluster).stream()
            .map(pod -> pod.at("/metadata/namespace").asString(""))
            .distinct()
            .toList();
    for (String in : namespaces) {
      if (cluster.list(Kinds.NETWORK + "/namespaces/" + in + "/networkpolicies").isEmpty()) {
        open.add(in);
      }
    }
    return Kinds.noneOdd(open, "no NetworkPolicy in", "they can");
  }

  /** True if the labels of a pod have everything that a Service's selector asks for. */
  private static boolean chooses(JsonNode service, JsonNode pod) {
    Map<String, String> wanted =
        service
            .at("/spec/selector")
            .propertyStream()
            .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().asString("")));
    return !wanted.isEmpty()
        && wanted.entrySet().stream()
            .allMatch(one -> Kinds.label(pod, one.getKey()).equals(one.getValue()));
  }
}
