package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Main;
import dev.parlance.demo.Demo;
import dev.parlance.demo.DemoOptions;
import dev.parlance.demo.agent.Talk;
import dev.parlance.service.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demonstration with real sidecars and a real control plane. */
@Timeout(600)
class SecondActIT {
  private static final int SIDECARS_AND_CONTROL = 3;

  @TempDir Path workDir;

  /** The demonstration that stays up, as a process of its own. */
  static final class Staying {
    private Staying() {}

    public static void main(String[] args) {
      DemoOptions options =
          options(Path.of(args[0]), DemoOptions.Mode.STAY, DemoOptions.Output.TEXT);
      System.exit(new Demo(options, System.out, System.err, System.in).run(Demo.Show.ACTS));
    }
  }

  @Test
  void wholeAct_isPlayedAsExpected_andItsNumbersAreOnTheLedger() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Demo demo =
        new Demo(
            options(workDir, DemoOptions.Mode.ONCE, DemoOptions.Output.JSON),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            InputStream.nullInputStream());
    int status = demo.run(Demo.Show.ACTS);
    assertThat(status).as("%s%n%s", out, err).isZero();
    JsonNode act = A2a.JSON.readTree(out.toString(StandardCharsets.UTF_8)).path("secondAct");

    assertThat(outcomes(act.path("audits").path(0)))
        .containsEntry("contribution", "refused")
        .containsEntry("trademark use", "refused")
        .containsEntry("notice", "certified")
        .hasSize(9);
    assertThat(outcomes(act.path("audits").path(1)))
        .containsEntry("notice", "revoked")
        .containsEntry("contributor", "kept")
        .hasSize(7);
    assertThat(outcomes(act.path("audits").path(2))).isEqualTo(Map.of("notice", "restored"));
    for (JsonNode audit : act.path("audits")) {
      assertThat(audit.path("answered").asInt()).isEqualTo(audit.path("questions").asInt());
      assertThat(audit.path("enforcedAfterMs").size()).isEqualTo(2);
    }

    assertThat(
            act.path("orders")
                .valueStream()
                .map(order -> order.path("passed").asBoolean())
                .toList())
        .containsExactly(false, false, false, true, true, true, true, false, false, true, true);
    assertThat(routes(act))
        .startsWith("regenerate", "regenerate", "yield")
        .filteredOn(route -> route.equals("regenerate"))
        .hasSize(4);
    assertThat(act.path("orders").path(2).path("reviewId").asString("")).isNotEmpty();

    JsonNode phases = act.path("disagreement");
    assertThat(share(phases.path(0), "core")).isLessThan(0.01);
    assertThat(share(phases.path(0), "all")).isGreaterThan(0.015);
    assertThat(share(phases.path(1), "core")).isGreaterThan(0.015);
    assertThat(share(phases.path(2), "core")).isLessThan(0.01);
    assertThat(share(phases.path(3), "core")).isLessThan(0.01);
    assertThat(phases.path(2).path("coreTerms").asInt()).isEqualTo(6);
    assertThat(phases.path(3).path("coreTerms").asInt()).isEqualTo(7);

    assertThat(act.path("ledger").path("sound").asBoolean()).isTrue();
    assertThat(act.path("ledger").path("decisions").asInt()).isEqualTo(9 + 7 + 1);
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void killedDemonstration_leavesNoProcess_notEvenTheControlPlane() throws Exception {
    Process demo =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Staying.class.getName(),
                    workDir.toString()))
            .redirectErrorStream(true)
            .start();
    List<ProcessHandle> children = new ArrayList<>();
    try {
      BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8);
      String line = lines.readLine();
      while (line != null && !line.contains("Act 2.")) {
        line = lines.readLine();
      }
      assertThat(line).as("the demonstration ended before its second act").isNotNull();
      children.addAll(demo.descendants().toList());
      assertThat(children).hasSize(SIDECARS_AND_CONTROL);
      demo.destroyForcibly().waitFor();
      for (ProcessHandle child : children) {
        assertThat(child.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
      }
    } finally {
      demo.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static DemoOptions options(
      Path workDir, DemoOptions.Mode mode, DemoOptions.Output output) {
    return new DemoOptions(
        parlance("proxy"),
        parlance("control"),
        "bin/parlance",
        Path.of("..", "LICENSE"),
        workDir,
        mode,
        output,
        false,
        Talk.Binding.JSONRPC,
        DemoOptions.Streaming.OFF);
  }

  static List<String> parlance(String command) {
    return Stream.concat(ChildJvm.command().stream(), Stream.of(Main.class.getName(), command))
        .toList();
  }

  private static Map<String, String> outcomes(JsonNode audit) {
    return audit
        .path("terms")
        .valueStream()
        .collect(
            Collectors.toMap(
                term -> term.path("term").asString(), term -> term.path("outcome").asString()));
  }

  private static List<String> routes(JsonNode act) {
    return act.path("orders").valueStream().map(order -> order.path("route").asString()).toList();
  }

  private static double share(JsonNode phase, String which) {
    return phase.path(which + "Contradictions").asDouble()
        / phase.path(which + "Comparisons").asDouble();
  }
}
