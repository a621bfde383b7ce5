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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Checks of sidecars that run, as Kubernetes and their own metrics show them, and whether
 * Prometheus and Grafana look at them.
 */
final class SidecarChecks {
  private static final int HEALTH_PORT = 15020;
  private static final double REVIEW_SECONDS_MAX = 900;
  private static final double HEAP_SHARE_MAX = 0.9;
  private static final CheckFinding NOT_KNOWN = skipped("the installed version is not known");

  private SidecarChecks() {}

  static void into(Map<String, Look> looks) {
    looks.put("command-version", SidecarChecks::commandVersion);
    looks.put("sidecars-version", SidecarChecks::versions);
    looks.put("sidecars-ready", SidecarChecks::ready);
    looks.put("sidecars-steady", SidecarChecks::steady);
    looks.put("sidecars-answer", SidecarChecks::answer);
    looks.put(
        "sidecars-attached",
        measured("not attached", one -> one.sum("parlance_control_connected").orElse(1) == 0));
    looks.put("sidecars-config", counted("refused one", "parlance_config_rejected_total"));
    looks.put(
        "sidecars-cores",
        measured(
            "stale or absent",
            one ->
                one.sum("parlance_core_state", "state=\"stale\"").orElse(0) > 0
                    || one.sum("parlance_core_state", "state=\"absent\"").orElse(0) > 0));
    looks.put("sidecars-cards", counted("lead past it", "parlance_cards_elsewhere_total"));
    looks.put(
        "sidecars-tls",
        measured(
            "refused some",
            one -> one.sum("parlance_rejected_total", "reason=\"tls_refused\"").orElse(0) > 0));
    looks.put("sidecars-fail-open", counted("let some through", "parlance_fail_open_total"));
    looks.put(
        "sidecars-decision-log", counted("lost lines", "parlance_decision_log_dropped_total"));
    looks.put(
        "sidecars-review",
        measured(
            "late",
            one -> one.sum("parlance_review_oldest_age_seconds").orElse(0) > REVIEW_SECONDS_MAX));
    looks.put(
        "sidecars-heap",
        measured(
            "above nine tenths",
            one ->
                one.sum("parlance_jvm_heap_used_bytes").orElse(0)
                    > HEAP_SHARE_MAX
                        * one.sum("parlance_jvm_heap_max_bytes").orElse(Long.MAX_VALUE)));
    looks.put(
        "pod-monitor",
        Kinds.wished(Kinds.MONITORING, "podmonitors", "parlance-sidecars", "there is none"));
    looks.put(
        "prometheus-rule",
        Kinds.wished(
            Kinds.MONITORING, "prometheusrules", "parlance", "there are none: nobody is woken"));
    looks.put("dashboards", SidecarChecks::dashboards);
    looks.put(
        "prometheus-targets", asked("query?query=parlance_build_info", SidecarChecks::targets));
    looks.put("prometheus-rules", asked("rules?type=alert", (_, data) -> loaded(data)));
    looks.put("alerts-silent", asked("alerts", (_, data) -> alerts(data)));
  }

  private static Look counted(String odd, String metric) {
    return measured(odd, one -> one.sum(metric).orElse(0) > 0);
  }

  private static Look measured(String odd, Predicate<Cluster.Metrics> isOdd) {
    return cluster -> {
      Map<String, Optional<Cluster.Metrics>> metrics = metrics(cluster);
      long read = metrics.values().stream().filter(Optional::isPresent).count();
      return read == 0
          ? skipped("no sidecar's metrics could be read")
          : noneOdd(
              names(metrics, one -> one.filter(isOdd).isPresent()),
              odd,
              "of " + read + " sidecars");
    };
  }

  private static List<String> names(
      Map<String, Optional<Cluster.Metrics>> metrics, Predicate<Optional<Cluster.Metrics>> chosen) {
    return metrics.entrySet().stream()
        .filter(one -> chosen.test(one.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<JsonNode> running(Cluster cluster) throws IOException {
    return cluster.injected().stream().filter(Kinds::isRunning).toList();
  }

  /** Asked once each: the cluster remembers. */
  private static Map<String, Optional<Cluster.Metrics>> metrics(Cluster cluster)
      throws IOException {
    Map<String, Optional<Cluster.Metrics>> metrics = new LinkedHashMap<>();
    running(cluster).stream()
        .limit(cluster.setting().pods())
        .forEach(pod -> metrics.put(Kinds.qualifiedName(pod), cluster.metrics(pod, HEALTH_PORT)));
    return metrics;
  }

  private static String installedVersion(Cluster cluster) throws IOException {
    return Kinds.label(InjectorChecks.workload(cluster), "app.kubernetes.io/version");
  }

  private static CheckFinding commandVersion(Cluster cluster) throws IOException {
    String installed = installedVersion(cluster);
    String own = cluster.setting().version();
    if (installed.isEmpty()) {
      return NOT_KNOWN;
    }
    return installed.equals(own)
        ? good(own)
        : warning("this is " + own + ", installed is " + installed);
  }

  private static CheckFinding versions(Cluster cluster) throws IOException {
    String installed = installedVersion(cluster);
    if (installed.isEmpty()) {
      return NOT_KNOWN;
    }
    String annotation = "parlance.dev/injected";
    return noneOdd(
        running(cluster).stream()
            .filter(pod -> !Kinds.annotation(pod, annotation).equals(installed))
            .map(pod -> Kinds.qualifiedName(pod) + " " + Kinds.annotation(pod, annotation))
            .toList(),
        "others than " + installed,
        installed);
  }

  private static CheckFinding ready(Cluster cluster) throws IOException {
    return noneBad(
        running(cluster).stream()
            .filter(pod ->
                Kinds.states(pod)
                    .filter(state -> text(state, "/name").equals(Kinds.SIDECAR))
                    .noneMatch(state -> state.path("ready").asBoolean(false)))
            .map(Kinds::qualifiedName)
            .toList(),
        "not ready",
        "they are");
  }

  private static CheckFinding steady(Cluster cluster) throws IOException {
    return noneBad(
        Kinds.unsteady(running(cluster).stream()).stream()
            .filter(one -> one.contains("(" + Kinds.SIDECAR + " "))
            .toList(),
        "unsteady",
        "none is");
  }

  private static CheckFinding answer(Cluster cluster) throws IOException {
    Map<String, Optional<Cluster.Metrics>> metrics = metrics(cluster);
    return metrics.isEmpty()
        ? skipped("no sidecar runs")
        : noneOdd(names(metrics, Optional::isEmpty), "silent", metrics.size() + " asked");
  }

  private static CheckFinding dashboards(Cluster cluster) throws IOException {
    long count =
        cluster.list(cluster.ownPath(Kinds.CORE, "configmaps")).stream()
            .filter(one -> Kinds.name(one).startsWith("parlance-dashboard-"))
            .count();
    return count == 0 ? warning("there are none") : good(count + " dashboards");
  }

  /** A look at what Prometheus answered. */
  @FunctionalInterface
  private interface AnswerLook {
    CheckFinding at(Cluster cluster, JsonNode data) throws IOException;
  }

  private static Look asked(String path, AnswerLook look) {
    return cluster -> {
      if (cluster.setting().prometheus().isEmpty()) {
        return skipped("say where it is: --prometheus NAMESPACE/SERVICE:PORT");
      }
      Cluster.PrometheusAt at = cluster.setting().prometheus().get();
      JsonNode answer =
          cluster.get(
              "/api/v1/namespaces/%s/services/%s:%d/proxy/api/v1/%s"
                  .formatted(at.namespace(), at.service(), at.port(), path));
      if (answer.isMissingNode()) {
        return skipped("there is no Service " + at.namespace() + "/" + at.service());
      }
      return look.at(cluster, answer.path("data"));
    };
  }

  private static CheckFinding targets(Cluster cluster, JsonNode data) throws IOException {
    List<String> scraped =
        data.path("result")
            .valueStream()
            .map(one -> text(one, "/metric/namespace") + "/" + text(one, "/metric/pod"))
            .toList();
    return noneBad(
        running(cluster).stream()
            .map(Kinds::qualifiedName)
            .filter(pod -> !scraped.contains(pod))
            .toList(),
        "not scraped",
        scraped.size() + " scraped");
  }

  private static CheckFinding loaded(JsonNode data) {
    long count =
        data.path("groups")
            .valueStream()
            .flatMap(group -> group.path("rules").valueStream())
            .filter(rule -> text(rule, "/name").startsWith("Parlance"))
            .count();
    return count == 0 ? bad("it has none of them") : good(count + " alerts");
  }

  private static CheckFinding alerts(JsonNode data) {
    return noneOdd(
        data.path("alerts")
            .valueStream()
            .filter(alert -> text(alert, "/state").equals("firing"))
            .map(alert -> text(alert, "/labels/alertname"))
            .filter(name -> name.startsWith("Parlance"))
            .distinct()
            .sorted()
            .toList(),
        "firing",
        "none does");
  }
}
