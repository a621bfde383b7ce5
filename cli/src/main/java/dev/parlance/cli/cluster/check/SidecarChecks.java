package dev.parlance.cli.cluster.check;

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

  static Checkup.Section section() {
    return new Checkup.Section(
        "Sidecars",
        List.of(
            new Check(
                "command-version",
                "this command is of the installed version",
                "use the command of the installed version, or upgrade the installation",
                SidecarChecks::commandVersion),
            new Check(
                "sidecars-version",
                "every sidecar was injected by the installed version",
                "kubectl rollout restart the workloads; docs/runbooks.md, ParlanceVersionSkew",
                SidecarChecks::versions),
            new Check(
                "sidecars-ready",
                "every sidecar of a running pod is ready",
                "kubectl logs POD -c parlance-sidecar; its /readyz has the reasons",
                SidecarChecks::ready),
            new Check(
                "sidecars-steady",
                "no sidecar is started again and again",
                "kubectl logs POD -c parlance-sidecar --previous; OOMKilled: raise"
                    + " parlance.dev/memory-limit",
                SidecarChecks::steady),
            new Check(
                "sidecars-answer",
                "the sidecars' metrics can be read through the API server",
                "you need get on pods/proxy; health.listen must be 0.0.0.0:15020",
                SidecarChecks::answer),
            measured(
                "sidecars-attached",
                "every sidecar is attached to the control plane",
                "docs/runbooks.md, ParlanceControlPlaneAway",
                "not attached",
                metrics -> metrics.sum("parlance_control_connected").orElse(1) == 0),
            measured(
                "sidecars-config",
                "no sidecar has refused a configuration",
                "docs/runbooks.md, ParlanceConfigRefused",
                "refused one",
                metrics -> metrics.sum("parlance_config_rejected_total").orElse(0) > 0),
            measured(
                "sidecars-cores",
                "every sidecar guards with fresh cores",
                "docs/runbooks.md, ParlanceCoreStale and ParlanceCoreAbsent",
                "stale or absent",
                metrics ->
                    metrics.sum("parlance_core_state", "state=\"stale\"").orElse(0)
                            + metrics.sum("parlance_core_state", "state=\"absent\"").orElse(0)
                        > 0),
            measured(
                "sidecars-fail-open",
                "no message went on unchecked since the sidecars' start",
                "docs/runbooks.md, ParlanceFailOpen",
                "let some through",
                metrics -> metrics.sum("parlance_fail_open_total").orElse(0) > 0),
            measured(
                "sidecars-decision-log",
                "every decision was written down",
                "docs/runbooks.md, ParlanceDecisionLogLoss",
                "lost lines",
                metrics -> metrics.sum("parlance_decision_log_dropped_total").orElse(0) > 0),
            measured(
                "sidecars-review",
                "no held message has waited longer than 15 minutes",
                "docs/runbooks.md, ParlanceReviewLate",
                "late",
                metrics ->
                    metrics.sum("parlance_review_oldest_age_seconds").orElse(0)
                        > REVIEW_SECONDS_MAX),
            measured(
                "sidecars-heap",
                "no sidecar's heap is nearly full",
                "docs/runbooks.md, ParlanceHeapNearlyFull",
                "above nine tenths",
                metrics ->
                    metrics.sum("parlance_jvm_heap_used_bytes").orElse(0)
                        > HEAP_SHARE_MAX
                            * metrics.sum("parlance_jvm_heap_max_bytes").orElse(Long.MAX_VALUE))));
  }

  private static Check measured(
      String id, String title, String remedy, String odd, Predicate<MetricText> isOdd) {
    return new Check(
        id,
        title,
        remedy,
        cluster -> {
          Map<String, Optional<MetricText>> metrics = metrics(cluster);
          long read = metrics.values().stream().filter(Optional::isPresent).count();
          if (read == 0) {
            return new CheckFinding.Skipped("no sidecar's metrics could be read");
          }
          return Kinds.noneOdd(
              metrics.entrySet().stream()
                  .filter(one -> one.getValue().filter(isOdd).isPresent())
                  .map(Map.Entry::getKey)
                  .toList(),
              odd,
              "of " + read + " sidecars");
        });
  }

  private static List<JsonNode> running(Cluster cluster) throws IOException {
    return cluster.injected().stream()
        .filter(pod -> pod.at("/status/phase").asString("").equals("Running"))
        .toList();
  }

  /** Asked once each: the cluster remembers. */
  private static Map<String, Optional<MetricText>> metrics(Cluster cluster) throws IOException {
    Map<String, Optional<MetricText>> metrics = new LinkedHashMap<>();
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
      return new CheckFinding.Skipped("the installed version is not known");
    }
    String own = cluster.setting().version();
    return installed.equals(own)
        ? new CheckFinding.Good(own)
        : new CheckFinding.Warning("this is " + own + ", installed is " + installed);
  }

  private static CheckFinding versions(Cluster cluster) throws IOException {
    String installed = installedVersion(cluster);
    if (installed.isEmpty()) {
      return new CheckFinding.Skipped("the installed version is not known");
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
    Map<String, Optional<MetricText>> metrics = metrics(cluster);
    if (metrics.isEmpty()) {
      return new CheckFinding.Skipped("no sidecar runs");
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
