package dev.parlance.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parlance.cli.cluster.ClusterCommands;
import dev.parlance.cli.simulate.SimulateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** {@code bin/parlance} and {@code bin/quick-build}, with stand-ins for Maven and the JDK. */
@Timeout(60)
class LauncherTest {
  /** Leaves what a build leaves, and says that it was called. */
  private static final String BUILDS =
      """
      printf '%s\\n' "$*" >>"$root/calls"
      echo '[INFO] Building Parlance policy 1 [1/2]'
      mkdir -p "$root/cli/target/quick/classes" "$root/policy/target/quick/classes"
      sleep 1
      printf '%s' "$root/policy/target/quick/classes" >"$root/cli/target/quick/classpath"
      """;

  /** Says who it is, has a child, and goes on for ever. */
  private static final String HANGS =
      """
      mkdir -p "$root/policy/target/quick/classes"
      echo half >"$root/policy/target/quick/classes/Half.class"
      sleep 300 &
      printf '%s %s\\n' "$$" "$!" >"$root/pids.new" && mv "$root/pids.new" "$root/pids"
      wait
      """;

  @TempDir Path temporary = Path.of("");

  private final List<Process> started = new ArrayList<>();
  private Path root = Path.of("");

  @BeforeEach
  void checkout() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    root = temporary.toRealPath();
    try (Stream<Path> scripts = Files.list(Path.of("..", "bin"))) {
      for (Path script : scripts.toList()) {
        Path copy = root.resolve("bin").resolve(script.getFileName());
        Files.createDirectories(root.resolve("bin"));
        Files.copy(script, copy);
        assertThat(copy.toFile().setExecutable(true)).isTrue();
      }
    }
    for (String source :
        List.of("pom.xml", "LICENSE", "cli/src/main/A", "policy/src/main/B", "sim/C")) {
      Files.createDirectories(root.resolve(source).resolveSibling(""));
      Files.writeString(root.resolve(source), "");
      Files.setLastModifiedTime(
          root.resolve(source), FileTime.from(Instant.now().minusSeconds(60)));
    }
    Files.createDirectories(root.resolve("jdk"));
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    script("jdk/bin/javac", "exit 1");
    script("jdk/bin/java", "printf '%s\\n' \"$@\"");
    script("jdk/bin/mvn", BUILDS);
  }

  @AfterEach
  void endWhatWasStarted() {
    started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void theFirstStartBuilds_laterOnesDoNot_untilASourceOfTheClassPathIsNewer() throws Exception {
    assertThat(run("version")).contains("building", "policy 1 [1/2]", "built in");
    assertThat(run("version")).doesNotContain("building").endsWith("version\n");
    assertThat(calls()).hasSize(1);

    Files.writeString(root.resolve("sim/C"), "changed, and not on the class path");
    assertThat(run("version")).doesNotContain("building");
    Files.writeString(root.resolve("policy/src/main/B"), "changed");
    assertThat(run("version")).contains("building");
    Files.delete(root.resolve("policy/target/quick/classes"));
    assertThat(run("version")).contains("building");
    assertThat(calls()).hasSize(3).allMatch(call -> call.endsWith("process-classes"));
  }

  @Test
  void whatTheDemonstrationDoesWithout_isBuiltWhenItIsAskedFor() throws Exception {
    run("demo");
    run("inject");
    run("demo");
    run("inject");

    assertThat(calls()).hasSize(2);
    assertThat(calls().get(0)).contains("-Dquick=demo -pl cli -am");
    assertThat(calls().get(1)).contains("-Dquick=all -pl cli -am");
  }

  @Test
  void theLauncherKnowsEveryCommandOfTheGroupsThatTheQuickBuildLeavesOut() throws Exception {
    Matcher line =
        Pattern.compile("^ *([a-z |-]+)\\) scope=all", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("..", "bin", "parlance")));
    assertThat(line.find()).isTrue();
    List<String> names = new ArrayList<>(List.of(CommandIndex.COMPLETION));
    names.addAll(new ClusterCommands().commands().keySet());
    names.addAll(new SimulateCommand().commands().keySet());

    assertThat(line.group(1).split(" \\| ", -1)).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void aBuildOfMavenItself_isTakenIfItIsTheNewerOne() throws Exception {
    Path target = Files.createDirectories(root.resolve("cli/target"));
    Files.writeString(target.resolve("parlance-cli.jar"), "");
    Files.writeString(target.resolve("classpath"), target.resolve("parlance-cli.jar").toString());
    Files.writeString(target.resolve("built"), "");

    assertThat(run("simulate"))
        .doesNotContain("building")
        .contains("/cli/target/parlance-cli.jar:");
    Files.writeString(root.resolve("pom.xml"), "changed");
    assertThat(run("simulate")).contains("building", "/cli/target/quick/classes:");
  }

  @Test
  void twoFirstStartsAtOnce_buildOnce() throws Exception {
    assumeTrue(hasProgram("flock"), "no flock");
    script("jdk/bin/mvn", BUILDS + "sleep 1\n");
    Process first = start("version");
    Process second = start("version");

    assertThat(ended(first)).isZero();
    assertThat(ended(second)).isZero();
    assertThat(calls()).hasSize(1);
  }

  @Test
  void aFailedBuild_isExplained() throws Exception {
    script("jdk/bin/mvn", "echo '[ERROR] /x/A.java:[3,7] no such symbol'\nexit 1");
    Process process = start("version");

    assertThat(ended(process)).isEqualTo(1);
    assertThat(output()).contains("the build failed", "A.java:[3,7] no such symbol", "remedy:");
  }

  /** True if whoever started the tests ignores a signal: no shell below can do anything else. */
  private static boolean isIgnored(int signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
        .anyMatch(mask -> (mask >> (signal - 1) & 1) == 1);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
  void aKilledBuild_takesMavenAndItsChildrenWithIt(String signal, int status) throws Exception {
    assumeTrue(!isIgnored(status - 128), "started with SIG" + signal + " ignored (nohup, &)");
    script("jdk/bin/mvn", HANGS);
    Process process = start("version");
    List<ProcessHandle> ofMaven = ofMaven();

    signal(signal, process.pid());

    assertThat(ended(process)).isEqualTo(status);
    assertThat(ofMaven).hasSize(2).noneMatch(ProcessHandle::isAlive);
    script("jdk/bin/mvn", BUILDS);
    assertThat(run("version")).contains("built in");
    assertThat(root.resolve("policy/target/quick/classes/Half.class")).doesNotExist();
  }

  @Test
  void aLauncherKilledWithoutNotice_takesMavenWithItWhereTheSystemCan() throws Exception {
    assumeTrue(hasProgram("setpriv"), "no setpriv");
    script("jdk/bin/mvn", "trap 'kill $!; exit' TERM\n" + HANGS);
    Process process = start("version");
    List<ProcessHandle> ofMaven = ofMaven();

    signal("KILL", process.pid());

    for (ProcessHandle handle : ofMaven) {
      assertThat(handle.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @Test
  void aSidecarStartedByHand_hasTheStartUpCacheMadeOnce_andUsesIt() throws Exception {
    script("bin/aot-cache", "echo made >>\"$root/caches\"");
    run("demo");
    Path proxy = Files.createDirectories(root.resolve("proxy/target/quick/classes"));
    Files.writeString(root.resolve("cli/target/quick/classpath"), proxy.toString());
    Files.writeString(proxy.resolveSibling("classpath"), "/library.jar:" + policyClasses());

    String path =
        root + "/cli/target/quick/classes:" + proxy + ":" + policyClasses() + ":/library.jar";
    assertThat(run("proxy", "--config", "x", "--stop-on-stdin-close")).contains(path + "\n");
    assertThat(run(Map.of("PARLANCE_AOT", "off"), "proxy", "--config", "x")).contains(path + "\n");
    assertThat(root.resolve("caches")).doesNotExist();
    assertThat(run("proxy", "--config", "x")).contains(path + "\n");
    awaitFile(root.resolve("caches"));

    Path cache = Files.createDirectories(root.resolve("cli/target/quick/aot"));
    Files.writeString(cache.resolve("proxy.classpath"), "/packed.jar");
    Files.writeString(
        cache.resolve("made-of"), root + "/jdk " + Files.readString(root.resolve("jdk/release")));
    Files.setLastModifiedTime(
        cache.resolve("made-of"), Files.getLastModifiedTime(cache.resolveSibling("built")));
    assertThat(run("proxy", "--config", "x"))
        .contains("-XX:AOTCache=" + cache + "/proxy.aot\n", "/packed.jar\n")
        .doesNotContain(path);
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25.0.2\"\n");
    assertThat(run("proxy", "--config", "x", "--stop-on-stdin-close")).contains(path + "\n");
    assertThat(Files.readAllLines(root.resolve("caches"))).hasSize(1);
  }

  private String policyClasses() {
    return root + "/policy/target/quick/classes";
  }

  private void script(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "#!/bin/bash\nroot='" + root + "'\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Process start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(root.resolve("bin/parlance").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("PARLANCE_"));
    builder.environment().put("JAVA25_HOME", root.resolve("jdk").toString());
    builder.environment().merge("PATH", root + "/jdk/bin", (old, own) -> own + ":" + old);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("output").toFile()));
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    return run(Map.of(), arguments);
  }

  /** What it says, on either stream. */
  private String run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Files.deleteIfExists(root.resolve("output"));
    Process process = start(environment, arguments);
    int status = ended(process);
    assertThat(status).as(output()).isZero();
    return output();
  }

  private static int ended(Process process) throws InterruptedException {
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private String output() throws IOException {
    return Files.readString(root.resolve("output"), UTF_8);
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(root.resolve("calls"));
  }

  /** The stand-in for Maven and its child, once they are there. */
  private List<ProcessHandle> ofMaven() throws IOException, InterruptedException {
    awaitFile(root.resolve("pids"));
    List<ProcessHandle> handles = new ArrayList<>();
    for (String pid : Files.readString(root.resolve("pids")).strip().split(" ", -1)) {
      handles.add(ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
    }
    Files.delete(root.resolve("pids"));
    return handles;
  }

  private void awaitFile(Path file) throws IOException, InterruptedException {
    Instant end = Instant.now().plus(Duration.ofSeconds(20));
    while (!Files.exists(file)) {
      assertThat(Instant.now()).as("%s: %s", file, output()).isBefore(end);
      Thread.sleep(20);
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(ended(kill)).isZero();
  }

  private static boolean hasProgram(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }
}
