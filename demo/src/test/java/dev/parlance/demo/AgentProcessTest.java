package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.demo.agent.AgentCaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AgentProcessTest {
  @TempDir Path workDir;

  @Test
  void agent_advertisesWhatItIsTold_andEndsWhenItsStandardInputCloses() throws Exception {
    AgentProcess agent = scholar().ready();
    try (agent) {
      agent.begin("advertise=" + agent.url() + "advertised");
      assertThat(AgentCaller.find(agent.url(), 20_000))
          .isInstanceOfSatisfying(AgentCaller.Lookup.Found.class, found -> found.caller().close());
      ProcessHandle process = ProcessHandle.of(agent.child().pid()).orElseThrow();
      agent.child().askToStop();
      assertThat(process.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }
    assertThat(Files.readString(agent.child().log())).doesNotContain("Exception");
  }

  @Test
  void agent_endsWhenStandardInputCloses_beforeItWasToldToBegin() throws Exception {
    AgentProcess agent = scholar().ready();
    try (agent) {
      Optional<ProcessHandle> process = ProcessHandle.of(agent.child().pid());
      agent.child().askToStop();
      assertThat(process.orElseThrow().onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @Test
  void badFlag_isNamed_andTheWaitForItEnds() throws IOException {
    DemoProcess.Starting<AgentProcess> starting =
        AgentProcess.start("odd", List.of("scholar", "--colour", "red"), workDir);
    try (DemoProcess child = starting.child()) {
      assertThatThrownBy(starting::ready)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("odd ended with status 2");
      assertThat(Files.readString(child.log())).contains("--colour");
    }
  }

  @Test
  void childThatIsNeverReady_isGivenUp_andEnded() throws IOException {
    DemoProcess child =
        DemoProcess.start("sleeper", List.of("sleep", "600"), workDir, DemoProcess.Memory.SMALL);
    try (child) {
      assertThatThrownBy(() -> child.await(workDir.resolve("never"), Duration.ofMillis(100)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not ready");
    }
    assertThat(child.isAlive()).isFalse();
  }

  private DemoProcess.Starting<AgentProcess> scholar() throws IOException {
    return AgentProcess.start(
        "scholar", List.of("scholar", "--license", Licence.FILE.toString()), workDir);
  }
}
