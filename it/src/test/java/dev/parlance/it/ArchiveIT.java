package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.cli.Main;
import dev.parlance.image.ArchiveBuild;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The archive for people without a JDK: made of this build, unpacked, run without a PATH, and
 * {@code docs/quickstart.md} gone through with it, block by block.
 */
@Timeout(600)
class ArchiveIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Duration FIRST_VERDICT = Duration.ofSeconds(60);
  private static final Pattern BLOCK =
      Pattern.compile("<!-- run: (\\w+) -->\n```\n(.*?)```", Pattern.DOTALL);
  private static final Pattern CALLED_AT = Pattern.compile("call agent at (http://\\S+)");

  @TempDir static Path folder = Path.of("");
  private static Path archive = Path.of("");

  private final List<Process> started = new ArrayList<>();

  @BeforeAll
  static void make() throws Exception {
    assumeTrue(
        System.getProperty("os.name", "").equals("Linux") && Files.exists(Path.of("/bin/bash")),
        "archives are made on Linux, with bash");
    Path made = folder.resolve("made");
    build(made);
    try (Stream<Path> files = Files.list(made)) {
      archive = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
  }

  @AfterEach
  void endWhatWasStarted() {
    started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    started.forEach(Process::destroyForcibly);
  }

  /** Of the build that this test runs from. */
  private static void build(Path target) throws IOException, InterruptedException {
    Path classes;
    try {
      classes = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    ArchiveBuild.main(
        new String[] {
          ROOT.toString(), target.toString(), "2026-11-21T00:00:00Z", classes.getParent().toString()
        });
  }

  @Test
  void twoBuildsAreEqual_andTheSumsAreTheirs() throws Exception {
    Path again = folder.resolve("again");
    build(again);

    assertThat(Files.mismatch(archive, again.resolve(archive.getFileName()))).isEqualTo(-1);
    for (String line : Files.readAllLines(again.resolve("SHA256SUMS"))) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = Files.readAllBytes(again.resolve(line.substring(66)));
      assertThat(HexFormat.of().formatHex(digest.digest(bytes))).isEqualTo(line.substring(0, 64));
    }
  }

  @Test
  void itRuns_withoutAPathAndAnEnvironment() throws Exception {
    Path home = unpack(Files.createDirectory(folder.resolve("bare")));
    String parlance = home.resolve("bin/parlance").toString();

    assertThat(bare(parlance, "--version")).startsWith("parlance ").contains("java 25");
    assertThat(
            bare(parlance, "run", "--agent-port", freePort(), "--", "/bin/sh", "-c", "echo here"))
        .contains("agent    | here", "call agent at");
    // SQLite and the encoder have libraries of their own
    Path data = folder.resolve("control");
    assertThat(
            bare(
                parlance,
                "control",
                "--grpc",
                "127.0.0.1:0",
                "--http",
                "127.0.0.1:0",
                "--data",
                data.toString(),
                "--stop-on-stdin-close"))
        .contains("control plane: gRPC 127.0.0.1:");
    JsonNode bill = A2a.JSON.readTree(Files.readString(home.resolve("sbom.cdx.json")));
    assertThat(bill.path("bomFormat").asString("")).isEqualTo("CycloneDX");
    assertThat(bill.path("components").size()).isGreaterThan(50);
  }

  /** What it prints, on either stream; status 0. */
  private String bare(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "bare", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "");
    Process process = builder.start();
    started.add(process);
    assertThat(process.waitFor(PATIENCE)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }

  @Test
  void theQuickstartsBlocks_runAsTheyStand_andTheFirstVerdictIsThereWithinAMinute()
      throws Exception {
    JsSide.ready(); // skips where there is no npm
    Path place = Files.createDirectory(folder.resolve("quickstart"));
    Files.copy(archive, place.resolve(archive.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    List<MatchResult> blocks =
        BLOCK.matcher(Files.readString(ROOT.resolve("docs/quickstart.md"))).results().toList();
    assertThat(blocks.stream().map(block -> block.group(1)))
        .containsExactly("unpack", "observe", "ask", "ask", "enforce", "held", "release");
    String agentPort = freePort();
    long beganNs = System.nanoTime();

    Path here =
        Path.of(
            shell(place, Map.of(), text(blocks, 0, agentPort, "") + "pwd")
                .lines()
                .toList()
                .getLast());
    Shown first = open(here, agentPort, text(blocks, 1, agentPort, ""));
    String base = first.base();
    assertThat(shell(here, Map.of(), text(blocks, 2, agentPort, base)))
        .contains("The impeller must be replaced every 2000 operating hours");
    first.shows("the agent's answer to POST /a2a passes: it passed every test (ok)");
    Duration taken = Duration.ofNanos(System.nanoTime() - beganNs);
    System.out.println("quickstart: first verdict after " + taken);
    assertThat(taken).isLessThan(FIRST_VERDICT);
    assertThat(shell(here, Map.of(), text(blocks, 3, agentPort, base)))
        .contains("Our friendly specialists");
    first.shows("passes; enforced, its author would be asked again");
    first.end();

    Shown second = open(here, agentPort, text(blocks, 4, agentPort, ""));
    Shown asking = start(here, Map.of(), text(blocks, 5, agentPort, second.base()));
    asking.shows("held for a person; waiting for the decision");
    assertThat(shell(here, Map.of(), text(blocks, 6, agentPort, ""))).contains("g_low");
    asking.shows("Our friendly specialists");
    assertThat(asking.process().waitFor(PATIENCE)).isTrue();
    assertThat(asking.process().exitValue()).isZero();
    second.end();
  }

  /** A block as it stands, with ports that are free here. */
  private static String text(List<MatchResult> blocks, int at, String agentPort, String base) {
    return blocks
        .get(at)
        .group(2)
        .replace("8080", agentPort)
        .replace("http://127.0.0.1:15006", base);
  }

  private Shown open(Path here, String agentPort, String block) throws IOException {
    return start(here, Map.of("PORT", agentPort), "exec " + block);
  }

  private Shown start(Path here, Map<String, String> environment, String script)
      throws IOException {
    Path output = Files.createTempFile(folder, "shell", ".out");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-euc", script)
            .directory(here.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    List.of("HTTP_PROXY", "http_proxy").forEach(builder.environment()::remove);
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return new Shown(process, output);
  }

  /** A terminal. */
  private record Shown(Process process, Path output) {
    void shows(String text) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(Files.readString(output)).contains(text));
    }

    /** The address to call, once the agent listens. */
    String base() throws IOException {
      shows("agent listens on");
      Matcher called = CALLED_AT.matcher(Files.readString(output));
      assertThat(called.find()).isTrue();
      return called.group(1);
    }

    void end() throws IOException, InterruptedException {
      process.toHandle().destroy();
      assertThat(process.waitFor(PATIENCE)).as(Files.readString(output)).isTrue();
    }
  }

  private String shell(Path here, Map<String, String> environment, String script)
      throws IOException, InterruptedException {
    Shown shown = start(here, environment, script);
    boolean ended = shown.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    String text = Files.readString(shown.output());
    assertThat(ended).as(text).isTrue();
    assertThat(shown.process().exitValue()).as(text).isZero();
    return text;
  }

  private Path unpack(Path into) throws IOException, InterruptedException {
    shell(into, Map.of(), "tar xzf " + archive);
    try (Stream<Path> homes = Files.list(into)) {
      return homes.findFirst().orElseThrow();
    }
  }

  private static String freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(any.getLocalPort());
    }
  }

  @Test
  void theComposeFile_startsTheImageAsItIs_withAConfigurationThatIsOne() throws Exception {
    JsonNode services =
        new YAMLMapper()
            .readTree(Files.readString(ROOT.resolve("examples/compose.yaml")))
            .path("services");
    JsonNode sidecar = services.path("sidecar");
    assertThat(sidecar.path("image").asString("")).startsWith("parlance:");
    assertThat(sidecar.path("command").valueStream().map(JsonNode::asString))
        .containsExactly(
            "@/opt/parlance/proxy.args", "proxy", "--config", "/etc/parlance/sidecar.yaml");
    assertThat(sidecar.path("network_mode").asString("")).isEqualTo("service:agent");
    assertThat(ConfigLoader.load(ROOT.resolve("examples/sidecar.yaml")))
        .isInstanceOf(ConfigResult.Loaded.class);
    for (String volume : List.of("./js", "./sidecar.yaml")) {
      assertThat(ROOT.resolve("examples").resolve(volume)).exists();
      assertThat(services.toString()).contains("\"" + volume + ":");
    }
    assertThat(services.path("agent").path("ports").toString()).contains(":15006", "127.0.0.1:");
  }
}
