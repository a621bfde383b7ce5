package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The public conformance suite of MCP against a reference server and a client on the official SDK:
 * every check of every scenario ends through a sidecar as it does without one. The suite holds
 * every message against the schema of the revision too, so it finds what a sidecar must not add.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
class McpConformanceIT {
  private static final String SUITE =
      "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  private static final String EXIT_STATUS = "exit status of the suite";
  private static final int SCENARIOS_MIN = 30;
  private static final String SCENARIO_MS = "200000";

  /** Of those that a client must pass: each kind of message, of header, and of sign-in. */
  private static final Map<String, List<String>> CLIENT_SCENARIOS =
      Map.of(
          "2025-11-25",
          List.of(
              "initialize",
              "tools_call",
              "elicitation-sep1034-client-defaults",
              "sse-retry",
              "auth/metadata-default",
              "auth/metadata-var3",
              "auth/basic-cimd",
              "auth/scope-step-up",
              "auth/token-endpoint-auth-post",
              "auth/pre-registration"),
          "2026-07-28",
          List.of(
              "tools_call",
              "request-metadata",
              "sep-2322-client-request-state",
              "http-standard-headers",
              "http-custom-headers",
              "http-invalid-tool-headers",
              "json-schema-ref-no-deref",
              "auth/metadata-var3",
              "auth/scope-step-up",
              "auth/iss-supported",
              "auth/authorization-server-migration"));

  /** What the suite finds without a sidecar, by revision; it is the same for every test. */
  private static final Map<String, Map<String, List<String>>> CLIENTS = new HashMap<>();

  private static final Map<String, Map<String, List<String>>> SERVERS = new HashMap<>();

  @TempDir Path folder = Path.of("");

  @TestFactory
  Stream<DynamicTest> revision2025_observed_everyCheckEndsAsWithoutSidecar() throws Exception {
    return compare("2025-11-25", Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> revision2026_observed_everyCheckEndsAsWithoutSidecar() throws Exception {
    return compare("2026-07-28", Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> revision2025_enforced_everyCheckEndsAsWithoutSidecar() throws Exception {
    return compare("2025-11-25", Transcripts.ENFORCING);
  }

  @TestFactory
  Stream<DynamicTest> revision2026_enforced_everyCheckEndsAsWithoutSidecar() throws Exception {
    return compare("2026-07-28", Transcripts.ENFORCING);
  }

  @TestFactory
  Stream<DynamicTest> clientOfRevision2025_observed_everyCheckEndsAsWithoutSidecar()
      throws Exception {
    return compareClient("2025-11-25", Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> clientOfRevision2026_observed_everyCheckEndsAsWithoutSidecar()
      throws Exception {
    return compareClient("2026-07-28", Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> clientOfRevision2025_enforced_everyCheckEndsAsWithoutSidecar()
      throws Exception {
    return compareClient("2025-11-25", Transcripts.ENFORCING);
  }

  @TestFactory
  Stream<DynamicTest> clientOfRevision2026_enforced_everyCheckEndsAsWithoutSidecar()
      throws Exception {
    return compareClient("2026-07-28", Transcripts.ENFORCING);
  }

  @TestFactory
  Stream<DynamicTest> revision2025_whereAgentsAreShownTerms_nothingIsPutIntoMessages()
      throws Exception {
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")))) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      String shows = Transcripts.ENFORCING + "    lexicon: { coin: on, inject: both }\n";
      return compare("2025-11-25", PactPair.control(folder, kit, "tools") + shows);
    }
  }

  private Stream<DynamicTest> compare(String revision, String routes)
      throws IOException, InterruptedException, ExecutionException {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("mcp-server.mjs");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int port = server.next().path("port").asInt(0);
      try (LocalSidecar sidecar =
          LocalSidecar.start(folder, "mcp", LocalSidecar.inboundTo(port), routes)) {
        Map<String, List<String>> known = SERVERS.getOrDefault(revision, Map.of());
        // Side by side: nearly all of the time is the suite's own waiting.
        Future<Map<String, List<String>>> asked =
            threads.submit(() ->
                known.isEmpty() ? server(js, revision, port, folder.resolve("direct")) : known);
        Map<String, List<String>> through =
            server(js, revision, sidecar.inbound(), folder.resolve("through"));
        Map<String, List<String>> direct = asked.get();
        SERVERS.put(revision, direct);
        assertThat(direct).hasSizeGreaterThan(SCENARIOS_MIN);
        return isOnPage(routes)
            ? Transcripts.same("MCP conformance, servers, " + revision, routes, direct, through)
            : Transcripts.same(direct, through);
      }
    }
  }

  private static boolean isOnPage(String routes) {
    return routes.equals(Transcripts.OBSERVING) || routes.equals(Transcripts.ENFORCING);
  }

  /** The suite's servers, and a client on the SDK whose requests go through its sidecar. */
  private Stream<DynamicTest> compareClient(String revision, String routes)
      throws IOException, InterruptedException, ExecutionException {
    JsSide js = JsSide.ready();
    Map<String, List<String>> direct = CLIENTS.getOrDefault(revision, Map.of());
    if (direct.isEmpty()) {
      direct = client(js, revision, 0, folder.resolve("direct"));
      CLIENTS.put(revision, direct);
    }
    try (LocalSidecar sidecar =
        LocalSidecar.start(folder, "mcp", LocalSidecar.outbound(), routes)) {
      Map<String, List<String>> seen =
          client(js, revision, sidecar.outboundPort(), folder.resolve("through"));
      assertThat(sidecar.admin().sum("parlance_requests_total")).isGreaterThan(direct.size());
      return Transcripts.same("MCP conformance, clients, " + revision, routes, direct, seen);
    }
  }

  /**
   * Two at a time, each half in one process: the suite itself runs all at once, which no small
   * machine is quick enough for.
   */
  private static Map<String, List<String>> client(
      JsSide js, String revision, int proxyPort, Path results)
      throws IOException, InterruptedException, ExecutionException {
    List<String> all = Objects.requireNonNull(CLIENT_SCENARIOS.get(revision));
    int half = all.size() / 2;
    Map<String, List<String>> outcomes = new TreeMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Map<String, List<String>>>> halves =
          Stream.of(all.subList(0, half), all.subList(half, all.size()))
              .map(scenarios ->
                  threads.submit(() ->
                      run(
                          js,
                          results.resolve(scenarios.getFirst()),
                          "mcp-suite.mjs",
                          String.join(",", scenarios),
                          Integer.toString(proxyPort),
                          "client",
                          "--command",
                          "a client in the same process",
                          "--spec-version",
                          revision,
                          "--timeout",
                          SCENARIO_MS)))
              .toList();
      for (Future<Map<String, List<String>>> one : halves) {
        one.get()
            .forEach(
                (scenario, checks) -> outcomes.put(scenario, checks.stream().sorted().toList()));
      }
    }
    outcomes.remove(EXIT_STATUS); // follows from the checks
    assertThat(outcomes).hasSameSizeAs(all);
    return outcomes;
  }

  private static Map<String, List<String>> server(
      JsSide js, String revision, int port, Path results) throws IOException, InterruptedException {
    String url = "http://127.0.0.1:%d/mcp".formatted(port);
    return run(js, results, SUITE, "server", "--url", url, "--requirements", revision);
  }

  /** Every scenario's checks, each with its outcome. */
  private static Map<String, List<String>> run(JsSide js, Path results, String... arguments)
      throws IOException, InterruptedException {
    Files.createDirectories(results);
    Path output = results.resolveSibling(results.getFileName() + ".log");
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addAll(List.of("--output-dir", results.toString()));
    int status = js.tool(output, command.toArray(String[]::new));
    Map<String, List<String>> outcomes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(results)) {
      for (Path file : files.filter(one -> one.endsWith("checks.json")).sorted().toList()) {
        JsonNode checks = A2a.JSON.readTree(Files.readString(file));
        outcomes.put(
            name(results.relativize(file.getParent())),
            StreamSupport.stream(checks.spliterator(), false)
                .map(McpConformanceIT::outcome)
                .toList());
      }
    }
    outcomes.put(EXIT_STATUS, List.of(Integer.toString(status)));
    return outcomes;
  }

  /** The folder's name without the time at its end. */
  private static String name(Path scenario) {
    return scenario.toString().replaceFirst("-\\d{4}-\\d\\d-\\d\\dT[\\dZ-]+$", "");
  }

  private static String outcome(JsonNode check) {
    return check.path("id").asString("") + " " + check.path("status").asString("");
  }
}
