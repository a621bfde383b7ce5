package dev.parlance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The compile server and the queue of tests, over a checkout of two small modules. */
@Timeout(120)
class DevLoopTest {
  private static final String UNITS =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(entry -> entry.matches(".*/(junit|opentest4j|apiguardian|jspecify)[^/]*\\.jar"))
          .collect(Collectors.joining(":"));

  @TempDir static Path temporary = Path.of("");

  private static Path root = Path.of("");

  private record Run(int status, String text) {}

  @BeforeAll
  static void checkout() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    root = temporary.toRealPath();
    for (String folder : List.of("bin", "buildcheck/java")) {
      Files.createDirectories(root.resolve(folder));
      try (Stream<Path> all = Files.list(Path.of("..").resolve(folder))) {
        for (Path file : all.toList()) {
          Files.copy(file, root.resolve(folder).resolve(file.getFileName()));
        }
      }
    }
    write(
        "pom.xml",
        "<modules><module>alpha</module>\n"
            + "<module>beta</module></modules>"
            + "<test.jvm>-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m</test.jvm>");
    write("alpha/target/dev/classpath.test", UNITS);
    write("beta/target/dev/classpath.test", root + "/alpha/target/dev/classes:" + UNITS);
  }

  @AfterAll
  static void stop() throws Exception {
    if (Files.exists(root.resolve("build/dev/server"))) {
      request("stop");
    }
  }

  @BeforeEach
  void sources() throws IOException {
    for (String test : List.of("Good", "Bad")) {
      Files.deleteIfExists(root.resolve("alpha/src/test/java/t/" + test + "Test.java"));
    }
    for (String test : List.of("ExitTest", "HangingIT", "TailIT", "TaggedTest")) {
      Files.deleteIfExists(root.resolve("beta/src/test/java/t/" + test + ".java"));
    }
    write(
        "alpha/src/main/java/a/Core.java",
        "package a; public class Core { public static final int MAX = 1;"
            + " public int twice(int n) { return n + n; } }");
    write("alpha/src/main/java/a/Other.java", "package a; class Other {}");
    write(
        "beta/src/main/java/b/User.java",
        "package b; public class User { public static int use() { return a.Core.MAX; } }");
    write("beta/src/main/java/b/Plain.java", "package b; class Plain {}");
  }

  @Test
  void onlyWhatAChangeCanReachIsCompiled() throws Exception {
    compiled();
    assertThat(compiled()).isEmpty();

    write(
        "alpha/src/main/java/a/Core.java",
        "package a; public class Core { public static final int MAX = 1;"
            + " public int twice(int n) { return 2 * n; } private int unseen() { return 0; } }");
    assertThat(compiled()).containsExactly("alpha:main: 1 file");

    write(
        "alpha/src/main/java/a/Core.java",
        "package a; public class Core { public static final int MAX = 2;"
            + " public int twice(int n) { return 2 * n; } }");
    assertThat(compiled())
        .as("javac writes a constant into who uses it")
        .containsExactly("alpha:main: 1 file", "alpha:main: 2 files", "beta:main: 2 files");

    Files.delete(root.resolve("alpha/src/main/java/a/Other.java"));
    assertThat(compiled()).containsExactly("alpha:main: 1 file", "beta:main: 2 files");
    assertThat(root.resolve("alpha/target/dev/classes/a/Other.class")).doesNotExist();
  }

  @Test
  void whatDoesNotCompile_isShownWithItsPlace_untilItIsMended() throws Exception {
    compiled();
    write(
        "alpha/src/main/java/a/Core.java",
        "package a; public class Core { public static final int MAX = 1;\n int x = y; }");

    for (int i = 0; i < 2; i++) {
      Run run = request("dev", root.toString());
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.text()).contains("alpha/src/main/java/a/Core.java:2: error: cannot find");
    }

    write(
        "alpha/src/main/java/a/Core.java",
        "package a; public class Core { public static final int MAX = 1;"
            + " public int twice(int n) { return n * 2; } }");
    assertThat(compiled()).containsExactly("alpha:main: 1 file");
  }

  @Test
  void theQueueCountsEveryEndThatATestCanTake() throws Exception {
    String head = "package t; import org.junit.jupiter.api.*; class ";
    write("alpha/src/test/java/t/GoodTest.java", head + "GoodTest { @Test void good() {} }");
    write(
        "alpha/src/test/java/t/BadTest.java",
        head
            + "BadTest { @Test void bad() { System.out.println(\"a word\");"
            + " Assertions.fail(\"no\"); } @Test void broken() { throw new"
            + " IllegalStateException(\"oh\"); } @Test void skipped() { Assumptions.abort(\"not"
            + " here\"); } }");
    write(
        "beta/src/test/java/t/ExitTest.java",
        head + "ExitTest { @Test void ends() { System.exit(0); } }");
    write(
        "beta/src/test/java/t/HangingIT.java",
        head + "HangingIT { @Test void hangs() throws Exception { Thread.sleep(60_000); } }");
    write("beta/src/test/java/t/TailIT.java", head + "TailIT { @Test void tail() {} }");
    write(
        "beta/src/test/java/t/TaggedTest.java",
        head + "TaggedTest { @Test @Tag(\"kill\") void tagged() {} }");
    compiled();

    Run all = tests("alpha", "beta=t.ExitTest", "beta=t.TailIT", "beta=t.TaggedTest");

    assertThat(all.status()).isEqualTo(1);
    assertThat(all.text())
        .contains(
            "[ERROR] Tests run: 7, Failures: 1, Errors: 2, Skipped: 1\n",
            "t.BadTest.bad: org.opentest4j.AssertionFailedError: no",
            "a word",
            "skipped: ",
            "not here",
            "t.ExitTest.ends: its JVM ended, at ends");
    assertThat(root.resolve("alpha/target/dev/surefire-reports/TEST-t.BadTest.xml"))
        .content()
        .contains("failures=\"1\" errors=\"1\" skipped=\"1\"", "AssertionFailedError: no");

    // Alone: on a busy machine the others would take as long.
    Run hanging = tests("--limit=10", "beta=t.HangingIT");
    assertThat(hanging.status()).isEqualTo(1);
    assertThat(hanging.text()).contains("t.HangingIT.hangs: it took more than 10 s, at hangs");

    Run half = tests("--kind=unit", "--tags=!kill", "alpha=t.GoodTest", "beta=t.TaggedTest");
    assertThat(half.status()).isZero();
    assertThat(half.text()).contains("[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n");
  }

  @Test
  void whatFailsAmongOthersAndPassesAlone_isNamedAsAFlake_andOnlyThat() throws Exception {
    String head = "package t; import org.junit.jupiter.api.*; class ";
    write("alpha/src/test/java/t/GoodTest.java", head + "GoodTest { @Test void good() {} }");
    write(
        "alpha/src/test/java/t/BadTest.java",
        head
            + "BadTest { @Test void first() throws Exception { var seen = java.nio.file.Path.of("
            + "\"seen\"); if (!java.nio.file.Files.deleteIfExists(seen)) {"
            + " java.nio.file.Files.createFile(seen); Assertions.fail(\"not yet\"); } }"
            + " @Test void skipped() { Assumptions.abort(\"not here\"); } }");
    write("beta/src/test/java/t/TailIT.java", head + "TailIT { @Test void tail() {} }");
    compiled();

    Run flaky = tests("--again=1", "alpha", "beta");
    assertThat(flaky.status()).as(flaky.text()).isZero();
    assertThat(flaky.text())
        .contains(
            "[ERROR] t.BadTest.first\n",
            "[WARNING] t.BadTest failed; once more, alone\n",
            "[WARNING]   t.BadTest.first: org.opentest4j.AssertionFailedError: not yet\n",
            "[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1, Flakes: 1\n");

    Run strict = tests("--again=0", "alpha", "beta");
    assertThat(strict.status()).isEqualTo(1);
    assertThat(strict.text())
        .contains("[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 1\n")
        .doesNotContain("once more");
    Files.delete(root.resolve("alpha/seen"));

    write("beta/src/test/java/t/TailIT.java", head + "TailIT { @Test void t() { throw null; } }");
    compiled();
    Run broken = tests("--again=1", "alpha", "beta");
    assertThat(broken.status()).isEqualTo(1);
    assertThat(broken.text())
        .as("two have failed")
        .contains("[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n")
        .doesNotContain("once more");

    Run twice = tests("--again=1", "beta");
    assertThat(twice.status()).isEqualTo(1);
    assertThat(twice.text())
        .contains("t.TailIT failed; once more", "[ERROR] Tests run: 1, Failures: 0, Errors: 1");
  }

  private static void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  /** What was compiled, without the time it took. */
  private static List<String> compiled() throws Exception {
    Run run = request("dev", root.toString());
    assertThat(run.status()).as(run.text()).isZero();
    return run.text().lines().map(line -> line.strip().replaceFirst(", .*", "")).toList();
  }

  private static Run request(String... request) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c"));
    command.add(
        "root=$1 jdk=$2; shift 2; . \"$root/bin/compile-server\"; server_idle_s=60;"
            + " server_state=$root/build/dev/server; server_request \"$@\"");
    command.addAll(List.of("test", root.toString(), System.getProperty("java.home")));
    command.addAll(List.of(request));
    return run(command);
  }

  private static Run tests(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", root.resolve("bin/run-tests").toString(), "target/dev"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static Run run(List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA25_HOME", System.getProperty("java.home"));
    Path output = Files.createTempFile(root, "run", ".txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), Files.readString(output));
  }
}
