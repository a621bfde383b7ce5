package dev.parlance.cli.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.FakeControlPlane;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ProxyStatusCommandTest {
  @TempDir Path folder = Path.of("");

  private final FakeControlPlane plane;

  ProxyStatusCommandTest() throws IOException {
    plane = FakeControlPlane.start();
  }

  @BeforeEach
  void leaveFiles() throws IOException {
    plane.leaveFilesIn(folder);
  }

  @AfterEach
  void stop() throws InterruptedException {
    plane.close();
  }

  private static Sidecar sidecar(String agent, String state, String reason) {
    return Sidecar.newBuilder()
        .setAgent(agent)
        .setNode("pod-" + agent)
        .setVersion("0.1")
        .setAttached(true)
        .setReplica("replica-1")
        .setLastSeenMs(System.currentTimeMillis())
        .addCores(
            SidecarCore.newBuilder()
                .setId(FakeControlPlane.id())
                .setVersion(2)
                .setLatestVersion(3)
                .setAgeMs(90_000)
                .setState(state)
                .setNackReason(reason))
        .build();
  }

  private Run status(String... more) {
    String[] all = new String[more.length + 3];
    all[0] = "proxy-status";
    all[1] = "--data-dir";
    all[2] = folder.toString();
    System.arraycopy(more, 0, all, 3, more.length);
    return Run.of(all);
  }

  @Test
  void syncedAndBehind_areWell() {
    plane.sidecars.add(sidecar("alice", "synced", ""));
    plane.sidecars.add(sidecar("bob", "behind", ""));
    plane.sidecars.add(Sidecar.newBuilder().setAgent("carol").build());
    Run run = status();
    assertThat(run.status()).isZero();
    assertThat(run.out().lines()).hasSize(4);
    assertThat(run.out()).contains("pod-alice").contains("1 min").contains("carol");
  }

  @Test
  void refusedOrStale_isStatusOne_withTheReason() {
    plane.sidecars.add(sidecar("alice", "synced", ""));
    plane.sidecars.add(sidecar("bob", "refused", "foreign_signature"));
    Run refused = status("-o", "json");
    assertThat(refused.status()).isEqualTo(1);
    JsonNode core = Json.MAPPER.readTree(refused.out()).get(1).path("cores").get(0);
    assertThat(core.path("nackReason").stringValue()).isEqualTo("foreign_signature");
    assertThat(core.path("latestVersion").longValue()).isEqualTo(3);
    assertThat(status("--agent", "alice").status()).isZero();
    plane.sidecars.set(1, sidecar("bob", "stale", ""));
    assertThat(status().status()).isEqualTo(1);
  }

  @Test
  void Q5_textOfTheNetwork_isMadeInert() {
    plane.sidecars.add(sidecar("alice", "sync\u001b[2J", "\u202ereason"));
    assertThat(status().out())
        .contains("sync\\u{1B}[2J")
        .contains("\\u{202E}reason")
        .doesNotContain("\u001b");
  }

  @Test
  void wrongInterval_isUsage() {
    assertThat(status("--watch", "--interval", "0").status()).isEqualTo(2);
  }
}
