package dev.parlance.cli.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.cluster.check.Checkup.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every check is silent where all is well, and speaks where its own thing is not. */
class CheckupTest {
  private static final String VERSION = "1.2.3";
  private static final Instant NOW = Instant.parse("2026-11-25T00:00:00Z");
  private static final String OWN = "/namespaces/parlance-system/";
  private static final String CONTROL = "/apis/apps/v1" + OWN + "deployments/parlance-control";
  private static final String INJECTOR = "/apis/apps/v1" + OWN + "deployments/parlance-injector";
  private static final String OWN_PODS = "/api/v1" + OWN + "pods";
  private static final String SHOP_PODS = "/api/v1/namespaces/shop/pods";
  private static final String WEBHOOK =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/parlance-injector";
  private static final String POLICY =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/parlance-sidecar-present";
  private static final String BINDINGS =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
  private static final String TLS = "/api/v1" + OWN + "secrets/parlance-injector-tls";
  private static final String METRICS = "/api/v1/namespaces/shop/pods/buyer-1:15020/proxy/metrics";
  private static final String CONTROL_HTTP =
      "/api/v1" + OWN + "services/https:parlance-control:7071/proxy";
  private static final String PROMETHEUS =
      "/api/v1/namespaces/monitoring/services/prometheus:9090/proxy/api/v1/";
  private static final String BARE_POD =
      """
      {"metadata":{"name":"bare-1","namespace":"shop"},"spec":{"containers":[{"name":"agent"}]},
       "status":{"phase":"Running"}}
      """;

  /** What is broken, by the check that must say so. */
  private static final Map<String, Consumer<FakeCluster>> FAULTS = new HashMap<>();

  /** Checks whose fault is worth knowing and breaks nothing. */
  private static final Map<String, Consumer<FakeCluster>> ODDITIES = new HashMap<>();

  static {
    FAULTS.put("kubectl-present", FakeCluster::breakProgram);
    FAULTS.put(
        "api-reachable",
        world -> world.answer("/version", 503, FakeCluster.failure("ServiceUnavailable", 503)));
    ODDITIES.put("kubectl-skew", world -> world.clientMinor(29));
    ODDITIES.put("api-version", world -> world.set("/version", "/minor", "\"28+\""));
    FAULTS.put("api-webhooks", world -> unserved(world, "admissionregistration.k8s.io"));
    ODDITIES.put(
        "api-admission-policies", world -> unserved(world, "admissionregistration.k8s.io"));
    FAULTS.put("api-network-policies", world -> unserved(world, "networking.k8s.io"));
    FAULTS.put("api-disruption-budgets", world -> unserved(world, "policy"));
    ODDITIES.put("crd-pod-monitors", world -> unserved(world, "monitoring.coreos.com"));
    ODDITIES.put("crd-prometheus-rules", world -> unserved(world, "monitoring.coreos.com"));
    ODDITIES.put(
        "nodes-linux-amd64", world -> world.replace("/api/v1/nodes", "amd64\"", "arm64\""));
    ODDITIES.put("nodes-kernel", world -> world.replace("/api/v1/nodes", "6.1.0-31", "4.4.0-31"));
    ODDITIES.put(
        "storage-class",
        world -> world.replace("/apis/storage.k8s.io/v1/storageclasses", "\"true\"", "\"false\""));
    FAULTS.put(
        "namespace-not-injected",
        world ->
            world.set(
                "/api/v1/namespaces/parlance-system",
                "/metadata/labels/parlance.dev~1inject",
                "\"enabled\""));
    ODDITIES.put(
        "namespace-pod-security",
        world -> world.unset("/api/v1/namespaces/parlance-system", "/metadata/labels"));
    FAULTS.put(
        "one-installation",
        world -> world.set(WEBHOOK, "/webhooks/0/clientConfig/service/namespace", "\"elsewhere\""));
    for (String resource :
        List.of(
            "namespaces",
            "cluster-roles",
            "cluster-role-bindings",
            "deployments",
            "stateful-sets",
            "services",
            "service-accounts",
            "config-maps",
            "secrets",
            "roles",
            "role-bindings",
            "network-policies")) {
      FAULTS.put(
          "may-create-" + resource, world -> world.forbidCreating(resource.replace("-", "")));
    }
    FAULTS.put(
        "may-create-webhooks", world -> world.forbidCreating("mutatingwebhookconfigurations"));
    FAULTS.put(
        "may-create-disruption-budgets", world -> world.forbidCreating("poddisruptionbudgets"));

    FAULTS.put("control-workload", world -> world.set(CONTROL, "/status/readyReplicas", "1"));
    FAULTS.put(
        "control-steady",
        world ->
            world.set(
                OWN_PODS,
                "/items/0/status/containerStatuses/0/lastState",
                "{\"terminated\":{\"reason\":\"OOMKilled\"}}"));
    FAULTS.put(
        "control-service", world -> world.remove("/api/v1" + OWN + "services/parlance-control"));
    FAULTS.put(
        "control-ready",
        world ->
            world.answer(
                CONTROL_HTTP + "/readyz", 503, FakeCluster.failure("ServiceUnavailable", 503)));
    ODDITIES.put(
        "control-ledger",
        world ->
            world.replace(
                CONTROL_HTTP + "/metrics", "append_refused_total 0", "append_refused_total 2"));
    ODDITIES.put(
        "control-encoder",
        world -> world.replace(CONTROL_HTTP + "/metrics", "failed\\\"} 0", "failed\\\"} 1"));
    FAULTS.put(
        "control-volume",
        world -> {
          world.put("/apis/apps/v1" + OWN + "statefulsets/parlance-control", "{\"spec\":{}}");
          world.replace("/api/v1" + OWN + "persistentvolumeclaims", "Bound", "Pending");
        });
    FAULTS.put(
        "control-keys",
        world -> world.unset("/api/v1" + OWN + "secrets/parlance-keys", "/data/core.key"));
    ODDITIES.put(
        "control-transport",
        world ->
            world.set(
                "/api/v1" + OWN + "configmaps/parlance-control",
                "/data/control.yaml",
                "\"insecure: true\""));
    ODDITIES.put(
        "control-disruption-budget",
        world -> world.remove("/apis/policy/v1" + OWN + "poddisruptionbudgets/parlance-control"));
    ODDITIES.put(
        "control-network-policy",
        world ->
            world.remove("/apis/networking.k8s.io/v1" + OWN + "networkpolicies/parlance-control"));

    FAULTS.put("injector-workload", world -> world.remove(INJECTOR));
    FAULTS.put(
        "injector-steady",
        world -> world.set(OWN_PODS, "/items/1/status/containerStatuses/0/restartCount", "4"));
    FAULTS.put(
        "injector-service",
        world ->
            world.replace(
                "/apis/discovery.k8s.io/v1"
                    + OWN
                    + "endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dparlance-injector",
                "true",
                "false"));
    FAULTS.put("injector-settings", world -> injectorFile(world, "version: [1"));
    FAULTS.put(
        "injector-core-keys",
        world ->
            injectorFile(
                world, "version: 1\nsidecar: {control: {target: \"a:7070\", keys: []}}\n"));
    ODDITIES.put(
        "injector-image",
        world -> injectorFile(world, "version: 1\nimage: {reference: \"other:2\"}\n"));

    FAULTS.put("webhook-present", world -> world.remove(WEBHOOK));
    FAULTS.put(
        "webhook-service",
        world -> world.set(WEBHOOK, "/webhooks/0/clientConfig/service/port", "8443"));
    FAULTS.put("webhook-certificate-present", world -> world.unset(TLS, "/data/tls.crt"));
    FAULTS.put(
        "webhook-ca-bundle",
        world ->
            world.set(
                WEBHOOK,
                "/webhooks/0/clientConfig/caBundle",
                "\"" + FakeCluster.pem("other") + "\""));
    FAULTS.put(
        "webhook-certificate-names",
        world -> world.set(TLS, "/data/tls.crt", "\"" + FakeCluster.pem("astray") + "\""));
    FAULTS.put(
        "webhook-exclusions",
        world ->
            world.set(
                WEBHOOK,
                "/webhooks/0/namespaceSelector/matchExpressions/0/values",
                "[\"parlance-system\"]"));
    ODDITIES.put("webhook-failure-policy", world -> world.set(INJECTOR, "/spec/replicas", "1"));
    ODDITIES.put("admission-policy", world -> world.remove(POLICY));
    ODDITIES.put(
        "admission-policy-bound",
        world -> world.set(BINDINGS, "/items/0/spec/validationActions", "[\"Audit\"]"));

    ODDITIES.put(
        "namespaces-labelled",
        world -> {
          world.replace("/api/v1/namespaces", "enabled", "disabled");
          world.remove(SHOP_PODS);
        });
    FAULTS.put(
        "namespace-label-values",
        world -> world.replace("/api/v1/namespaces", "enabled", "enable"));
    FAULTS.put("pods-injected", world -> world.set(SHOP_PODS, "/items/1", BARE_POD));
    FAULTS.put(
        "pods-host-network",
        world ->
            world.set(
                SHOP_PODS,
                "/items/1",
                BARE_POD.replace("\"spec\":{", "\"spec\":{\"hostNetwork\":true,")));
    FAULTS.put(
        "injection-refused",
        world ->
            world.replace(
                "/api/v1/events?fieldSelector=reason%3DFailedCreate",
                "exceeded quota",
                "admission webhook namespace.injector.parlance.dev denied the request"));
    ODDITIES.put(
        "pod-annotations",
        world -> world.replace(SHOP_PODS, "parlance.dev/agent-port", "parlance.dev/agentport"));
    FAULTS.put(
        "services-reach-sidecar",
        world -> world.replace("/api/v1/namespaces/shop/services", "parlance-in", "http"));
    ODDITIES.put(
        "agents-network-policy",
        world ->
            world.put(
                "/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies", "{\"items\":[]}"));

    ODDITIES.put(
        "command-version",
        world -> world.set(INJECTOR, "/metadata/labels/app.kubernetes.io~1version", "\"0.9.0\""));
    ODDITIES.put(
        "sidecars-version", world -> world.replace(SHOP_PODS, "\"" + VERSION + "\"", "\"1.1.0\""));
    FAULTS.put(
        "sidecars-ready",
        world -> world.set(SHOP_PODS, "/items/0/status/initContainerStatuses/0/ready", "false"));
    FAULTS.put(
        "sidecars-steady",
        world -> world.set(SHOP_PODS, "/items/0/status/initContainerStatuses/0/restartCount", "9"));
    ODDITIES.put("sidecars-answer", world -> world.remove(METRICS));
    metric("sidecars-attached", "parlance_control_connected 0.0");
    metric("sidecars-config", "parlance_config_rejected_total{reason=\"invalid\"} 1.0");
    metric("sidecars-cores", "parlance_core_state{domain=\"license\",state=\"stale\"} 1.0");
    metric("sidecars-cards", "parlance_cards_elsewhere_total 2.0");
    metric("sidecars-tls", "parlance_rejected_total{layer=\"http1\",reason=\"tls_refused\"} 1.0");
    metric("sidecars-fail-open", "parlance_fail_open_total{check=\"core_stale\"} 1.0");
    metric("sidecars-decision-log", "parlance_decision_log_dropped_total 3.0");
    metric("sidecars-review", "parlance_review_oldest_age_seconds 901.0");
    metric(
        "sidecars-heap", "parlance_jvm_heap_used_bytes 4.8E7\nparlance_jvm_heap_max_bytes 5.0E7");

    ODDITIES.put(
        "pod-monitor",
        world ->
            world.remove("/apis/monitoring.coreos.com/v1" + OWN + "podmonitors/parlance-sidecars"));
    ODDITIES.put(
        "prometheus-rule",
        world -> world.remove("/apis/monitoring.coreos.com/v1" + OWN + "prometheusrules/parlance"));
    ODDITIES.put(
        "dashboards", world -> world.put("/api/v1" + OWN + "configmaps", "{\"items\":[]}"));
    FAULTS.put(
        "prometheus-targets",
        world -> world.replace(PROMETHEUS + "query?query=parlance_build_info", "buyer-1", "old"));
    FAULTS.put(
        "prometheus-rules",
        world -> world.replace(PROMETHEUS + "rules?type=alert", "Parlance", "Other"));
    ODDITIES.put(
        "alerts-silent", world -> world.replace(PROMETHEUS + "alerts", "pending", "firing"));
  }

  private static void metric(String id, String line) {
    ODDITIES.put(id, world -> world.say(METRICS, line + "\n"));
  }

  private static void unserved(FakeCluster world, String group) {
    world.put("/apis/" + group + "/v1", "{\"resources\":[]}");
  }

  private static void injectorFile(FakeCluster world, String yaml) {
    world.set(
        "/api/v1" + OWN + "configmaps/parlance-injector",
        "/data/injector.yaml",
        "\"" + yaml.replace("\"", "\\\"").replace("\n", "\\n") + "\"");
  }

  private static Map<String, CheckFinding> run(FakeCluster world, Instant now) {
    Cluster cluster =
        new Cluster(
            world,
            new Cluster.Setting(
                "parlance-system",
                VERSION,
                Cluster.PrometheusAt.parse("monitoring/prometheus:9090"),
                50,
                now));
    return Stream.concat(
            Checkup.run(Checkup.before(), cluster).stream(),
            Checkup.run(Checkup.after(), cluster).stream())
        .collect(
            Collectors.toMap(
                result -> result.check().id(), Checkup.Result::finding, (first, _) -> first));
  }

  private static CheckFinding finding(Map<String, CheckFinding> found, String id) {
    return Optional.ofNullable(found.get(id)).orElseThrow();
  }

  @Test
  void whereAllIsWell_everyCheckIsGood() throws IOException {
    Map<String, CheckFinding> found = run(new FakeCluster(VERSION), NOW);
    assertThat(found).hasSizeGreaterThan(60).hasSameSizeAs(Checkup.all());
    found.forEach((id, finding) -> {
      if (id.equals("control-volume")) {
        assertThat(finding).isEqualTo(new CheckFinding.Skipped("the store is a database"));
      } else {
        assertThat(finding).as(id).isInstanceOf(CheckFinding.Good.class);
      }
    });
  }

  static List<String> faults() {
    return FAULTS.keySet().stream().sorted().toList();
  }

  static List<String> oddities() {
    return ODDITIES.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFault_isBad(String id) throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    Optional.ofNullable(FAULTS.get(id)).orElseThrow().accept(world);
    assertThat(finding(run(world, NOW), id)).isInstanceOf(CheckFinding.Bad.class);
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void anOddity_isAWarning(String id) throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    Optional.ofNullable(ODDITIES.get(id)).orElseThrow().accept(world);
    assertThat(finding(run(world, NOW), id)).isInstanceOf(CheckFinding.Warning.class);
  }

  @Test
  void everyCheck_isSeenToSpeak() {
    assertThat(
            Checkup.all().stream()
                .map(Check::id)
                .filter(id -> !id.equals("webhook-certificate-expiry")))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(FAULTS.keySet().stream(), ODDITIES.keySet().stream()).toList());
  }

  @Test
  void certificate_isGoodThenDueThenOver() throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    String id = "webhook-certificate-expiry";
    assertThat(finding(run(world, NOW), id)).isInstanceOf(CheckFinding.Good.class);
    assertThat(finding(run(world, Instant.parse("2026-12-20T00:00:00Z")), id))
        .isInstanceOf(CheckFinding.Warning.class);
    assertThat(finding(run(world, Instant.parse("2026-12-23T00:00:00Z")), id))
        .isInstanceOf(CheckFinding.Bad.class);
    assertThat(finding(run(world, Instant.parse("2026-11-01T00:00:00Z")), id))
        .isInstanceOf(CheckFinding.Bad.class);
  }

  @Test
  void whatMayNotBeSeen_isSkippedWithTheReason_andTheRestIsLookedAt() throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    world.answer(TLS, 403, FakeCluster.failure("Forbidden", 403));
    Map<String, CheckFinding> found = run(world, NOW);
    assertThat(finding(found, "webhook-ca-bundle"))
        .isEqualTo(new CheckFinding.Skipped("Error from server (Forbidden): no"));
    assertThat(finding(found, "webhook-service")).isInstanceOf(CheckFinding.Good.class);
  }

  @Test
  void withoutAControlPlane_whereNoneIsMeant_nothingIsBad() throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    world.remove(CONTROL);
    world.remove("/api/v1" + OWN + "services/parlance-control");
    injectorFile(world, "version: 1\nimage: {reference: \"registry.example/parlance:1\"}\n");
    assertThat(run(world, NOW).values()).noneMatch(CheckFinding.Bad.class::isInstance);
    injectorFile(world, "version: 1\nsidecar: {control: {target: \"a:7070\", keys: [k]}}\n");
    assertThat(finding(run(world, NOW), "control-workload")).isInstanceOf(CheckFinding.Bad.class);
  }

  @Test
  void clusterOutOfReach_isSaidOnce() throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    world.answer("/version", 503, FakeCluster.failure("ServiceUnavailable", 503));
    Map<String, CheckFinding> found = run(world, NOW);
    assertThat(found.values()).filteredOn(CheckFinding.Bad.class::isInstance).hasSize(1);
    assertThat(finding(found, "pods-injected"))
        .isEqualTo(new CheckFinding.Skipped("the cluster is out of reach"));
  }

  @Test
  void longLists_areReadPageByPage() throws IOException {
    FakeCluster world = new FakeCluster(VERSION);
    world.answer(SHOP_PODS, 200, "{\"metadata\":{\"continue\":\"a/b\"},\"items\":[]}");
    world.answer(SHOP_PODS + "?continue=a%2Fb", 200, "{\"items\":[" + BARE_POD + "]}");
    assertThat(finding(run(world, NOW), "pods-injected"))
        .isEqualTo(new CheckFinding.Bad("without: shop/bare-1"));
  }

  @Test
  void everyCheck_isInTheDocs() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "commands-cluster.md"));
    for (Check check : Checkup.all()) {
      assertThat(docs).contains("| `" + check.id() + "` | " + check.title() + " |");
    }
  }
}
