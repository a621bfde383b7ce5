package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The blocks of the page on SDKs, as they stand there but for addresses. A sidecar of the page's
 * configuration stands beside the client, and another one beside the agent.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
class SdkPageIT {
  private static final String PAGE = "docs/sdks.md";
  private static final String SIDECAR = "SDKs";
  private static final String A2A_JS = "A2A, JavaScript";
  private static final String A2A_JAVA = "A2A, Java";
  private static final String A2A_PYTHON = "A2A, Python over HTTP";
  private static final String MCP = "MCP, JavaScript";
  private static final String OPENAI = "OpenAI";

  private static final String FACT = "The impeller must be replaced every 2000 operating hours";

  /** The route of models is there and leads nowhere. */
  private static final String NO_MODEL = "https://localhost:9";

  private static final int NO_AGENT = 9;
  private static final long RUN_S = 90;

  @TempDir Path folder = Path.of("");

  @Test
  void everyBlockOfThePage_isRunHere() throws IOException {
    assertThat(CodeBlock.of(PAGE))
        .extracting(one -> one.heading() + ": " + one.language())
        .containsExactly(
            SIDECAR + ": yaml",
            A2A_JS + ": js",
            A2A_JAVA + ": java",
            A2A_PYTHON + ": python",
            MCP + ": js",
            MCP + ": js",
            OPENAI + ": js");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        A2A_JS + "|observe",
        A2A_JS + "|enforce",
        A2A_JAVA + "|observe",
        A2A_JAVA + "|enforce",
        A2A_PYTHON + "|observe",
        A2A_PYTHON + "|enforce"
      })
  void clientOfA2a_getsItsAnswer_throughTwoSidecars(String heading, String mode) throws Exception {
    JsSide js = JsSide.ready();
    try (Wiretap front = new Wiretap();
        JsSide.Agent agent = js.agent(front.url());
        LocalSidecar besideAgent = sidecar("agent", mode, agent.port(), NO_MODEL);
        LocalSidecar besideClient = sidecar("client", mode, NO_AGENT, NO_MODEL)) {
      front.to(besideAgent.inbound());
      String block =
          addressed(block(heading, 0), besideClient)
              .replace("scholar.example", "127.0.0.1:" + front.port());
      assertThat(run(js, heading, block)).contains(FACT);
      assertThat(agent.executed()).isEqualTo(1);
      assertThat(besideAgent.admin().get("/metrics").body())
          .doesNotContain("parlance_cards_elsewhere_total 1");
      wasJudged(besideClient, "a2a", mode);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "enforce"})
  void clientAndServerOfMcp_talkThroughTwoSidecars(String mode) throws Exception {
    JsSide js = JsSide.ready();
    String listens = "console.log(JSON.stringify({ port: this.address().port }))";
    String server =
        block(MCP, 1)
            .text()
            .replace(
                ".listen(8080, '127.0.0.1')",
                ".listen(0, '127.0.0.1', function () { " + listens + "; })");
    try (JsSide.Program program = js.start(js.write("sdk-page-server.mjs", server));
        LocalSidecar besideServer =
            sidecar("server", mode, program.next().path("port").asInt(0), NO_MODEL);
        LocalSidecar besideClient = sidecar("client", mode, NO_AGENT, NO_MODEL)) {
      String client =
          addressed(block(MCP, 0), besideClient)
              .replace("tools.example", "127.0.0.1:" + besideServer.inbound());
      assertThat(run(js, MCP, client)).contains(FACT);
      wasJudged(besideClient, "mcp", mode);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "enforce"})
  void clientOfOpenAi_getsItsAnswer_overTlsThatTheSidecarBegins(String mode) throws Exception {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs");
        TlsFront front = new TlsFront(folder, server.next().path("port").asInt(0));
        LocalSidecar besideClient =
            sidecar(
                "client",
                mode,
                NO_AGENT,
                "https://localhost:" + front.port() + "\n    upstreamCa: ca.pem")) {
      assertThat(run(js, OPENAI, addressed(block(OPENAI, 0), besideClient))).contains(FACT);
      wasJudged(besideClient, "openai", mode);
    }
  }

  private static CodeBlock block(String heading, int number) throws IOException {
    return CodeBlock.of(PAGE).stream()
        .filter(one -> one.heading().equals(heading))
        .toList()
        .get(number);
  }

  private static String addressed(CodeBlock block, LocalSidecar beside) {
    String port = Integer.toString(beside.outboundPort());
    assertThat(block.text()).contains("15001");
    return block.text().replace("15001", port);
  }

  /** The page's sidecar on free ports. */
  private LocalSidecar sidecar(String name, String mode, int agent, String upstream)
      throws IOException {
    String page = block(SIDECAR, 0).text();
    assertThat(page).contains("mode: observe", ":15006", ":15001 ", ":8080", "api.openai.com");
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(
        file,
        page.replace("mode: observe", "mode: " + mode)
                .replace("127.0.0.1:15006", "127.0.0.1:0")
                .replace("127.0.0.1:15001 ", "127.0.0.1:0 ")
                .replace(":8080", ":" + agent)
                .replace("https://api.openai.com", upstream)
            + "dataDir: %s\nadmin: { listen: 127.0.0.1:0 }\n".formatted(name));
    return LocalSidecar.start(file, folder.resolve(name));
  }

  private String run(JsSide js, String heading, String block)
      throws IOException, InterruptedException {
    return switch (heading) {
      case A2A_JAVA -> {
        Path file = folder.resolve("Ask.java");
        Files.writeString(file, block);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        yield run(folder, java, "-cp", A2aSdk.NEWER, file.toString());
      }
      case A2A_PYTHON -> {
        Assumptions.assumeTrue(isThere("python3"), "SKIPPED: there is no python3");
        yield run(folder, "python3", "-c", block);
      }
      default -> run(js.folder(), js.node(), js.write("sdk-page-client.mjs", block));
    };
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      return new ProcessBuilder(program, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String run(Path where, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "block", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("OPENAI_API_KEY", "key-of-the-test");
    // What this machine says of proxies is none of the page's.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    Process process = builder.start();
    boolean ended = process.waitFor(RUN_S, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  /** The sidecar beside the client saw the message, and nothing kept it back. */
  private static void wasJudged(LocalSidecar beside, String protocol, String mode)
      throws IOException {
    beside.close();
    assertThat(beside.log())
        .filteredOn(line -> line.path("protocol").asString("").startsWith(protocol))
        .isNotEmpty()
        .allSatisfy(line -> {
          assertThat(line.path("mode").asString("")).isEqualTo(mode);
          assertThat(line.path("route").asString("")).isIn("execute", "warn");
          assertThat(line.path("action").asString("")).startsWith("forward");
        });
  }
}
