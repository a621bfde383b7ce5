package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.demo.agent.AgentMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DemoProcessTest {
  @TempDir Path workDir;

  @Test
  void agentAsAProcess_endsWhenItsStandardInputCloses() throws Exception {
    DemoProcess agent =
        agent(
            "scholar",
            "--port",
            "0",
            "--license",
            Licence.FILE.toString(),
            "--advertise",
            "http://a/");
    agent.close();
    assertThat(agent.isAlive()).isFalse();
    assertThat(Files.readString(agent.log())).doesNotContain("Exception");
  }

  @Test
  void badFlag_isNamed_andTheWaitForItEnds() throws IOException {
    try (DemoProcess child = agent("scholar", "--colour", "red")) {
      assertThatThrownBy(() -> child.await(workDir.resolve("never"), DemoProcess.READY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("odd ended with status 2");
      assertThat(Files.readString(child.log())).contains("--colour");
    }
  }

  @Test
  void childThatIsNeverReady_isGivenUp_andEnded() throws IOException {
    DemoProcess child =
        DemoProcess.start("sleeper", List.of("sleep", "600"), workDir, DemoProcess.SMALL);
    try (child) {
      assertThatThrownBy(() -> child.await(workDir.resolve("never"), Duration.ofMillis(100)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not ready");
    }
    assertThat(child.isAlive()).isFalse();
  }

  private DemoProcess agent(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AgentMain.class.getName()));
    command.addAll(List.of(arguments));
    return DemoProcess.start("odd", command, workDir, DemoProcess.SMALL);
  }
}
