package dev.parlance.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.cli.Run;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.ChildJvm;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code parlance run} as a process, with agents that are processes. */
@Timeout(180)
class RunCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern CONSOLE =
      Pattern.compile("in a browser, once: (http://[0-9.:]+)/#code=(\\S+)");
  private static final Pattern CALLED_AT = Pattern.compile("call agent at (http://\\S+)");

  @TempDir Path folder = Path.of("");

  private final List<Process> started = new ArrayList<>();
  private int agentPort;

  @BeforeEach
  void aFreePort() throws IOException {
    agentPort = Integer.parseInt(freePort());
    Files.createDirectory(folder.resolve("tmp"));
  }

  private static String freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(any.getLocalPort());
    }
  }

  @AfterEach
  void endWhatWasStarted() {
    started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void anAgentIsReached_itsVerdictsAreSentences_andNothingIsLeft() throws Exception {
    Path pid = folder.resolve("pid");
    Process run =
        start(
            "run",
            "--agent-port",
            port(),
            "--",
            java(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classes(),
            ProgramAgent.class.getName(),
            port(),
            pid.toString());
    await().atMost(PATIENCE).until(() -> err().contains("agent listens on 127.0.0.1:" + agentPort));
    Matcher called = CALLED_AT.matcher(err());
    assertThat(called.find()).isTrue();
    String base = called.group(1);

    assertThat(get(base + "/.well-known/agent-card.json"))
        .contains(base + "/a2a")
        .doesNotContain(port());
    String asked = ask(base, "When, and which sources say so?");
    assertThat(asked).contains("2000 operating hours").doesNotContain("ext/asp/v1");
    ask(base, "When?");
    ask(base, "When?");

    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(err())
                .contains("the agent's answer to POST /a2a passes: it passed every test (ok)")
                .contains("passes, with a warning if enforced: it came without the material")
                .containsOnlyOnce("\"metadata\": {\"https://w3id.org/parlance/ext/evidence/v1\"")
                .containsOnlyOnce("whoever fetches it from the sidecar is given " + base)
                .contains("agent    | base=http://localhost:")
                .containsPattern("sidecar  \\| .*ready"));
    assertThat(out()).startsWith("agent    | proxy=http://127.0.0.1:");
    consoleShows("/decisions", "no_evidence");
    ProcessHandle agent = ProcessHandle.of(Long.parseLong(Files.readString(pid))).orElseThrow();
    signal("TERM", run);
    assertThat(ended(run)).isEqualTo(143); // the agent's, which has no handler of it
    assertThat(agent.isAlive()).isFalse();
    assertNothingIsLeft();
  }

  @Test
  void standardInputAndExitStatus_areTheAgents() throws Exception {
    Process run =
        start("run", "--agent-port", port(), "--", "sh", "-c", "read word; echo got $word; exit 7");
    run.getOutputStream().write("a word\n".getBytes(UTF_8));
    run.getOutputStream().close();

    assertThat(ended(run)).isEqualTo(7);
    assertThat(out()).isEqualTo("agent    | got a word\n");
    assertNothingIsLeft();
  }

  @Test
  void runsThatStartAtOnce_takePortsOfTheirOwn() throws Exception {
    List<Process> runs = new ArrayList<>();
    List<Path> outputs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path output = folder.resolve("run-" + i);
      outputs.add(output);
      runs.add(
          program("run", "--agent-port", freePort(), "--no-console", "--", "sh", "-c", "read end")
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start());
    }
    started.addAll(runs);

    for (Path output : outputs) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(Files.readString(output)).contains("given to it:"));
    }
    for (Process run : runs) {
      run.getOutputStream().close();
    }
    for (Process run : runs) {
      assertThat(run.waitFor(PATIENCE)).isTrue();
    }
    Set<String> called = new HashSet<>();
    for (Path output : outputs) {
      Matcher at = CALLED_AT.matcher(Files.readString(output));
      assertThat(at.find() && called.add(at.group(1))).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"INT", "TERM", "HUP"})
  void signals_areTheAgents_andWhatItLeavesIsEnded(String signal) throws Exception {
    assumeTrue(!isIgnored(signal), "started with SIG" + signal + " ignored (nohup, &)");
    Path pids = folder.resolve("pids");
    String agent =
        "trap 'echo bye; exit 5' %s; (trap '' INT TERM HUP; exec sleep 300) & echo $! >%s; while :; do sleep 0.1; done"
            .formatted(signal, pids);
    Process run = start("run", "--agent-port", port(), "--", "sh", "-c", agent);
    await().atMost(PATIENCE).until(() -> Files.exists(pids) && Files.size(pids) > 0);

    signal(signal, run);

    assertThat(ended(run)).isEqualTo(5);
    assertThat(out()).contains("agent    | bye");
    long left = Long.parseLong(Files.readString(pids).strip());
    assertThat(ProcessHandle.of(left).filter(ProcessHandle::isAlive)).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void portsThatAreTaken_andProgramsThatAreNotThere_areTold() throws Exception {
    try (ServerSocket taken = new ServerSocket(agentPort, 1, InetAddress.getLoopbackAddress())) {
      Run run = Run.of("run", "--agent-port", port(), "--", "true");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .contains("port " + taken.getLocalPort(), "another program does already");
    }
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Run run = Run.of("run", "--agent-port", port(), "--port", port, "--", "true");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("--port: port " + port + " is taken already");
    }
    Process none = start("run", "--agent-port", port(), "--", "no-such-program");
    assertThat(ended(none)).isEqualTo(127);
    assertThat(err()).contains("run: there is no program no-such-program in PATH");
    Path file = Files.writeString(folder.resolve("agent.py"), "");
    Process denied = start("run", "--agent-port", port(), "--", file.toString());
    assertThat(ended(denied)).isEqualTo(126);
    assertThat(err()).contains("run: " + file + " may not be executed: chmod +x");
    assertNothingIsLeft();
  }

  @Test
  void withoutProgramOrPort_itIsUsage() {
    assertThat(Run.of("run", "--agent-port", "1").err()).contains("what is to be run?");
    assertThat(Run.of("run", "--", "true").err()).contains("--agent-port");
    assertThat(Run.of("run", "--agent-port", "70000", "--", "true").status()).isEqualTo(2);
  }

  @Test
  void whatWasUsed_isKept_andIsAConfiguration() throws Exception {
    Path file = folder.resolve("sidecar.yaml");
    Path data = folder.resolve("data");
    Process run =
        start(
            "run",
            "--agent-port",
            port(),
            "--enforce",
            "--data-dir",
            data.toString(),
            "--write",
            file.toString(),
            "--",
            "true");

    assertThat(ended(run)).isZero();
    assertThat(ConfigLoader.load(file)).isInstanceOf(ConfigResult.Loaded.class);
    assertThat(Files.readString(file))
        .contains("mode: enforce", "agent: 127.0.0.1:" + agentPort, "https://api.openai.com/v1");
    assertThat(data.resolve("decisions.jsonl")).exists();
    assertNothingIsLeft();
  }

  @Test
  void severalAgentsWithAControlPlane_areStartedFromAFile() throws Exception {
    Files.writeString(
        folder.resolve("plan.yaml"),
        """
        name: pumps
        core: { agents: [manual, desk], domain: pumps }
        terms: [impeller]
        events: [{ pei: e1, text: "The impeller is replaced." }]
        eventsPerTerm: 1
        """);
    String file =
        """
        agents:
          - { name: manual, port: %d, command: [%s, "-XX:TieredStopAtLevel=1", -cp, "%s", %s, "%d", manual.pid], folder: %s, a2a: /a2a }
          - { name: desk, port: %d, command: [sh, -c, "echo $AGENT_URL_MANUAL; sleep 300"] }
        control: { plan: plan.yaml }
        """
            .formatted(
                agentPort,
                java(),
                classes(),
                ProgramAgent.class.getName(),
                agentPort,
                folder,
                Integer.parseInt(freePort()));
    Path from = Files.writeString(folder.resolve("parlance.yaml"), file);

    Process run = start("run", "-f", from.toString());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(err())
                .contains("manual listens on 127.0.0.1:" + agentPort)
                // this agent answers no questions about words
                .containsPattern(
                    "core manual\\+desk/pumps|core desk\\+manual/pumps|nothing was certified"));
    assertThat(out()).contains("desk     | http://127.0.0.1:");
    consoleShows("/ledger", "\"signed\":true");
    signal("TERM", run);

    assertThat(ended(run)).isEqualTo(143);
    assertThat(err()).contains("manual has ended with status 143");
    assertNothingIsLeft();
    Files.writeString(from, "agents: [{ name: a, port: 1, command: [x], colour: red }]");
    Run refused = Run.of("run", "-f", from.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("colour");
  }

  /** The printed link logs in, once, and the console has that there. */
  private void consoleShows(String path, String words) throws IOException, InterruptedException {
    Matcher link = CONSOLE.matcher(err());
    assertThat(link.find()).isTrue();
    String origin = link.group(1);
    try (HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      HttpRequest logIn =
          HttpRequest.newBuilder(URI.create(origin + "/api/v1/session"))
              .header("Content-Type", "application/json")
              .header("Origin", origin)
              .POST(HttpRequest.BodyPublishers.ofString("{\"code\":\"" + link.group(2) + "\"}"))
              .build();
      assertThat(client.send(logIn, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      HttpRequest shown = HttpRequest.newBuilder(URI.create(origin + "/api/v1" + path)).build();
      assertThat(client.send(shown, HttpResponse.BodyHandlers.ofString()).body()).contains(words);
      try (HttpClient other = HttpClient.newHttpClient()) {
        assertThat(other.send(logIn, HttpResponse.BodyHandlers.ofString()).statusCode())
            .isEqualTo(403);
      }
    }
  }

  private String port() {
    return Integer.toString(agentPort);
  }

  private Process start(String... arguments) throws IOException {
    Process process =
        program(arguments)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    started.add(process);
    return process;
  }

  private ProcessBuilder program(String... arguments) {
    List<String> command =
        ChildJvm.command("-Dparlance.log.level=info", "-Djava.io.tmpdir=" + folder.resolve("tmp"));
    command.add("dev.parlance.cli.Main");
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    List.of("HTTP_PROXY", "http_proxy", "OPENAI_BASE_URL", "OPENAI_API_BASE")
        .forEach(builder.environment()::remove);
    return builder;
  }

  @Test
  void aRunThatIsKilled_leavesNothingBehind() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/environ")), "what runs is found in /proc");
    Path pids = folder.resolve("pids");
    String agent =
        "(trap '' INT TERM HUP; exec sleep 300) & echo $! $$ >%s; exec sleep 300".formatted(pids);
    Process run = start("run", "--agent-port", port(), "--", "sh", "-c", agent);
    await().atMost(PATIENCE).until(() -> Files.exists(pids) && Files.size(pids) > 0);
    List<Long> left =
        Stream.of(Files.readString(pids).strip().split(" ")).map(Long::parseLong).toList();
    assertThat(left).hasSize(2).allMatch(RunCommandTest::runs);

    signal("KILL", run);

    await().atMost(PATIENCE).until(() -> left.stream().noneMatch(RunCommandTest::runs));
    await().atMost(PATIENCE).untilAsserted(this::assertNothingIsLeft);
  }

  /** One that has ended and that nobody has waited for runs no more. */
  private static boolean runs(long pid) {
    Path state = Path.of("/proc", Long.toString(pid), "stat");
    try {
      return !Files.readString(state).contains(") Z ");
    } catch (IOException _) {
      return false;
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classes() {
    return System.getProperty("java.class.path");
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  private int ended(Process process) throws IOException, InterruptedException {
    assertThat(process.waitFor(PATIENCE)).as(err()).isTrue();
    return process.exitValue();
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("parlance")))
          .isEmpty();
    }
  }

  private static void signal(String name, Process to) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + to.pid()).start();
    assertThat(kill.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  /** True if whoever started the tests ignores it: no process below can do anything else. */
  private static boolean isIgnored(String name) throws IOException {
    int number = List.of("HUP", "INT").indexOf(name) + 1;
    Path status = Path.of("/proc/self/status");
    if (number == 0 || !Files.isReadable(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
        .anyMatch(mask -> (mask >> (number - 1) & 1) == 1);
  }

  private static String get(String url) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url)));
  }

  private static String ask(String base, String text) throws IOException, InterruptedException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",
         "role":"ROLE_USER","parts":[{"text":"%s"}]}}}\
        """
            .formatted(text);
    return send(
        HttpRequest.newBuilder(URI.create(base + "/a2a"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
