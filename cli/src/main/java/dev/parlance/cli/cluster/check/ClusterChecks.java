package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.noneBad;
import static dev.parlance.cli.cluster.check.CheckFinding.noneOdd;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;
import static dev.parlance.cli.cluster.check.Kinds.text;

import dev.parlance.cli.cluster.check.Checkup.Look;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Checks of the program {@code kubectl}, the API server and what it serves, the nodes, the
 * namespace of Parlance, and what the one who installs may do.
 */
final class ClusterChecks {
  private static final Pattern NUMBER = Pattern.compile("^\\d+");

  /** Pod admission with ValidatingAdmissionPolicy v1 and native sidecars on by default. */
  private static final int MINOR_FULL = 30;

  /** Native sidecars on by default. */
  private static final int MINOR_NATIVE = 29;

  /** The oldest whose admission and policy groups are those of the chart. */
  private static final int MINOR_LEAST = 25;

  private ClusterChecks() {}

  static void into(Map<String, Look> looks) {
    looks.put("kubectl-present", ClusterChecks::program);
    looks.put("api-reachable", ClusterChecks::reachable);
    looks.put("kubectl-skew", ClusterChecks::skew);
    looks.put("api-version", ClusterChecks::version);
    CheckFinding broken = bad("not served");
    CheckFinding lacking = warning("not served");
    String admission = "admissionregistration.k8s.io";
    String network = "networking.k8s.io";
    String monitoring = "monitoring.coreos.com";
    looks.put("api-webhooks", served(admission, "mutatingwebhookconfigurations", broken));
    looks.put("api-network-policies", served(network, "networkpolicies", broken));
    looks.put("api-disruption-budgets", served("policy", "poddisruptionbudgets", broken));
    looks.put("api-admission-policies", served(admission, "validatingadmissionpolicies", lacking));
    looks.put("crd-pod-monitors", served(monitoring, "podmonitors", lacking));
    looks.put("crd-prometheus-rules", served(monitoring, "prometheusrules", lacking));
    looks.put("nodes-linux-amd64", ClusterChecks::architecture);
    looks.put("nodes-kernel", ClusterChecks::kernel);
    looks.put("storage-class", ClusterChecks::storage);
    looks.put("namespace-not-injected", ClusterChecks::notInjected);
    looks.put("namespace-pod-security", ClusterChecks::podSecurity);
    looks.put("one-installation", ClusterChecks::single);
    String access = "rbac.authorization.k8s.io";
    looks.put("may-create-namespaces", anywhere("", "namespaces"));
    looks.put("may-create-cluster-roles", anywhere(access, "clusterroles"));
    looks.put("may-create-cluster-role-bindings", anywhere(access, "clusterrolebindings"));
    looks.put("may-create-webhooks", anywhere(admission, "mutatingwebhookconfigurations"));
    looks.put("may-create-deployments", inside("apps", "deployments"));
    looks.put("may-create-stateful-sets", inside("apps", "statefulsets"));
    looks.put("may-create-services", inside("", "services"));
    looks.put("may-create-service-accounts", inside("", "serviceaccounts"));
    looks.put("may-create-config-maps", inside("", "configmaps"));
    looks.put("may-create-secrets", inside("", "secrets"));
    looks.put("may-create-roles", inside(access, "roles"));
    looks.put("may-create-role-bindings", inside(access, "rolebindings"));
    looks.put("may-create-network-policies", inside(network, "networkpolicies"));
    looks.put("may-create-disruption-budgets", inside("policy", "poddisruptionbudgets"));
  }

  /** Looks whether the API server has a resource in version 1 of a group. */
  private static Look served(String group, String resource, CheckFinding otherwise) {
    return cluster ->
        cluster
                .get("/apis/" + group + "/v1")
                .path("resources")
                .valueStream()
                .anyMatch(one -> text(one, "/name").equals(resource))
            ? good("served")
            : otherwise;
  }

  private static Look anywhere(String group, String resource) {
    return cluster -> may(cluster.mayCreate(group, resource, Optional.empty()));
  }

  private static Look inside(String group, String resource) {
    return cluster -> may(cluster.mayCreate(group, resource, Optional.of(cluster.namespace())));
  }

  private static CheckFinding may(boolean may) {
    return may ? good("you may") : bad("you may not");
  }

  private static CheckFinding program(Cluster cluster) {
    try {
      return good(cluster.client().path("gitVersion").asString("unknown"));
    } catch (IOException e) {
      return bad(Cluster.words(e));
    }
  }

  private static CheckFinding reachable(Cluster cluster) {
    try {
      JsonNode version = cluster.get("/version");
      return version.isMissingNode()
          ? bad("it knows no /version")
          : good(version.path("gitVersion").asString("unknown"));
    } catch (IOException e) {
      return bad(Cluster.words(e));
    }
  }

  private static CheckFinding skew(Cluster cluster) throws IOException {
    OptionalInt client = minor(cluster.client());
    OptionalInt server = minor(cluster.get("/version"));
    if (client.isEmpty() || server.isEmpty()) {
      return skipped("a version cannot be read");
    }
    String detail = "kubectl 1." + client.getAsInt() + ", API server 1." + server.getAsInt();
    return Math.abs(client.getAsInt() - server.getAsInt()) <= 1 ? good(detail) : warning(detail);
  }

  private static CheckFinding version(Cluster cluster) throws IOException {
    OptionalInt found = minor(cluster.get("/version"));
    if (found.isEmpty()) {
      return skipped("the version cannot be read");
    }
    int minor = found.getAsInt();
    String detail = "1." + minor;
    if (minor < MINOR_LEAST) {
      return bad(detail + " is too old");
    }
    if (minor < MINOR_NATIVE) {
      return warning(detail + " has no native sidecars");
    }
    return minor < MINOR_FULL
        ? warning(detail + " has no ValidatingAdmissionPolicy v1")
        : good(detail);
  }

  /** Some clouds write 31+. */
  private static OptionalInt minor(JsonNode version) {
    Matcher number = NUMBER.matcher(text(version, "/minor"));
    return number.find() && number.group().length() < 5
        ? OptionalInt.of(Integer.parseInt(number.group()))
        : OptionalInt.empty();
  }

  private static boolean isLinux(JsonNode node) {
    return text(node, "/status/nodeInfo/operatingSystem").equals("linux");
  }

  private static CheckFinding architecture(Cluster cluster) throws IOException {
    return noneOdd(
        cluster.list("/api/v1/nodes").stream()
            .filter(node ->
                !isLinux(node) || !text(node, "/status/nodeInfo/architecture").equals("amd64"))
            .map(Kinds::name)
            .toList(),
        "of another kind",
        "all are");
  }

  private static CheckFinding kernel(Cluster cluster) throws IOException {
    Pattern old = Pattern.compile("([0-4]|5\\.[01])\\..*");
    return noneOdd(
        cluster.list("/api/v1/nodes").stream()
            .filter(ClusterChecks::isLinux)
            .filter(node -> old.matcher(text(node, "/status/nodeInfo/kernelVersion")).matches())
            .map(Kinds::name)
            .toList(),
        "older",
        "all have");
  }

  private static CheckFinding storage(Cluster cluster) throws IOException {
    String standard = "storageclass.kubernetes.io/is-default-class";
    return cluster.list("/apis/storage.k8s.io/v1/storageclasses").stream()
        .filter(one -> Kinds.annotation(one, standard).equals("true"))
        .map(one -> good(Kinds.name(one)))
        .findFirst()
        .orElse(warning("none is the default"));
  }

  private static JsonNode ownNamespace(Cluster cluster) throws IOException {
    return cluster.get("/api/v1/namespaces/" + cluster.namespace());
  }

  private static CheckFinding notInjected(Cluster cluster) throws IOException {
    return Kinds.label(ownNamespace(cluster), Kinds.LABEL).equals("enabled")
        ? bad("it is: an injector that is down could keep itself from starting again")
        : good("it is not");
  }

  private static CheckFinding podSecurity(Cluster cluster) throws IOException {
    JsonNode own = ownNamespace(cluster);
    if (own.isMissingNode()) {
      return skipped("there is no namespace " + cluster.namespace() + " yet");
    }
    String enforced = Kinds.label(own, "pod-security.kubernetes.io/enforce");
    return enforced.equals("restricted")
        ? good("restricted")
        : warning(enforced.isEmpty() ? "nothing is enforced" : enforced);
  }

  private static CheckFinding single(Cluster cluster) throws IOException {
    return noneBad(
        InjectorChecks.webhooks(cluster).stream()
            .map(one -> text(one, "/clientConfig/service/namespace"))
            .filter(in -> !in.equals(cluster.namespace()))
            .distinct()
            .toList(),
        "one belongs to namespace",
        "none has");
  }
}
