package dev.parlance.cli.cluster.check;

import static dev.parlance.cli.cluster.check.CheckFinding.good;
import static dev.parlance.cli.cluster.check.CheckFinding.skipped;
import static dev.parlance.cli.cluster.check.CheckFinding.warning;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Sidecars that run, as Kubernetes and their own metrics show them. */
final class SidecarChecks {
  private static final int RESTARTS_MAX = 3;
  private static final int HEALTH_PORT = 15020;
  private static final double REVIEW_SECONDS_MAX = 900;
  private static final double HEAP_SHARE_MAX = 0.9;

  private SidecarChecks() {}

  static void addTo(Map<String, Check.Look> looks) {
    looks.put("command-version", SidecarChecks::commandVersion);
    looks.put("sidecars-version", SidecarChecks::versions);
    looks.put("sidecars-ready", SidecarChecks::ready);
    looks.put("sidecars-steady", SidecarChecks::steady);
    looks.put("sidecars-answer", SidecarChecks::answer);
    looks.put(
        "sidecars-attached",
        measured(
            "not attached", metrics -> metrics.sum("parlance_control_connected").orElse(1) == 0));
    looks.put(
        "sidecars-config",
        measured(
            "refused one", metrics -> metrics.sum("parlance_config_rejected_total").orElse(0) > 0));
    looks.put(
        "sidecars-cores",
        measured(
            "stale or absent",
            metrics ->
                metrics.sum("parlance_core_state", "state=\"stale\"").orElse(0)
                        + metrics.sum("parlance_core_state", "state=\"absent\"").orElse(0)
                    > 0));
    looks.put(
        "sidecars-fail-open",
        measured(
            "let some through", metrics -> metrics.sum("parlance_fail_open_total").orElse(0) > 0));
    looks.put(
        "sidecars-decision-log",
        measured(
            "lost lines",
            metrics -> metrics.sum("parlance_decision_log_dropped_total").orElse(0) > 0));
    looks.put(
        "sidecars-review",
        measured(
            "late",
            metrics ->
                metrics.sum("parlance_review_oldest_age_seconds").orElse(0) > REVIEW_SECONDS_MAX));
    looks.put(
        "sidecars-heap",
        measured(
            "above nine tenths",
            metrics ->
                metrics.sum("parlance_jvm_heap_used_bytes").orElse(0)
                    > HEAP_SHARE_MAX
                        * metrics.sum("parlance_jvm_heap_max_bytes").orElse(Long.MAX_VALUE)));
  }

  private static Check.Look measured(String odd, Predicate<Cluster.MetricText> isOdd) {
    return cluster -> {
      Map<String, Optional<Cluster.MetricText>> metrics = metrics(cluster);
      long read = metrics.values().stream().filter(Optional::isPresent).count();
      if (read == 0) {
        return skipped("no sidecar's metrics could be read");
      }
      return Kinds.noneOdd(
          metrics.entrySet().stream()
              .filter(one -> one.getValue().filter(isOdd).isPresent())
              .map(Map.Entry::getKey)
              .toList(),
          odd,
          "of " + read + " sidecars");
    };
  }

  private static List<JsonNode> running(Cluster cluster) throws IOException {
    return cluster.injected().stream()
        .filter(pod -> pod.at("/status/phase").asString("").equals("Running"))
        .toList();
  }

  /** Asked once each: the cluster remembers. */
  private static Map<String, Optional<Cluster.MetricText>> metrics(Cluster cluster)
      throws IOException {
    Map<String, Optional<Cluster.MetricText>> metrics = new LinkedHashMap<>();
    for (JsonNode pod : running(cluster).stream().limit(cluster.setting().pods()).toList()) {
      metrics.put(Kinds.qualifiedName(pod), cluster.metrics(Kinds.qualifiedName(pod), HEALTH_PORT));
    }
    return metrics;
  }

  private static String installedVersion(Cluster cluster) throws IOException {
    return Kinds.label(InjectorChecks.workload(cluster), "app.kubernetes.io/version");
  }

  private static CheckFinding commandVersion(Cluster cluster) throws IOException {
    String installed = installedVersion(cluster);
    if (installed.isEmpty()) {
      return skipped("the installed version is not known");
    }
    String own = cluster.setting().version();
    return installed.equals(own)
        ? good(own)
        : warning("this is " + own + ", installed is " + installed);
  }

  private static CheckFinding versions(Cluster cluster) throws IOException {
    String installed = installedVersion(cluster);
    if (installed.isEmpty()) {
      return skipped("the installed version is not known");
    }
    return Kinds.noneOdd(
        running(cluster).stream()
            .filter(pod -> !Kinds.annotation(pod, "parlance.dev/injected").equals(installed))
            .map(pod ->
                Kinds.qualifiedName(pod) + " " + Kinds.annotation(pod, "parlance.dev/injected"))
            .toList(),
        "others than " + installed,
        installed);
  }

  private static CheckFinding ready(Cluster cluster) throws IOException {
    return Kinds.noneBad(
        running(cluster).stream()
            .filter(pod ->
                Kinds.states(pod)
                    .noneMatch(state ->
                        state.path("name").asString("").equals(Kinds.SIDECAR)
                            && state.path("ready").asBoolean(false)))
            .map(Kinds::qualifiedName)
            .toList(),
        "not ready",
        "they are");
  }

  private static CheckFinding steady(Cluster cluster) throws IOException {
    return Kinds.noneBad(
        Kinds.unsteady(running(cluster).stream(), RESTARTS_MAX).stream()
            .filter(one -> one.contains("(" + Kinds.SIDECAR + " "))
            .toList(),
        "unsteady",
        "none is");
  }

  private static CheckFinding answer(Cluster cluster) throws IOException {
    Map<String, Optional<Cluster.MetricText>> metrics = metrics(cluster);
    if (metrics.isEmpty()) {
      return skipped("no sidecar runs");
    }
    return Kinds.noneOdd(
        metrics.entrySet().stream()
            .filter(one -> one.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .toList(),
        "silent",
        metrics.size() + " asked");
  }
}
