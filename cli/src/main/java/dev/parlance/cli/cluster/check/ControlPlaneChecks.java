package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.List;
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

  static Checkup.Section section() {
    return new Checkup.Section(
        "Control plane",
        List.of(
            new Check(
                "control-workload",
                "the control plane runs with all its replicas",
                "kubectl -n NAMESPACE describe statefulset,deployment parlance-control, and its"
                    + " pods' logs",
                ControlPlaneChecks::runs),
            new Check(
                "control-steady",
                "its pods are not started again and again",
                "kubectl -n NAMESPACE logs POD --previous; OOMKilled: raise"
                    + " controlPlane.resources.limits.memory",
                cluster ->
                    Kinds.noneBad(
                        Kinds.unsteady(pods(cluster), RESTARTS_MAX), "unsteady", "they are not")),
            new Check(
                "control-service",
                "its Service has ready endpoints",
                "the Service's selector must match the pods, and a pod must be ready",
                cluster -> endpoints(cluster, NAME)),
            new Check(
                "control-ready",
                "it says that store and ledger work",
                "see /readyz of port 7071 and docs/runbooks.md, ParlanceStoreFailing",
                ControlPlaneChecks::ready),
            new Check(
                "control-ledger",
                "its ledger takes entries and its store answers",
                "docs/runbooks.md, ParlanceLedgerRefusing and ParlanceStoreFailing",
                ControlPlaneChecks::ledger),
            new Check(
                "control-encoder",
                "its encoder is ready or off",
                "docs/runbooks.md, ParlanceEncoderFailed",
                ControlPlaneChecks::encoder),
            new Check(
                "control-volume",
                "the volumes of the embedded store are bound",
                "kubectl -n NAMESPACE describe pvc; name a storage class in"
                    + " controlPlane.store.embedded.storageClass",
                ControlPlaneChecks::volumes),
            new Check(
                "control-keys",
                "the Secret with the keys that replicas share is whole",
                "make the files by `parlance control keys DIR` and put all four into the Secret"
                    + " (docs/kubernetes.md, Keys)",
                ControlPlaneChecks::keys),
            new Check(
                "control-transport",
                "sidecars reach it over TLS",
                "set controlPlane.tls.secret, or certManager.enabled with certManager.controlPlane",
                ControlPlaneChecks::transport),
            new Check(
                "control-disruption-budget",
                "several replicas have a PodDisruptionBudget",
                "set controlPlane.podDisruptionBudget.enabled=true",
                ControlPlaneChecks::budget),
            new Check(
                "control-network-policy",
                "a NetworkPolicy says who may reach it",
                "set networkPolicy.enabled=true",
                cluster ->
                    cluster.own(Kinds.NETWORK, "networkpolicies", NAME).isMissingNode()
                        ? new CheckFinding.Warning("none: every pod of the cluster may")
                        : new CheckFinding.Good(NAME))));
  }

  /** StatefulSet with the embedded store, Deployment with PostgreSQL. */
  static JsonNode workload(Cluster cluster) throws IOException {
    JsonNode stateful = cluster.own(Kinds.APPS, "statefulsets", NAME);
    return stateful.isMissingNode() ? cluster.own(Kinds.APPS, "deployments", NAME) : stateful;
  }

  private static CheckFinding runs(Cluster cluster) throws IOException {
    JsonNode workload = workload(cluster);
    return workload.isMissingNode() && InjectorChecks.isWithoutControl(cluster)
        ? new CheckFinding.Skipped("sidecars have no control plane")
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
      return new CheckFinding.Skipped("sidecars have no control plane");
    }
    if (cluster.own(Kinds.CORE, "services", service).isMissingNode()) {
      return new CheckFinding.Bad("there is no Service " + service);
    }
    String selector = Cluster.encoded("kubernetes.io/service-name=" + service);
    long ready =
        cluster
            .list(
                "/apis/discovery.k8s.io/v1/namespaces/"
                    + cluster.namespace()
                    + "/endpointslices?labelSelector="
                    + selector)
            .stream()
            .flatMap(slice -> slice.path("endpoints").valueStream())
            .filter(one -> one.at("/conditions/ready").asBoolean(false))
            .count();
    return ready == 0
        ? new CheckFinding.Bad("none is ready")
        : new CheckFinding.Good(ready + (ready == 1 ? " is ready" : " are ready"));
  }

  private static boolean isEncrypted(Cluster cluster) throws IOException {
    return !config(cluster).path("tls").isMissingNode();
  }

  private static JsonNode config(Cluster cluster) throws IOException {
    return ConfigMapYaml.parse(
        cluster.own(Kinds.CORE, "configmaps", NAME).at("/data/control.yaml").asString(""));
  }

  private static Optional<String> http(Cluster cluster, String path) throws IOException {
    return cluster.text(
        "/api/v1/namespaces/"
            + cluster.namespace()
            + "/services/"
            + (isEncrypted(cluster) ? "https:" : "")
            + NAME
            + ":7071/proxy"
            + path);
  }

  private static CheckFinding ready(Cluster cluster) throws IOException {
    if (workload(cluster).isMissingNode()) {
      return new CheckFinding.Skipped("there is no control plane");
    }
    try {
      return http(cluster, "/readyz")
          .<CheckFinding>map(_ -> new CheckFinding.Good("it does"))
          .orElseGet(() -> new CheckFinding.Bad("nobody answers at " + NAME + ":7071"));
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (why.contains("(Forbidden)")) {
        throw e;
      }
      return new CheckFinding.Bad(why);
    }
  }

  static MetricText metrics(Cluster cluster) throws IOException {
    return new MetricText(http(cluster, "/metrics").orElse(""));
  }

  private static CheckFinding ledger(Cluster cluster) throws IOException {
    MetricText metrics = metrics(cluster);
    if (metrics.sum("parlance_control_ledger_size").isEmpty()) {
      return new CheckFinding.Skipped("its metrics cannot be read");
    }
    double refused = metrics.sum("parlance_control_ledger_append_refused_total").orElse(0);
    double failures = metrics.sum("parlance_control_store_failures_total").orElse(0);
    String detail = "%.0f refused appends, %.0f failures since start".formatted(refused, failures);
    return refused > 0 || failures > 0
        ? new CheckFinding.Warning(detail)
        : new CheckFinding.Good(detail);
  }

  private static CheckFinding encoder(Cluster cluster) throws IOException {
    MetricText metrics = metrics(cluster);
    if (metrics.sum("parlance_control_encoder_state").isEmpty()) {
      return new CheckFinding.Skipped("its metrics cannot be read");
    }
    return metrics.sum("parlance_control_encoder_state", "state=\"failed\"").orElse(0) > 0
        ? new CheckFinding.Warning("it failed: rounds end without a semantic outcome")
        : new CheckFinding.Good("it is");
  }

  private static CheckFinding volumes(Cluster cluster) throws IOException {
    if (cluster.own(Kinds.APPS, "statefulsets", NAME).isMissingNode()) {
      return new CheckFinding.Skipped("the store is a database");
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
      return new CheckFinding.Skipped("it makes its own, in its volume");
    }
    JsonNode found = cluster.own(Kinds.CORE, "secrets", secret.get());
    if (found.isMissingNode()) {
      return new CheckFinding.Bad("there is no Secret " + secret.get());
    }
    List<String> missing =
        KEYS.stream().filter(key -> found.path("data").path(key).isMissingNode()).toList();
    return Kinds.noneBad(missing, "missing in " + secret.get(), secret.get());
  }

  private static CheckFinding transport(Cluster cluster) throws IOException {
    if (cluster.own(Kinds.CORE, "configmaps", NAME).isMissingNode()) {
      return new CheckFinding.Skipped("there is no ConfigMap " + NAME);
    }
    return isEncrypted(cluster)
        ? new CheckFinding.Good("they do")
        : new CheckFinding.Warning("plain text: the network between can read tokens and cores");
  }

  private static CheckFinding budget(Cluster cluster) throws IOException {
    int replicas = workload(cluster).at("/spec/replicas").asInt(1);
    if (replicas < 2) {
      return new CheckFinding.Skipped("there is one replica");
    }
    return cluster.own("/apis/policy/v1", "poddisruptionbudgets", NAME).isMissingNode()
        ? new CheckFinding.Warning("none: a drain may take them all")
        : new CheckFinding.Good(NAME);
  }
}
