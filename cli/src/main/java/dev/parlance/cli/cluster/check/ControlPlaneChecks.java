package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.noneBad;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;
import static dev.parlance.cli.cluster.check.Kinds.text;

import dev.parlance.cli.cluster.check.Checkup.Look;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Checks of the control plane: that it runs, answers, keeps its keys and is protected. */
final class ControlPlaneChecks {
  private static final String NAME = "parlance-control";
  private static final CheckFinding NOT_MEANT = skipped("sidecars have no control plane");
  private static final List<String> KEYS =
      List.of("ledger.key", "core.key", "attach.secret", "operator.token");

  private ControlPlaneChecks() {}

  static void into(Map<String, Look> looks) {
    looks.put("control-workload", ControlPlaneChecks::runs);
    looks.put("control-steady", cluster -> steady(cluster, "control"));
    looks.put(
        "control-service",
        cluster -> isMissingAsMeant(cluster) ? NOT_MEANT : endpoints(cluster, NAME));
    looks.put("control-ready", ControlPlaneChecks::ready);
    looks.put("control-ledger", ControlPlaneChecks::ledger);
    looks.put("control-encoder", ControlPlaneChecks::encoder);
    looks.put("control-volume", ControlPlaneChecks::volumes);
    looks.put("control-keys", ControlPlaneChecks::keys);
    looks.put("control-transport", ControlPlaneChecks::transport);
    looks.put("control-disruption-budget", ControlPlaneChecks::budget);
    looks.put(
        "control-network-policy",
        Kinds.wished(Kinds.NETWORK, "networkpolicies", NAME, "none: every pod of the cluster may"));
  }

  /** StatefulSet with the embedded store, Deployment with PostgreSQL. */
  private static JsonNode workload(Cluster cluster) throws IOException {
    JsonNode stateful = cluster.own(Kinds.APPS, "statefulsets", NAME);
    return stateful.isMissingNode() ? cluster.own(Kinds.APPS, "deployments", NAME) : stateful;
  }

  private static boolean isMissingAsMeant(Cluster cluster) throws IOException {
    return workload(cluster).isMissingNode() && InjectorChecks.isWithoutControl(cluster);
  }

  private static CheckFinding runs(Cluster cluster) throws IOException {
    return isMissingAsMeant(cluster)
        ? NOT_MEANT
        : Kinds.replicas(workload(cluster), "workload " + NAME);
  }

  /** Looks at the pods of a component in the namespace of Parlance. */
  static CheckFinding steady(Cluster cluster, String component) throws IOException {
    Stream<JsonNode> pods =
        cluster.pods(cluster.namespace()).stream()
            .filter(pod -> Kinds.label(pod, "app.kubernetes.io/name").equals("parlance"))
            .filter(pod -> Kinds.label(pod, "app.kubernetes.io/component").equals(component));
    return noneBad(Kinds.unsteady(pods), "unsteady", "they are not");
  }

  static CheckFinding endpoints(Cluster cluster, String service) throws IOException {
    if (cluster.own(Kinds.CORE, "services", service).isMissingNode()) {
      return bad("there is no Service " + service);
    }
    String slices = cluster.ownPath("/apis/discovery.k8s.io/v1", "endpointslices");
    String selector = Cluster.encoded("kubernetes.io/service-name=" + service);
    long ready =
        cluster.list(slices + "?labelSelector=" + selector).stream()
            .flatMap(slice -> slice.path("endpoints").valueStream())
            .filter(one -> one.at("/conditions/ready").asBoolean(false))
            .count();
    return ready == 0
        ? bad("none is ready")
        : good(ready + (ready == 1 ? " is ready" : " are ready"));
  }

  private static boolean isEncrypted(Cluster cluster) throws IOException {
    return !cluster.file(NAME, "control.yaml").path("tls").isMissingNode();
  }

  private static Optional<String> http(Cluster cluster, String path) throws IOException {
    String name = (isEncrypted(cluster) ? "https:" : "") + NAME + ":7071";
    return cluster.text(cluster.ownPath(Kinds.CORE, "services") + "/" + name + "/proxy" + path);
  }

  private static CheckFinding ready(Cluster cluster) throws IOException {
    if (workload(cluster).isMissingNode()) {
      return skipped("there is no control plane");
    }
    try {
      return http(cluster, "/readyz").isPresent()
          ? good("it does")
          : bad("nobody answers at " + NAME + ":7071");
    } catch (IOException e) {
      if (Cluster.words(e).contains("(Forbidden)")) {
        throw e;
      }
      return bad(Cluster.words(e));
    }
  }

  private static Cluster.Metrics metrics(Cluster cluster) throws IOException {
    return new Cluster.Metrics(http(cluster, "/metrics").orElse(""));
  }

  private static CheckFinding ledger(Cluster cluster) throws IOException {
    Cluster.Metrics metrics = metrics(cluster);
    if (metrics.sum("parlance_control_ledger_size").isEmpty()) {
      return skipped("its metrics cannot be read");
    }
    double refused = metrics.sum("parlance_control_ledger_append_refused_total").orElse(0);
    double failures = metrics.sum("parlance_control_store_failures_total").orElse(0);
    String detail = "%.0f refused appends, %.0f failures since start".formatted(refused, failures);
    return refused > 0 || failures > 0 ? warning(detail) : good(detail);
  }

  private static CheckFinding encoder(Cluster cluster) throws IOException {
    Cluster.Metrics metrics = metrics(cluster);
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
    return noneBad(
        cluster.list(cluster.ownPath(Kinds.CORE, "persistentvolumeclaims")).stream()
            .filter(one -> Kinds.name(one).startsWith("data-" + NAME + "-"))
            .filter(one -> !text(one, "/status/phase").equals("Bound"))
            .map(Kinds::name)
            .toList(),
        "not bound",
        "they are");
  }

  private static CheckFinding keys(Cluster cluster) throws IOException {
    Optional<String> secret =
        workload(cluster)
            .at("/spec/template/spec/volumes")
            .valueStream()
            .filter(volume -> text(volume, "/name").equals("keys"))
            .map(volume -> text(volume, "/secret/secretName"))
            .findFirst();
    if (secret.isEmpty()) {
      return skipped("it makes its own, in its volume");
    }
    JsonNode found = cluster.own(Kinds.CORE, "secrets", secret.get());
    return found.isMissingNode()
        ? bad("there is no Secret " + secret.get())
        : noneBad(
            KEYS.stream().filter(key -> found.path("data").path(key).isMissingNode()).toList(),
            "missing in " + secret.get(),
            secret.get());
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
    return workload(cluster).at("/spec/replicas").asInt(1) < 2
        ? skipped("there is one replica")
        : Kinds.wished(
                "/apis/policy/v1", "poddisruptionbudgets", NAME, "none: a drain may take them all")
            .at(cluster);
  }
}
