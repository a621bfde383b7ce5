package dev.parlance.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a local agent is given, and the sidecar that goes with it. */
class AgentEnvironmentTest {
  @Test
  void theWaysThroughTheSidecar_areSet_andTheLaunchersOwnIsTakenOut() {
    AgentEnvironment environment =
        of(Map.of("PATH", "/bin", "PARLANCE_HOME", "/x", "NO_PROXY", "db"));

    assertThat(environment.all())
        .containsEntry("PATH", "/bin")
        .containsEntry("HTTP_PROXY", "http://127.0.0.1:2")
        .containsEntry("http_proxy", "http://127.0.0.1:2")
        .containsEntry("NO_PROXY", "db,localhost")
        .containsEntry("OPENAI_BASE_URL", "http://localhost:2/openai")
        .containsEntry("COLOUR", "red")
        .containsEntry(AgentEnvironment.RUN, "r")
        .doesNotContainKey("PARLANCE_HOME");
    assertThat(environment.kept()).isEmpty();
  }

  @Test
  void aProxyThatIsSet_staysAsItIs() {
    AgentEnvironment environment = of(Map.of("http_proxy", "http://proxy.example:3128"));

    assertThat(environment.all())
        .containsEntry("http_proxy", "http://proxy.example:3128")
        .doesNotContainKeys("HTTP_PROXY", "NO_PROXY");
    assertThat(environment.kept())
        .containsExactly(Map.entry("http_proxy", "http://proxy.example:3128"));
  }

  @Test
  void aBaseUrlThatIsSet_isWhereTheSidecarSendsIt() {
    assertThat(ModelProvider.of(Map.of(), Map.of()).upstream())
        .isEqualTo("https://api.openai.com/v1");
    Map<String, String> ours = Map.of("OPENAI_API_BASE", "http://127.0.0.1:11434/v1/");
    assertThat(ModelProvider.of(Map.of(), ours).upstream()).isEqualTo("http://127.0.0.1:11434/v1");
    assertThat(ModelProvider.of(Map.of("OPENAI_BASE_URL", "https://own.example"), ours).upstream())
        .isEqualTo("https://own.example");
  }

  @Test
  void theSidecarsFile_isAConfiguration_whateverTheFolderIsCalled() {
    ConfigResult<?> read = ConfigLoader.parse(setup().yaml("/tmp/a \"b\": c\\d"), Path.of(""));
    assertThat(read).as(read.toString()).isInstanceOf(ConfigResult.Loaded.class);
  }

  @Test
  void linesOfSeveral_areNeverMixed_andTheLastOneNeedsNoEnd() {
    var bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (PrefixedLines one = new PrefixedLines("one", 5, out);
        PrefixedLines other = new PrefixedLines("other", 5, out)) {
      one.write("be".getBytes(StandardCharsets.UTF_8), 0, 2);
      other.write("ä\n\nc".getBytes(StandardCharsets.UTF_8), 0, 5);
      one.write("gin\n".getBytes(StandardCharsets.UTF_8), 0, 4);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("other | ä\nother | \none   | begin\nother | c\n");
  }

  private static AgentEnvironment of(Map<String, String> own) {
    return AgentEnvironment.of(own, setup(), List.of(), "r");
  }

  private static SidecarSetup setup() {
    AgentSpec agent =
        new AgentSpec(
            "agent",
            8080,
            List.of("true"),
            Path.of("."),
            Map.of("COLOUR", "red"),
            "/",
            Optional.empty());
    return new SidecarSetup(
        agent,
        "observe",
        1,
        2,
        3,
        new ModelProvider("https://api.example/v1"),
        Optional.empty(),
        Optional.empty());
  }
}
