package dev.parlance.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.cluster.check.FakeCluster;
import dev.parlance.cli.cluster.check.Kubectl;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command, and the real kubectl between it and an API server of the test's own. */
class CheckCommandTest {
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-11-25T00:00:00Z"), ZoneOffset.UTC);

  @TempDir Path folder = Path.of("");
  private final FakeCluster world = new FakeCluster(BuildInfo.load().version());
  private final HttpServer server;
  private final Set<String> methods = new ConcurrentSkipListSet<>();

  CheckCommandTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() {
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    methods.add(exchange.getRequestMethod());
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String path = exchange.getRequestURI().toString();
    FakeCluster.Answer answer =
        exchange.getRequestMethod().equals("GET") ? world.get(path) : world.post(path, body);
    byte[] bytes = answer.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static Path realKubectl() {
    Optional<Path> found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(entry -> Path.of(entry, "kubectl"))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      System.err.println("SKIPPED: no kubectl on the PATH");
    }
    Assumptions.assumeTrue(found.isPresent(), "no kubectl here");
    return found.orElseThrow();
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters: [{name: test, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: test, user: {}}]
        """
            .formatted(server.getAddress().getPort()));
  }

  private Run run(Optional<FakeCluster> instead, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of(),
            false);
    CommandLine command =
        new CommandLine(new CheckCommand(terminal, instead.map(Kubectl.class::cast), NOW));
    command.setCaseInsensitiveEnumValuesAllowed(true);
    int status = command.execute(args);
    return new Run(status, out.toString(UTF_8), err.toString(UTF_8));
  }

  private static Map<String, String> results(Run run) {
    return Json.MAPPER
        .readTree(run.out())
        .path("checks")
        .valueStream()
        .collect(
            Collectors.toMap(
                check -> check.path("id").asString(),
                check -> check.path("result").asString() + ": " + check.path("detail").asString()));
  }

  @Test
  void throughTheRealKubectl_theSameIsFound_andNothingIsChanged() throws IOException {
    List<String> real =
        List.of("--kubectl", realKubectl().toString(), "--kubeconfig", kubeconfig().toString());
    List<String> same = List.of("-o", "json", "--prometheus", "monitoring/prometheus:9090");
    world.remove("/api/v1/namespaces/shop/pods/buyer-1:15020/proxy/metrics");
    world.answer(
        "/apis/monitoring.coreos.com/v1/namespaces/parlance-system/prometheusrules/parlance",
        403,
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"no\","
            + "\"reason\":\"Forbidden\",\"code\":403}");
    for (String when : List.of("--pre", "--strict")) {
      Run through =
          run(
              Optional.empty(),
              Stream.of(real, same, List.of(when)).flatMap(List::stream).toArray(String[]::new));
      Run direct =
          run(
              Optional.of(world),
              Stream.of(same, List.of(when)).flatMap(List::stream).toArray(String[]::new));
      assertThat(through.status()).as(through.err()).isEqualTo(direct.status());
      Map<String, String> expected = results(direct);
      Map<String, String> found = results(through);
      assertThat(found).hasSameSizeAs(expected).hasSizeGreaterThan(20);
      found.forEach((id, result) -> {
        if (!id.startsWith("kubectl-") && !result.startsWith("skipped")) {
          assertThat(result).as(id).isEqualTo(expected.get(id));
        }
      });
      assertThat(found.get("prometheus-rule"))
          .isEqualTo(when.equals("--pre") ? null : "skipped: Error from server (Forbidden): no");
    }
    // asking what one may do is a POST, and makes nothing
    assertThat(methods).containsExactly("GET", "POST");
  }

  @Test
  void failure_isShownWithItsRemedy_andTheNamespacePutIn() {
    world.remove("/apis/apps/v1/namespaces/parlance-system/deployments/parlance-injector");
    Run run = run(Optional.of(world));
    assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(run.out())
        .contains("  FAILED   the injector runs with all its replicas\n")
        .contains("injector-workload: there is no Deployment parlance-injector\n")
        .contains("remedy: kubectl -n parlance-system describe deployment parlance-injector")
        .containsPattern("\\n\\d+ ok, \\d+ warnings, 1 failed, \\d+ skipped\\n$");
  }

  @Test
  void warning_failsOnlyWhenStrict() {
    world.remove(
        "/apis/monitoring.coreos.com/v1/namespaces/parlance-system/prometheusrules/parlance");
    assertThat(run(Optional.of(world)).status()).isEqualTo(ExitStatus.OK);
    assertThat(run(Optional.of(world), "--strict").status()).isEqualTo(ExitStatus.FAILED);
  }

  @Test
  void wrongOptions_areUsageErrors() {
    for (String option :
        List.of("--namespace=A_b", "--prometheus=here", "--pods=-1", "--timeout=0")) {
      assertThat(run(Optional.of(world), option).status()).as(option).isEqualTo(ExitStatus.USAGE);
    }
  }

  @Test
  void programThatHangs_isEndedInTime() throws IOException {
    Path slow = folder.resolve("slow");
    Files.writeString(slow, "#!/bin/sh\nexec sleep 60\n");
    assertThat(slow.toFile().setExecutable(true)).isTrue();
    long began = System.nanoTime();
    Run run = run(Optional.empty(), "--kubectl", slow.toString(), "--timeout", "1", "-o", "json");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(results(run))
        .containsEntry("kubectl-present", "failed: kubectl did not end within 1 s");
  }

  @Test
  void list_namesEveryCheckOnce() {
    Run run = Run.of("check", "--list");
    assertThat(run.status()).isEqualTo(ExitStatus.OK);
    List<String> ids =
        run.out()
            .lines()
            .skip(1)
            .map(line -> Arrays.asList(line.split(" ", 2)).getFirst())
            .toList();
    assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(60);
  }
}
