package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Where pods run, and the namespace of Parlance. */
final class NodeChecks {
  private NodeChecks() {}

  static Checkup.Section section() {
    return new Checkup.Section(
        "Nodes and namespace",
        List.of(
            new Check(
                "nodes-linux-amd64",
                "every node can run the image (linux/amd64)",
                "keep agents with sidecars on linux/amd64 nodes by a nodeSelector, or build the"
                    + " image for the other architecture (docs/image.md)",
                NodeChecks::architecture),
            new Check(
                "nodes-kernel",
                "every node's kernel has nft redirection (5.2 or newer)",
                "set sidecar.interception=proxy, or upgrade the nodes",
                NodeChecks::kernel),
            new Check(
                "storage-class",
                "there is a default storage class for the embedded store",
                "name one in controlPlane.store.embedded.storageClass, or use PostgreSQL",
                NodeChecks::storage),
            new Check(
                "namespace-not-injected",
                "the namespace of Parlance is not labelled for injection",
                "kubectl label namespace NAMESPACE parlance.dev/inject-",
                NodeChecks::notInjected),
            new Check(
                "namespace-pod-security",
                "the namespace of Parlance enforces the Pod Security Standard restricted",
                "kubectl label namespace NAMESPACE"
                    + " pod-security.kubernetes.io/enforce=restricted: every pod of the chart"
                    + " keeps to it",
                NodeChecks::podSecurity),
            new Check(
                "one-installation",
                "no other installation has the webhook configuration parlance-injector",
                "uninstall the other one, or pass its namespace with --namespace",
                NodeChecks::single)));
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
    return usual
        .<CheckFinding>map(CheckFinding.Good::new)
        .orElseGet(() -> new CheckFinding.Warning("none is the default"));
  }

  private static CheckFinding notInjected(Cluster cluster) throws IOException {
    Optional<JsonNode> own = cluster.get("/api/v1/namespaces/" + cluster.namespace());
    return own.filter(found -> Kinds.label(found, Kinds.LABEL).equals("enabled"))
        .<CheckFinding>map(_ ->
            new CheckFinding.Bad(
                "it is: an injector that is down could keep itself from starting again"))
        .orElseGet(() -> new CheckFinding.Good("it is not"));
  }

  private static CheckFinding podSecurity(Cluster cluster) throws IOException {
    Optional<JsonNode> own = cluster.get("/api/v1/namespaces/" + cluster.namespace());
    if (own.isEmpty()) {
      return new CheckFinding.Skipped("there is no namespace " + cluster.namespace() + " yet");
    }
    String enforced = Kinds.label(own.get(), "pod-security.kubernetes.io/enforce");
    return enforced.equals("restricted")
        ? new CheckFinding.Good("restricted")
        : new CheckFinding.Warning(enforced.isEmpty() ? "nothing is enforced" : enforced);
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
