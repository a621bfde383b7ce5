package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.bad;
import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The program, the API server, what it serves, and what the caller may do there. */
final class ApiChecks {
  private static final String REACHABLE = "api-reachable";
  private static final String PROGRAM = "kubectl-present";
  private static final Pattern NUMBER = Pattern.compile("^\\d+");

  /** Pod admission with ValidatingAdmissionPolicy v1 and native sidecars on by default. */
  private static final int MINOR_FULL = 30;

  /** Native sidecars on by default. */
  private static final int MINOR_NATIVE = 29;

  /** The oldest whose admission and policy groups are those of the chart. */
  private static final int MINOR_LEAST = 25;

  private ApiChecks() {}

  /** True if nothing after it can be looked at when it fails. */
  static boolean decidesAll(Check check) {
    return check.id().equals(REACHABLE) || check.id().equals(PROGRAM);
  }

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("may-create-namespaces", anywhere("", "namespaces"));
    looks.put("may-create-cluster-roles", anywhere("rbac.authorization.k8s.io", "clusterroles"));
    looks.put(
        "may-create-cluster-role-bindings",
        anywhere("rbac.authorization.k8s.io", "clusterrolebindings"));
    looks.put(
        "may-create-webhooks",
        anywhere("admissionregistration.k8s.io", "mutatingwebhookconfigurations"));
    looks.put("may-create-deployments", inside("apps", "deployments"));
    looks.put("may-create-stateful-sets", inside("apps", "statefulsets"));
    looks.put("may-create-services", inside("", "services"));
    looks.put("may-create-service-accounts", inside("", "serviceaccounts"));
    looks.put("may-create-config-maps", inside("", "configmaps"));
    looks.put("may-create-secrets", inside("", "secrets"));
    looks.put("may-create-roles", inside("rbac.authorization.k8s.io", "roles"));
    looks.put("may-create-role-bindings", inside("rbac.authorization.k8s.io", "rolebindings"));
    looks.put("may-create-network-policies", inside("networking.k8s.io", "networkpolicies"));
    looks.put("may-create-disruption-budgets", inside("policy", "poddisruptionbudgets"));
    looks.put("kubectl-present", ApiChecks::program);
    looks.put("api-reachable", ApiChecks::reachable);
    looks.put("kubectl-skew", ApiChecks::skew);
    looks.put("api-version", ApiChecks::version);
    looks.put(
        "api-webhooks",
        served(
            "admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", bad("not served")));
    looks.put(
        "api-network-policies",
        served("networking.k8s.io/v1", "networkpolicies", bad("not served")));
    looks.put(
        "api-disruption-budgets", served("policy/v1", "poddisruptionbudgets", bad("not served")));
    looks.put(
        "api-admission-policies",
        served(
            "admissionregistration.k8s.io/v1",
            "validatingadmissionpolicies",
            warning("not served")));
    looks.put(
        "crd-pod-monitors",
        served("monitoring.coreos.com/v1", "podmonitors", warning("not served")));
    looks.put(
        "crd-prometheus-rules",
        served("monitoring.coreos.com/v1", "prometheusrules", warning("not served")));
  }

  private static Check.Look served(String group, String resource, CheckFinding otherwise) {
    return cluster -> cluster.serves(group, resource) ? good("served") : otherwise;
  }

  private static CheckFinding program(Cluster cluster) {
    try {
      Kubectl.Reply reply = cluster.kubectl("version", "--client", "-o", "json");
      return reply.status() == 0
          ? good(clientVersion(reply).path("gitVersion").asString("unknown"))
          : bad(Cluster.said(reply));
    } catch (IOException e) {
      String why = e.getMessage();
      return bad(why == null ? e.toString() : why);
    }
  }

  private static JsonNode clientVersion(Kubectl.Reply reply) throws IOException {
    return Cluster.parse(reply.out()).path("clientVersion");
  }

  private static CheckFinding reachable(Cluster cluster) {
    try {
      return cluster
          .get("/version")
          .map(found -> good(found.path("gitVersion").asString("unknown")))
          .orElseGet(() -> bad("it knows no /version"));
    } catch (IOException e) {
      String why = e.getMessage();
      return bad(why == null ? e.toString() : why);
    }
  }

  private static CheckFinding skew(Cluster cluster) throws IOException {
    JsonNode client = clientVersion(cluster.kubectl("version", "--client", "-o", "json"));
    OptionalInt of = minor(client);
    OptionalInt server = minor(cluster.get("/version").orElse(client));
    if (of.isEmpty() || server.isEmpty()) {
      return skipped("a version cannot be read");
    }
    String detail = "kubectl 1." + of.getAsInt() + ", API server 1." + server.getAsInt();
    return Math.abs(of.getAsInt() - server.getAsInt()) <= 1 ? good(detail) : warning(detail);
  }

  private static CheckFinding version(Cluster cluster) throws IOException {
    OptionalInt minor = cluster.get("/version").map(ApiChecks::minor).orElse(OptionalInt.empty());
    if (minor.isEmpty()) {
      return skipped("the version cannot be read");
    }
    String detail = "1." + minor.getAsInt();
    if (minor.getAsInt() < MINOR_LEAST) {
      return bad(detail + " is too old");
    }
    if (minor.getAsInt() < MINOR_NATIVE) {
      return warning(detail + " has no native sidecars");
    }
    return minor.getAsInt() < MINOR_FULL
        ? warning(detail + " has no ValidatingAdmissionPolicy v1")
        : good(detail);
  }

  /** Some clouds write 31+. */
  private static OptionalInt minor(JsonNode version) {
    Matcher number = NUMBER.matcher(version.path("minor").asString(""));
    return number.find() && number.group().length() < 5
        ? OptionalInt.of(Integer.parseInt(number.group()))
        : OptionalInt.empty();
  }

  private static Check.Look anywhere(String group, String resource) {
    return cluster -> said(cluster.may("create", group, resource, Optional.empty()));
  }

  private static Check.Look inside(String group, String resource) {
    return cluster ->
        said(cluster.may("create", group, resource, Optional.of(cluster.namespace())));
  }

  private static CheckFinding said(boolean may) {
    return may ? good("you may") : bad("you may not");
  }
}
