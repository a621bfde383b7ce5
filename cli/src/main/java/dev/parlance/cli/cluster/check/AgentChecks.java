package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.noneBad;
import static dev.parlance.cli.cluster.check.CheckFinding.noneOdd;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;
import static dev.parlance.cli.cluster.check.Kinds.text;

import dev.parlance.cli.cluster.check.Checkup.Look;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks of agents: which have a sidecar, and whether there is a way around it. */
final class AgentChecks {
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
          "log-format",
          "config-map",
          "attach-secret",
          "memory-limit",
          "memory-request",
          "cpu-request",
          "cpu-limit",
          "image",
          "injected",
          "sidecar-config");

  private AgentChecks() {}

  static void into(Map<String, Look> looks) {
    looks.put("namespaces-labelled", AgentChecks::labelled);
    looks.put("namespace-label-values", AgentChecks::labelValues);
    looks.put("pods-injected", AgentChecks::injected);
    looks.put("pods-host-network", AgentChecks::hostNetwork);
    looks.put("injection-refused", AgentChecks::refused);
    looks.put("pod-annotations", AgentChecks::annotations);
    looks.put("services-reach-sidecar", AgentChecks::services);
    looks.put("agents-network-policy", AgentChecks::networkPolicies);
  }

  private static String inject(JsonNode object) {
    return Kinds.label(object, Kinds.LABEL);
  }

  /** Pods that ask for a sidecar, by their namespace's label or their own, and live. */
  private static List<JsonNode> wanting(Cluster cluster) throws IOException {
    List<JsonNode> pods = new ArrayList<>();
    for (JsonNode namespace : cluster.namespaces()) {
      String name = Kinds.name(namespace);
      if (inject(namespace).equals("enabled")
          && !name.startsWith("kube-")
          && !name.equals(cluster.namespace())) {
        cluster.pods(name).stream()
            .filter(pod -> !isRefusing(pod))
            .filter(Kinds::isAlive)
            .forEach(pods::add);
      }
    }
    Set<String> known = new HashSet<>(pods.stream().map(Kinds::qualifiedName).toList());
    cluster.list("/api/v1/pods?labelSelector=" + Cluster.encoded(Kinds.LABEL + "=enabled")).stream()
        .filter(Kinds::isAlive)
        .filter(pod -> known.add(Kinds.qualifiedName(pod)))
        .forEach(pods::add);
    return pods;
  }

  private static boolean isRefusing(JsonNode pod) {
    return inject(pod).equals("disabled") || Kinds.annotation(pod, Kinds.LABEL).equals("disabled");
  }

  private static CheckFinding labelled(Cluster cluster) throws IOException {
    long namespaces =
        cluster.namespaces().stream().filter(one -> inject(one).equals("enabled")).count();
    int pods = cluster.injected().size();
    return namespaces == 0 && pods == 0
        ? warning("nothing is: no agent has a sidecar")
        : good(
            (namespaces == 1 ? "one namespace" : namespaces + " namespaces")
                + ", "
                + (pods == 1 ? "one pod" : pods + " pods")
                + " with a sidecar");
  }

  private static CheckFinding labelValues(Cluster cluster) throws IOException {
    return noneBad(
        cluster.namespaces().stream()
            .filter(one -> !Set.of("", "enabled", "disabled").contains(inject(one)))
            .map(one -> Kinds.name(one) + "=" + inject(one))
            .toList(),
        "neither",
        "they do");
  }

  private static CheckFinding injected(Cluster cluster) throws IOException {
    List<JsonNode> wanting = wanting(cluster);
    return noneBad(
        wanting.stream()
            .filter(pod -> !Kinds.isHostNetwork(pod) && !Kinds.hasContainer(pod, Kinds.SIDECAR))
            .map(Kinds::qualifiedName)
            .toList(),
        "without",
        wanting.size() + " have");
  }

  private static CheckFinding hostNetwork(Cluster cluster) throws IOException {
    return noneBad(
        wanting(cluster).stream().filter(Kinds::isHostNetwork).map(Kinds::qualifiedName).toList(),
        "on the host's network",
        "none does");
  }

  private static CheckFinding refused(Cluster cluster) throws IOException {
    String failed = Cluster.encoded("reason=FailedCreate");
    return noneBad(
        cluster.list("/api/v1/events?fieldSelector=" + failed).stream()
            .filter(event -> text(event, "/message").contains("injector.parlance.dev"))
            .map(event -> event.path("involvedObject"))
            .map(object -> text(object, "/namespace") + "/" + text(object, "/name"))
            .distinct()
            .toList(),
        "waiting",
        "none does");
  }

  private static CheckFinding annotations(Cluster cluster) throws IOException {
    List<JsonNode> pods = new ArrayList<>(wanting(cluster));
    pods.addAll(cluster.injected());
    return noneOdd(
        pods.stream()
            .flatMap(pod ->
                pod.at("/metadata/annotations")
                    .propertyStream()
                    .map(Map.Entry::getKey)
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
        .filter(pod -> Kinds.isAlive(pod) && !Kinds.hasContainer(pod, "parlance-intercept"))
        .toList();
  }

  private static CheckFinding services(Cluster cluster) throws IOException {
    Set<String> around = new LinkedHashSet<>();
    for (JsonNode pod : withoutRedirection(cluster)) {
      String in = Kinds.namespace(pod);
      for (JsonNode service : cluster.list("/api/v1/namespaces/" + in + "/services")) {
        if (isChosenBy(service, pod) && goesAround(service, pod)) {
          around.add(in + "/" + Kinds.name(service));
        }
      }
    }
    return noneBad(List.copyOf(around), "around it", "they do");
  }

  /** True if the labels of a pod have everything that a Service's selector asks for. */
  private static boolean isChosenBy(JsonNode service, JsonNode pod) {
    JsonNode selector = service.at("/spec/selector");
    return !selector.isEmpty()
        && selector
            .propertyStream()
            .allMatch(one -> Kinds.label(pod, one.getKey()).equals(one.getValue().asString("")));
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
        .filter(one -> text(one, "/name").equals(target.asString()))
        .mapToInt(one -> one.path("containerPort").asInt(0))
        .findFirst()
        .orElse(0);
  }

  private static CheckFinding networkPolicies(Cluster cluster) throws IOException {
    Set<String> open = new LinkedHashSet<>();
    for (JsonNode pod : withoutRedirection(cluster)) {
      String in = Kinds.namespace(pod);
      if (cluster.list(Kinds.NETWORK + "/namespaces/" + in + "/networkpolicies").isEmpty()) {
        open.add(in);
      }
    }
    return noneOdd(List.copyOf(open), "no NetworkPolicy in", "they can");
  }
}
