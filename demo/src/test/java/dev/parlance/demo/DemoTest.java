package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.agent.Role;
import dev.parlance.demo.agent.Talk;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("long")
@Timeout(300)
class DemoTest {
  @TempDir Path workDir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void judgingSidecar_takesEveryRouteOfTheScript_andTheReleasedAnswerReachesB() {
    int status = run("judging", DemoOptions.Mode.ONCE, DemoOptions.Output.TEXT);
    assertThat(status).as("%s%n%s", out, err).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("q16")
        .contains("[@C:E; @G:E; @S:0; A:[]]")
        .contains("regenerate")
        .contains("nothing (working)")
        .contains("5 of 5 without Parlance, 0 of 5 with it")
        .contains("3 of 3 without Parlance, 0 of 3 with it")
        .containsPattern("bin/parlance review release held-\\d+ --data-dir .* --who you")
        .containsPattern("Released held-\\d+ \\(q12\\) .* Selling assistance is perfectly normal")
        .contains("Every expected route was taken.")
        .doesNotContain("\u001b[");
    assertThat(childrenAlive()).isEmpty();
  }

  @Test
  void sidecarThatLetsEverythingThrough_isNoticed_andNamed() {
    int status = run("passing", DemoOptions.Mode.ONCE, DemoOptions.Output.JSON);
    assertThat(status).isEqualTo(1);
    JsonNode report = JsonMapper.shared().readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(report.path("ok").asBoolean()).isFalse();
    assertThat(report.path("questions").size()).isEqualTo(Role.SCRIPT.size());
    assertThat(report.path("counts").path("ungroundedReachedWithParlance").asInt()).isEqualTo(5);
    assertThat(report.path("counts").path("unfinishedReachedWithParlance").asInt()).isEqualTo(3);
    assertThat(report.path("differences").valueStream().map(JsonNode::asString))
        .anyMatch(text -> text.startsWith("q12: a held answer reached B"))
        .anyMatch(text -> text.startsWith("release: "));
  }

  @Test
  void sidecarThatDoesNotStart_isSaid_withItsLog_andNothingStaysBehind() {
    DemoOptions options = options(List.of("false"), DemoOptions.Mode.ONCE, DemoOptions.Output.TEXT);
    assertThat(demo(options).run(Demo.Show.ACTS)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("officer-sidecar ended with status 1 before it was ready")
        .contains("scholar-sidecar.log");
    assertThat(childrenAlive()).isEmpty();
  }

  private int run(String sidecar, DemoOptions.Mode mode, DemoOptions.Output output) {
    return demo(options(StandInSidecar.command(sidecar), mode, output)).run(Demo.Show.ACTS);
  }

  private DemoOptions options(
      List<String> sidecarCommand, DemoOptions.Mode mode, DemoOptions.Output output) {
    return new DemoOptions(
        sidecarCommand,
        List.of(),
        "bin/parlance",
        Licence.FILE,
        workDir,
        mode,
        output,
        false,
        Talk.Binding.JSONRPC,
        DemoOptions.Streaming.OFF);
  }

  private Demo demo(DemoOptions options) {
    return new Demo(
        options,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        InputStream.nullInputStream());
  }

  /** Agents and sidecars of this test that still run. */
  private static List<ProcessHandle> childrenAlive() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }
}
