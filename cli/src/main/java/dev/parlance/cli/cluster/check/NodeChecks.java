package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Where pods run, and the namespace of Parlance. */
final class NodeChecks {
  private NodeChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("nodes-linux-amd64", NodeChecks::architecture);
    looks.put("nodes-kernel", NodeChecks::kernel);
    looks.put("storage-class", NodeChecks::storage);
    looks.put("namespace-not-injected", NodeChecks::notInjected);
    looks.put("namespace-pod-security", NodeChecks::podSecurity);
    looks.put("one-installation", NodeChecks::single);
  }

  private static CheckFinding architecture(Cluster cluster) throws IOException {
    List<String> others =
        cluster.list("/api/v1/nodes").stream()
            .filter(node ->
                !node.at("/status/nodeInfo/architecture").asString("").equals("amd64")
                    || !node.at("/status/nodeInfo/operatingSystem").asString("").equals("linux"))
            .map(Kinds::name)
            .toList();
    return Kinds.noneOdd(others, "of another kind", "all are");
  }

  private static CheckFinding kernel(Cluster cluster) throws IOException {
    List<String> old =
        cluster.list("/api/v1/nodes").stream()
            .filter(
                node -> node.at("/status/nodeInfo/operatingSystem").asString("").equals("linux"))
            .filter(node ->
                node.at("/status/nodeInfo/kernelVersion")
                    .asString("")
                    .matches("([0-4]|5\\.[01])\\..*"))
            .map(Kinds::name)
            .toList();
    return Kinds.noneOdd(old, "older", "all have");
  }

  private static CheckFinding storage(Cluster cluster) throws IOException {
    Optional<String> usual =
        cluster.list("/apis/storage.k8s.io/v1/storageclasses").stream()
            .filter(one ->
                Kinds.annotation(one, "storageclass.kubernetes.io/is-default-class").equals("true"))
            .map(Kinds::name)
            .findFirst();
    return usual.map(CheckFinding::good).orElseGet(() -> warning("none is the default"));
  }

  private static CheckFinding notInjected(Cluster cluster) throws IOException {
    Optional<JsonNode> own = cluster.get("/api/v1/namespaces/" + cluster.namespace());
    return own.filter(found -> Kinds.label(found, Kinds.LABEL).equals("enabled"))
        .map(_ -> bad("it is: an injector that is down could keep itself from starting again"))
        .orElseGet(() -> good("it is not"));
  }

  private static CheckFinding podSecurity(Cluster cluster) throws IOException {
    Optional<JsonNode> own = cluster.get("/api/v1/namespaces/" + cluster.namespace());
    if (own.isEmpty()) {
      return skipped("there is no namespace " + cluster.namespace() + " yet");
    }
    String enforced = Kinds.label(own.get(), "pod-security.kubernetes.io/enforce");
    return enforced.equals("restricted")
        ? good("restricted")
        : warning(enforced.isEmpty() ? "nothing is enforced" : enforced);
  }

  private static CheckFinding single(Cluster cluster) throws IOException {
    Optional<JsonNode> webhook =
        cluster.get(Kinds.ADMISSION + "/mutatingwebhookconfigurations/parlance-injector");
    List<String> elsewhere =
        webhook.stream()
            .flatMap(found -> found.path("webhooks").valueStream())
            .map(one -> one.at("/clientConfig/service/namespace").asString(""))
            .filter(in -> !in.equals(cluster.namespace()))
            .distinct()
            .toList();
    return Kinds.noneBad(elsewhere, "one belongs to namespace", "none has");
  }
}
