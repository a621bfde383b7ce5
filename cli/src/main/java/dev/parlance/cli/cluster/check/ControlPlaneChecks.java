package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The control plane. */
final class ControlPlaneChecks {
  private static final String NAME = "parlance-control";
  private static final int RESTARTS_MAX = 3;
  private static final List<String> KEYS =
      List.of("ledger.key", "core.key", "attach.secret", "operator.token");

  private ControlPlaneChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("control-workload", ControlPlaneChecks::runs);
    looks.put(
        "control-steady",
        cluster ->
            Kinds.noneBad(Kinds.unsteady(pods(cluster), RESTARTS_MAX), "unsteady", "they are not"));
    looks.put("control-service", cluster -> endpoints(cluster, NAME));
    looks.put("control-ready", ControlPlaneChecks::ready);
    looks.put("control-ledger", ControlPlaneChecks::ledger);
    looks.put("control-encoder", ControlPlaneChecks::encoder);
    looks.put("control-volume", ControlPlaneChecks::volumes);
    looks.put("control-keys", ControlPlaneChecks::keys);
    looks.put("control-transport", ControlPlaneChecks::transport);
    looks.put("control-disruption-budget", ControlPlaneChecks::budget);
    looks.put(
        "control-network-policy",
        cluster ->
            cluster.own(Kinds.NETWORK, "networkpolicies", NAME).isMissingNode()
                ? warning("none: every pod of the cluster may")
                : good(NAME));
  }

  /** StatefulSet with the embedded store, Deployment with PostgreSQL. */
  static JsonNode workload(Cluster cluster) throws IOException {
    JsonNode stateful = cluster.own(Kinds.APPS, "statefulsets", NAME);
    return stateful.isMissingNode() ? cluster.own(Kinds.APPS, "deployments", NAME) : stateful;
  }

  private static CheckFinding runs(Cluster cluster) throws IOException {
    JsonNode workload = workload(cluster);
    return workload.isMissingNode() && InjectorChecks.isWithoutControl(cluster)
        ? skipped("sidecars have no control plane")
        : Kinds.replicas(workload, "workload " + NAME);
  }

  static Stream<JsonNode> pods(Cluster cluster) throws IOException {
    return ofComponent(cluster, "control");
  }

  static Stream<JsonNode> ofComponent(Cluster cluster, String component) throws IOException {
    return cluster.pods(cluster.namespace()).stream()
        .filter(pod ->
            Kinds.label(pod, "app.kubernetes.io/name").equals("parlance")
                && Kinds.label(pod, "app.kubernetes.io/component").equals(component));
  }

  static CheckFinding endpoints(Cluster cluster, String service) throws IOException {
    if (service.equals(NAME)
        && workload(cluster).isMissingNode()
        && InjectorChecks.isWithoutControl(cluster)) {
      return skipped("sidecars have no control plane");
    }
    if (cluster.own(Kinds.CORE, "services", service).isMissingNode()) {
      return bad("there is no Service " + service);
    }
    String selector = Cluster.encoded("kubernetes.io/service-name=" + service);
    long ready =
        cluster
            .list(
                "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices?labelSelector=%s"
                    .formatted(cluster.namespace(), selector))
            .stream()
            .flatMap(slice -> slice.path("endpoints").valueStream())
            .filter(one -> one.at("/conditions/ready").asBoolean(false))
            .count();
    return ready == 0
        ? bad("none is ready")
        : good(ready + (ready == 1 ? " is ready" : " are ready"));
  }

  private static boolean isEncrypted(Cluster cluster) throws IOException {
    return !config(cluster).path("tls").isMissingNode();
  }

  private static JsonNode config(Cluster cluster) throws IOException {
    return Cluster.yaml(
        cluster.own(Kinds.CORE, "configmaps", NAME).at("/data/control.yaml").asString(""));
  }

  private static Optional<String> http(Cluster cluster, String path) throws IOException {
    return cluster.text(
        "/api/v1/namespaces/%s/services/%s%s:7071/proxy%s"
            .formatted(cluster.namespace(), isEncrypted(cluster) ? "https:" : "", NAME, path));
  }

  private static CheckFinding ready(Cluster cluster) throws IOException {
    if (workload(cluster).isMissingNode()) {
      return skipped("there is no control plane");
    }
    try {
      return http(cluster, "/readyz")
          .map(_ -> good("it does"))
          .orElseGet(() -> bad("nobody answers at " + NAME + ":7071"));
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (why.contains("(Forbidden)")) {
        throw e;
      }
      return bad(why);
    }
  }

  static Cluster.MetricText metrics(Cluster cluster) throws IOException {
    return new Cluster.MetricText(http(cluster, "/metrics").orElse(""));
  }

  private static CheckFinding ledger(Cluster cluster) throws IOException {
    Cluster.MetricText metrics = metrics(cluster);
    if (metrics.sum("parlance_control_ledger_size").isEmpty()) {
      return skipped("its metrics cannot be read");
    }
    double refused = metrics.sum("parlance_control_ledger_append_refused_total").orElse(0);
    double failures = metrics.sum("parlance_control_store_failures_total").orElse(0);
    String detail = "%.0f refused appends, %.0f failures since start".formatted(refused, failures);
    return refused > 0 || failures > 0 ? warning(detail) : good(detail);
  }

  private static CheckFinding encoder(Cluster cluster) throws IOException {
    Cluster.MetricText metrics = metrics(cluster);
    if (metrics.sum("parlance_control_encoder_state").isEmpty()) {
      return skipped("its metrics cannot be read");
    }
    return metrics.sum("parlance_control_encoder_state", "state=\"failed\"").orElse(0) > 0
        ? warning("it failed: rounds end without a semantic outcome")
        : good("it is");
  }

  private static CheckFinding volumes(Cluster cluster) throws IOException {
    if (cluster.own(Kinds.APPS, "statefulsets", NAME).isMissingNode()) {
      return skipped("the store is a database");
    }
    List<String> unbound =
        cluster
            .list("/api/v1/namespaces/" + cluster.namespace() + "/persistentvolumeclaims")
            .stream()
            .filter(one -> Kinds.name(one).startsWith("data-" + NAME + "-"))
            .filter(one -> !one.at("/status/phase").asString("").equals("Bound"))
            .map(Kinds::name)
            .toList();
    return Kinds.noneBad(unbound, "not bound", "they are");
  }

  private static CheckFinding keys(Cluster cluster) throws IOException {
    Optional<String> secret =
        workload(cluster)
            .at("/spec/template/spec/volumes")
            .valueStream()
            .filter(volume -> volume.path("name").asString("").equals("keys"))
            .map(volume -> volume.at("/secret/secretName").asString(""))
            .findFirst();
    if (secret.isEmpty()) {
      return skipped("it makes its own, in its volume");
    }
    JsonNode found = cluster.own(Kinds.CORE, "secrets", secret.get());
    if (found.isMissingNode()) {
      return bad("there is no Secret " + secret.get());
    }
    List<String> missing =
        KEYS.stream().filter(key -> found.path("data").path(key).isMissingNode()).toList();
    return Kinds.noneBad(missing, "missing in " + secret.get(), secret.get());
  }

  private static CheckFinding transport(Cluster cluster) throws IOException {
    if (cluster.own(Kinds.CORE, "configmaps", NAME).isMissingNode()) {
      return skipped("there is no ConfigMap " + NAME);
    }
    return isEncrypted(cluster)
        ? good("they do")
        : warning("plain text: the network between can read tokens and cores");
  }

  private static CheckFinding budget(Cluster cluster) throws IOException {
    int replicas = workload(cluster).at("/spec/replicas").asInt(1);
    if (replicas < 2) {
      return skipped("there is one replica");
    }
    return cluster.own("/apis/policy/v1", "poddisruptionbudgets", NAME).isMissingNode()
        ? warning("none: a drain may take them all")
        : good(NAME);
  }
}
