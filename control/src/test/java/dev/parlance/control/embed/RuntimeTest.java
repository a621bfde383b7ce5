package dev.parlance.control.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder.EncoderListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the runtime does to the machine, seen from outside: each case is a process of its own. */
final class RuntimeTest {
  @TempDir Path temp;

  /** Prints where the built-in encoder stands. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try (Embedder embedder =
            Embedders.open(new EncoderChoice.BuiltIn(), 1, 4, EncoderListener.NONE)) {
          System.out.println(
              "> "
                  + embedder.status()
                  + " "
                  + embedder
                      .embed("a text")
                      .toCompletableFuture()
                      .join()
                      .getClass()
                      .getSimpleName());
        }
      }
    }
  }

  private record Ran(List<String> out, int status) {}

  private Ran run(Path tmp) throws IOException, InterruptedException {
    Path out = temp.resolve("out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + tmp,
            "-Duser.home=" + temp.resolve("home"),
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", temp.resolve("home").toString());
    builder.environment().remove("ORT_DISABLE_TELEMETRY");
    Process process =
        builder.redirectOutput(out.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(out, StandardCharsets.UTF_8);
    return new Ran(
        lines.stream().filter(line -> line.startsWith("> ")).toList(), process.exitValue());
  }

  @Test
  void runtimeThatCannotBeUnpacked_isAState_againAndAgain() throws Exception {
    Ran ran = run(temp.resolve("nowhere"));
    assertThat(ran.status()).isZero();
    assertThat(ran.out())
        .hasSize(2)
        .allMatch(line -> line.startsWith("> Failed[fault=NO_RUNTIME"))
        .allMatch(line -> line.contains("java.io.tmpdir"))
        .allMatch(line -> line.endsWith("Refused"));
  }

  @Test
  void runtime_leavesNothingBehind_neitherInTheHomeNorInTheFolderForTemporaryFiles()
      throws Exception {
    Path home = Files.createDirectory(temp.resolve("home"));
    Path tmp = Files.createDirectory(temp.resolve("tmp"));
    Ran ran = run(tmp);
    assertThat(ran.status()).isZero();
    assertThat(ran.out()).hasSize(2).allMatch(line -> line.startsWith("> Ready["));
    assertThat(ran.out()).allMatch(line -> line.endsWith("Encoded"));
    try (Stream<Path> inHome = Files.list(home);
        Stream<Path> inTmp = Files.walk(tmp)) {
      assertThat(inHome).isEmpty();
      // An empty folder stays.
      assertThat(inTmp.filter(Files::isRegularFile)).isEmpty();
    }
  }
}
