package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
 * The public conformance suite of MCP against a reference server on the official SDK: every check
 * of every scenario ends through a sidecar as it does without one. The suite holds every message
 * against the schema of the revision too, so it finds what a sidecar must not add.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
class McpConformanceIT {
  private static final String SUITE =
      "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  private static final String EXIT_STATUS = "exit status of the suite";
  private static final int SCENARIOS_MIN = 30;

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
        // Side by side: nearly all of the time is the suite's own waiting.
        Future<Map<String, List<String>>> direct =
            threads.submit(() -> run(js, revision, port, folder.resolve("direct")));
        Map<String, List<String>> through =
            run(js, revision, sidecar.inbound(), folder.resolve("through"));
        assertThat(direct.get()).hasSizeGreaterThan(SCENARIOS_MIN);
        return Transcripts.same(direct.get(), through);
      }
    }
  }

  /** Every scenario's checks, each with its outcome. */
  private static Map<String, List<String>> run(JsSide js, String revision, int port, Path results)
      throws IOException, InterruptedException {
    Files.createDirectories(results);
    Path output = results.resolveSibling(results.getFileName() + ".log");
    int status =
        js.tool(
            output,
            SUITE,
            "server",
            "--url",
            "http://127.0.0.1:%d/mcp".formatted(port),
            "--requirements",
            revision,
            "--output-dir",
            results.toString());
    Map<String, List<String>> outcomes = new TreeMap<>();
    try (Stream<Path> scenarios = Files.list(results)) {
      for (Path scenario : scenarios.toList()) {
        JsonNode checks = A2a.JSON.readTree(Files.readString(scenario.resolve("checks.json")));
        outcomes.put(
            name(scenario),
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
    return scenario.getFileName().toString().replaceFirst("-\\d{4}-\\d\\d-\\d\\dT[\\dZ-]+$", "");
  }

  private static String outcome(JsonNode check) {
    return check.path("id").asString("") + " " + check.path("status").asString("");
  }
}
