package dev.parlance.cli.cluster.check;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Whether anybody looks on. */
final class ObservationChecks {
  private ObservationChecks() {}

  static Checkup.Section section() {
    return new Checkup.Section(
        "Observation",
        List.of(
            new Check(
                "pod-monitor",
                "a PodMonitor names the sidecars to Prometheus",
                "set monitoring.podMonitor.enabled=true",
                ObservationChecks::podMonitor),
            new Check(
                "prometheus-rule",
                "the alerting rules are there",
                "set monitoring.rules.enabled=true, or load deploy/prometheus/parlance.rules.yaml",
                ObservationChecks::rule),
            new Check(
                "dashboards",
                "the dashboards are there for Grafana",
                "set monitoring.dashboards.enabled=true, or import deploy/dashboards/*.json",
                ObservationChecks::dashboards),
            new Check(
                "prometheus-targets",
                "Prometheus scrapes every sidecar",
                "the PodMonitor's labels must match podMonitorSelector of the Prometheus object",
                ObservationChecks::targets),
            new Check(
                "prometheus-rules",
                "Prometheus has loaded the alerting rules",
                "the PrometheusRule's labels must match ruleSelector of the Prometheus object",
                ObservationChecks::loaded),
            new Check(
                "alerts-silent",
                "no alert of Parlance fires",
                "docs/runbooks.md has a section for each",
                ObservationChecks::alerts)));
  }

  private static CheckFinding podMonitor(Cluster cluster) throws IOException {
    return cluster.own(Kinds.MONITORING, "podmonitors", "parlance-sidecars").isMissingNode()
        ? new CheckFinding.Warning("there is none")
        : new CheckFinding.Good("parlance-sidecars");
  }

  private static CheckFinding rule(Cluster cluster) throws IOException {
    return cluster.own(Kinds.MONITORING, "prometheusrules", "parlance").isMissingNode()
        ? new CheckFinding.Warning("there are none: nobody is woken")
        : new CheckFinding.Good("parlance");
  }

  private static CheckFinding dashboards(Cluster cluster) throws IOException {
    long count =
        cluster.list("/api/v1/namespaces/" + cluster.namespace() + "/configmaps").stream()
            .filter(one -> Kinds.name(one).startsWith("parlance-dashboard-"))
            .count();
    return count == 0
        ? new CheckFinding.Warning("there are none")
        : new CheckFinding.Good(count + " dashboards");
  }

  private static final CheckFinding UNKNOWN =
      new CheckFinding.Skipped("say where it is: --prometheus NAMESPACE/SERVICE:PORT");

  private static JsonNode ask(Cluster cluster, Cluster.PrometheusAt at, String path)
      throws IOException {
    Optional<JsonNode> answer =
        cluster.get(
            "/api/v1/namespaces/"
                + at.namespace()
                + "/services/"
                + at.service()
                + ":"
                + at.port()
                + "/proxy/api/v1/"
                + path);
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
    return count == 0
        ? new CheckFinding.Bad("it has none of them")
        : new CheckFinding.Good(count + " alerts");
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
