package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.identity.Denials;
import dev.parlance.proxy.identity.MeshIdentity;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.identity.Svid;
import dev.parlance.service.identity.TrustBundles;
import dev.parlance.service.testing.LeakCheck;
import dev.parlance.service.testing.TestDomain;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class WarmUpTest {
  private static final EventLoops LOOPS = EventLoops.start(1);
  private static final long PATIENCE_NS = 60_000_000_000L;

  @TempDir Path folder = Path.of("");

  @AfterAll
  static void stop() {
    LOOPS.close();
  }

  private SidecarConfig config(int messages, int ms) {
    return config(messages, ms, "tls: off", "");
  }

  private SidecarConfig config(int messages, int ms, String tls, String identity) {
    String yaml =
        """
        dataDir: data
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:9", %s }
        admin: { listen: "127.0.0.1:0" }
        startup: { warmUpMessages: %d, warmUpMs: %d }
        %s
        """
            .formatted(tls, messages, ms, identity);
    ConfigResult<SidecarConfig> result = ConfigLoader.parse(yaml, folder);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    return result.loaded().orElseThrow();
  }

  private WarmUp.Outcome warmUp(int messages, int ms) {
    return new WarmUp(config(messages, ms), LOOPS, Optional.empty()).attempt();
  }

  @Test
  void everyMessage_goesThroughTheGate_andNothingIsLeft() throws IOException {
    assertThat(((WarmUp.Outcome.Done) warmUp(150, 3_000)).messages()).isGreaterThanOrEqualTo(150);
    try (var left = Files.list(folder.resolve("data"))) {
      assertThat(left).isEmpty();
    }
  }

  /** Else the warm-up would compile the refusal of messages. */
  @Test
  void itsMessages_areJudgedGrounded() throws IOException {
    Path own = folder.resolve("own");
    Files.createDirectories(own);
    SidecarConfig config;
    List<String> lines;
    try (WarmUp.WarmUpAgent agent = WarmUp.WarmUpAgent.start()) {
      config = WarmUp.configuration(own, agent.port()).orElseThrow();
      Sidecar rehearsal = Sidecar.rehearsal(config, LOOPS, Optional.empty());
      try (WarmUp.WarmUpCaller caller =
          new WarmUp.WarmUpCaller(rehearsal.inboundPort().orElseThrow())) {
        for (int i = 0; i < 20; i++) {
          assertThat(caller.ask(i, System.nanoTime() + PATIENCE_NS, agent.port())).isTrue();
        }
      } finally {
        rehearsal.cut();
      }
      lines = decisions(own).filter(line -> !line.contains("\"kind\":\"request\"")).toList();
    }
    assertThat(lines)
        .hasSize(20)
        .allSatisfy(line -> assertThat(line).contains("\"route\":\"execute\""));
  }

  /** Else TLS, signed verdicts and the outbound way would be met cold by the first callers. */
  @Test
  void betweenSidecars_questionsAndAnswersAreJudgedOnce() throws Exception {
    Path own = Files.createDirectories(folder.resolve("own"));
    List<String> lines;
    try (WarmUp.WarmUpAgent agent = WarmUp.WarmUpAgent.start()) {
      try (WarmUpMesh pair = WarmUpMesh.open(own, LOOPS, identity(), agent.port());
          WarmUp.WarmUpCaller caller = new WarmUp.WarmUpCaller(pair.port())) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        assertThat(caller.askAll(0, 20, 0, deadlineNs, pair.agentPort())).isEqualTo(20);
      }
      lines = decisions(own).toList();
    }
    assertThat(lines)
        .hasSize(80)
        .allSatisfy(line -> assertThat(line).contains("\"route\":\"execute\""));
    assertThat(lines.stream().filter(line -> line.contains("\"judgedBy\""))).hasSize(40);
  }

  @Test
  void aSidecarWithAnIdentity_warmsBothWays_andNothingIsLeft() throws Exception {
    SidecarConfig config =
        config(20, 2_000, "tls: strict", "identity: { workloadApi: unix:///none }");
    WarmUp.Outcome outcome = new WarmUp(config, LOOPS, Optional.of(identity())).attempt();
    assertThat(outcome).isNotInstanceOf(WarmUp.Outcome.Failed.class);
    try (var left = Files.list(folder.resolve("data"))) {
      assertThat(left).isEmpty();
    }
  }

  /** The identity of a sidecar, in force. */
  private MeshIdentity identity() throws Exception {
    TestDomain domain = new TestDomain("mesh.example");
    X509Bundle made = domain.svid("ns/shop/sa/buyer");
    SidecarConfig config = config(0, 1);
    MeshIdentity identity = new MeshIdentity(() -> config, Denials.NONE);
    identity.take(
        Svid.of(List.of(made.getCertificatePath()), made.getKeyPair().getPrivate()),
        new TrustBundles(Map.of("mesh.example", Set.of(domain.root().getCertificate()))));
    return identity;
  }

  private static Stream<String> decisions(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .flatMap(WarmUpTest::lines)
          .filter(line -> line.contains("\"type\":\"decision\""))
          .toList()
          .stream();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8).stream();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void noMessages_isOff() {
    assertThat(warmUp(0, 1)).isEqualTo(new WarmUp.Outcome.Off());
  }

  @Test
  void itsLeastTime_isOver_whenItEnds() {
    WarmUp.Outcome.Done done = (WarmUp.Outcome.Done) warmUp(1, 1_000);
    assertThat(done.ms()).isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void itsTime_endsIt() {
    WarmUp.Outcome outcome = warmUp(1_000_000, 50);
    assertThat(outcome).isInstanceOf(WarmUp.Outcome.Late.class);
    assertThat(((WarmUp.Outcome.Late) outcome).messages()).isLessThan(1_000_000);
  }

  @Test
  void aFolderThatCannotBeUsed_isAFailure_andNoException() throws IOException {
    Files.writeString(folder.resolve("data"), "a file");
    assertThat(warmUp(5, 60_000)).isInstanceOf(WarmUp.Outcome.Failed.class);
  }

  @Test
  void aSecondSidecarOfTheProcess_doesNotWarmUpAgain() {
    new WarmUp(config(1, 1_000), LOOPS, Optional.empty()).run();
    assertThat(new WarmUp(config(1, 1_000), LOOPS, Optional.empty()).run())
        .isEqualTo(new WarmUp.Outcome.Before());
  }
}
