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

/** Whether anybody looks on. */
final class ObservationChecks {
  private ObservationChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("pod-monitor", ObservationChecks::podMonitor);
    looks.put("prometheus-rule", ObservationChecks::rule);
    looks.put("dashboards", ObservationChecks::dashboards);
    looks.put("prometheus-targets", ObservationChecks::targets);
    looks.put("prometheus-rules", ObservationChecks::loaded);
    looks.put("alerts-silent", ObservationChecks::alerts);
  }

  private static CheckFinding podMonitor(Cluster cluster) throws IOException {
    return cluster.own(Kinds.MONITORING, "podmonitors", "parlance-sidecars").isMissingNode()
        ? warning("there is none")
        : good("parlance-sidecars");
  }

  private static CheckFinding rule(Cluster cluster) throws IOException {
    return cluster.own(Kinds.MONITORING, "prometheusrules", "parlance").isMissingNode()
        ? warning("there are none: nobody is woken")
        : good("parlance");
  }

  private static CheckFinding dashboards(Cluster cluster) throws IOException {
    long count =
        cluster.list("/api/v1/namespaces/" + cluster.namespace() + "/configmaps").stream()
            .filter(one -> Kinds.name(one).startsWith("parlance-dashboard-"))
            .count();
    return count == 0 ? warning("there are none") : good(count + " dashboards");
  }

  private static final CheckFinding UNKNOWN =
      skipped("say where it is: --prometheus NAMESPACE/SERVICE:PORT");

  private static JsonNode ask(Cluster cluster, Cluster.PrometheusAt at, String path)
      throws IOException {
    Optional<JsonNode> answer =
        cluster.get(
            "/api/v1/namespaces/%s/services/%s:%s/proxy/api/v1/%s"
                .formatted(at.namespace(), at.service(), at.port(), path));
    if (answer.isEmpty()) {
      throw new IOException("there is no Service " + at.namespace() + "/" + at.service());
    }
    return answer.get().path("data");
  }

  private static CheckFinding targets(Cluster cluster) throws IOException {
    if (cluster.setting().prometheus().isEmpty()) {
      return UNKNOWN;
    }
    Cluster.PrometheusAt at = cluster.setting().prometheus().get();
    List<String> scraped =
        ask(cluster, at, "query?query=" + Cluster.encoded("parlance_build_info"))
            .path("result")
            .valueStream()
            .map(one ->
                one.at("/metric/namespace").asString("") + "/" + one.at("/metric/pod").asString(""))
            .toList();
    return Kinds.noneBad(
        cluster.injected().stream()
            .filter(pod -> pod.at("/status/phase").asString("").equals("Running"))
            .map(Kinds::qualifiedName)
            .filter(pod -> !scraped.contains(pod))
            .toList(),
        "not scraped",
        scraped.size() + " scraped");
  }

  private static CheckFinding loaded(Cluster cluster) throws IOException {
    if (cluster.setting().prometheus().isEmpty()) {
      return UNKNOWN;
    }
    long count =
        ask(cluster, cluster.setting().prometheus().get(), "rules?type=alert")
            .path("groups")
            .valueStream()
            .flatMap(group -> group.path("rules").valueStream())
            .filter(rule -> rule.path("name").asString("").startsWith("Parlance"))
            .count();
    return count == 0 ? bad("it has none of them") : good(count + " alerts");
  }

  private static CheckFinding alerts(Cluster cluster) throws IOException {
    if (cluster.setting().prometheus().isEmpty()) {
      return UNKNOWN;
    }
    return Kinds.noneOdd(
        ask(cluster, cluster.setting().prometheus().get(), "alerts")
            .path("alerts")
            .valueStream()
            .filter(alert -> alert.path("state").asString("").equals("firing"))
            .map(alert -> alert.at("/labels/alertname").asString(""))
            .filter(name -> name.startsWith("Parlance"))
            .distinct()
            .sorted()
            .toList(),
        "firing",
        "none does");
  }
}
