package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The program, the API server, and what it serves. */
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

  static Checkup.Section section() {
    return new Checkup.Section(
        "Cluster",
        List.of(
            new Check(
                PROGRAM,
                "kubectl can be run",
                "install kubectl, or name it with --kubectl",
                ApiChecks::program),
            new Check(
                REACHABLE,
                "the API server answers",
                "see `kubectl cluster-info`; choose another cluster with --context or --kubeconfig",
                ApiChecks::reachable),
            new Check(
                "kubectl-skew",
                "kubectl is at most one minor version from the API server",
                "use a kubectl of the API server's version",
                ApiChecks::skew),
            new Check(
                "api-version",
                "the API server is 1.30 or newer",
                "below 1.29 set sidecar.native=false; below 1.30 leave admissionPolicy.enabled"
                    + " false; below 1.25 upgrade the cluster",
                ApiChecks::version),
            served(
                "api-webhooks",
                "admissionregistration.k8s.io/v1",
                "mutatingwebhookconfigurations",
                "without webhooks use `parlance inject` on manifests instead of the injector"),
            served(
                "api-network-policies",
                "networking.k8s.io/v1",
                "networkpolicies",
                "set networkPolicy.enabled=false"),
            served(
                "api-disruption-budgets",
                "policy/v1",
                "poddisruptionbudgets",
                "upgrade the cluster; policy/v1 is there since 1.21"),
            wished(
                "api-admission-policies",
                "admissionregistration.k8s.io/v1",
                "validatingadmissionpolicies",
                "leave admissionPolicy.enabled false; then an injector that is down with"
                    + " failurePolicy Ignore lets pods through without a sidecar"),
            wished(
                "crd-pod-monitors",
                "monitoring.coreos.com/v1",
                "podmonitors",
                "install the Prometheus operator, or leave monitoring.podMonitor.enabled false and"
                    + " scrape port 15020 of the sidecars otherwise"),
            wished(
                "crd-prometheus-rules",
                "monitoring.coreos.com/v1",
                "prometheusrules",
                "leave monitoring.rules.enabled false and give"
                    + " deploy/prometheus/parlance.rules.yaml to Prometheus yourself")));
  }

  /** Something is broken without it. */
  private static Check served(String id, String group, String resource, String remedy) {
    return served(id, group, resource, remedy, new CheckFinding.Bad("not served"));
  }

  /** Something is missing without it. */
  private static Check wished(String id, String group, String resource, String remedy) {
    return served(id, group, resource, remedy, new CheckFinding.Warning("not served"));
  }

  private static Check served(
      String id, String group, String resource, String remedy, CheckFinding otherwise) {
    return new Check(
        id,
        group + " " + resource + " are served",
        remedy,
        cluster -> cluster.serves(group, resource) ? new CheckFinding.Good("served") : otherwise);
  }

  private static CheckFinding program(Cluster cluster) {
    try {
      Kubectl.Reply reply = cluster.kubectl("version", "--client", "-o", "json");
      return reply.status() == 0
          ? new CheckFinding.Good(clientVersion(reply).path("gitVersion").asString("unknown"))
          : new CheckFinding.Bad(Cluster.said(reply));
    } catch (IOException e) {
      String why = e.getMessage();
      return new CheckFinding.Bad(why == null ? e.toString() : why);
    }
  }

  private static JsonNode clientVersion(Kubectl.Reply reply) throws IOException {
    return Cluster.parse(reply.out()).path("clientVersion");
  }

  private static CheckFinding reachable(Cluster cluster) {
    try {
      return cluster
          .get("/version")
          .<CheckFinding>map(
              found -> new CheckFinding.Good(found.path("gitVersion").asString("unknown")))
          .orElseGet(() -> new CheckFinding.Bad("it knows no /version"));
    } catch (IOException e) {
      String why = e.getMessage();
      return new CheckFinding.Bad(why == null ? e.toString() : why);
    }
  }

  private static CheckFinding skew(Cluster cluster) throws IOException {
    JsonNode client = clientVersion(cluster.kubectl("version", "--client", "-o", "json"));
    OptionalInt of = minor(client);
    OptionalInt server = minor(cluster.get("/version").orElse(client));
    if (of.isEmpty() || server.isEmpty()) {
      return new CheckFinding.Skipped("a version cannot be read");
    }
    String detail = "kubectl 1." + of.getAsInt() + ", API server 1." + server.getAsInt();
    return Math.abs(of.getAsInt() - server.getAsInt()) <= 1
        ? new CheckFinding.Good(detail)
        : new CheckFinding.Warning(detail);
  }

  private static CheckFinding version(Cluster cluster) throws IOException {
    OptionalInt minor = cluster.get("/version").map(ApiChecks::minor).orElse(OptionalInt.empty());
    if (minor.isEmpty()) {
      return new CheckFinding.Skipped("the version cannot be read");
    }
    String detail = "1." + minor.getAsInt();
    if (minor.getAsInt() < MINOR_LEAST) {
      return new CheckFinding.Bad(detail + " is too old");
    }
    if (minor.getAsInt() < MINOR_NATIVE) {
      return new CheckFinding.Warning(detail + " has no native sidecars");
    }
    return minor.getAsInt() < MINOR_FULL
        ? new CheckFinding.Warning(detail + " has no ValidatingAdmissionPolicy v1")
        : new CheckFinding.Good(detail);
  }

  /** Some clouds write 31+. */
  private static OptionalInt minor(JsonNode version) {
    Matcher number = NUMBER.matcher(version.path("minor").asString(""));
    return number.find() && number.group().length() < 5
        ? OptionalInt.of(Integer.parseInt(number.group()))
        : OptionalInt.empty();
  }
}
