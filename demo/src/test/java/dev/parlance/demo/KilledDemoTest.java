package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.agent.Talk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration that stays up, as a process of its own. */
@Tag("kill")
@Timeout(300)
class KilledDemoTest {
  private static final int SIDECARS = 2;

  @TempDir Path workDir;

  /** Runs the demonstration in the mode that stays up. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) {
      DemoOptions options =
          new DemoOptions(
              StandInSidecar.command("judging"),
              List.of(),
              "bin/parlance",
              Licence.FILE,
              Path.of(args[0]),
              DemoOptions.Mode.STAY,
              DemoOptions.Output.TEXT,
              false,
              Talk.Binding.JSONRPC,
              DemoOptions.Streaming.OFF);
      System.exit(new Demo(options, System.out, System.err, System.in).run(Demo.Show.ACTS));
    }
  }

  @Test
  void killedOrchestrator_leavesNoAgentAndNoSidecarBehind() throws Exception {
    Process demo = start();
    List<ProcessHandle> children = new ArrayList<>();
    try {
      var _ = readUntil(demo, "its sidecar stands in front");
      children.addAll(demo.descendants().toList());
      assertThat(children).hasSize(SIDECARS).allMatch(ProcessHandle::isAlive);
      demo.destroyForcibly().waitFor();
      for (ProcessHandle child : children) {
        assertThat(child.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
      }
    } finally {
      demo.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void endOfStandardInput_endsTheDemonstrationThatStaysUp_withSuccess() throws Exception {
    Process demo = start();
    try {
      List<String> said = readUntil(demo, "/review");
      assertThat(said).anyMatch(line -> line.contains("Everything stays up"));
      assertThat(said).anyMatch(line -> line.contains("\"method\":\"message/send\""));
      demo.getOutputStream().close();
      assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(demo.exitValue()).isZero();
    } finally {
      demo.destroyForcibly();
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            workDir.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static List<String> readUntil(Process process, String end) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    List<String> said = new ArrayList<>();
    String line = lines.readLine();
    while (line != null) {
      said.add(line);
      if (line.contains(end)) {
        return said;
      }
      line = lines.readLine();
    }
    throw new IOException("it ended before it said " + end + ": " + said);
  }
}
