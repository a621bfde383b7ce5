package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every known way of getting a sentence past the judge, through a real sidecar in enforce mode over
 * real sockets. The sentence holds a number that no evidence has, so a judge that reads it sends it
 * back; what reaches the receiver tells whether it was read. New ways are lines of {@code
 * bypass/cases.jsonl}, see {@link BypassCase}.
 */
@ExtendWith(LeakCheck.class)
class BypassCorpusTest {
  private static final int PATIENCE_MS = 20_000;

  @TempDir static Path folder = Path.of("");
  private static final RawAgent AGENT = RawAgent.start();
  private static final List<Sidecar> SIDECARS = new ArrayList<>();
  private static final AtomicInteger CALLERS = new AtomicInteger();

  /** One case against one sidecar. */
  record Trial(BypassCase one, int sidecar) {
    @Override
    public String toString() {
      return one.name() + (sidecar == 1 ? " (window)" : "");
    }
  }

  static Stream<Trial> trials() {
    return BypassCase.all()
        .flatMap(one -> {
          if (one.isRequest()) {
            return Stream.of(new Trial(one, 2));
          }
          if (one.isMcp()) {
            return Stream.of(new Trial(one, 3));
          }
          return one.isStream()
              ? Stream.of(new Trial(one, 0), new Trial(one, 1))
              : Stream.of(new Trial(one, 0));
        });
  }

  @BeforeAll
  static void start() throws IOException {
    SIDECARS.add(sidecar("hold", "grounding: required"));
    SIDECARS.add(sidecar("window", "grounding: required\n    stream: window"));
    SIDECARS.add(sidecar("requests", "requestGrounding: required"));
    SIDECARS.add(sidecar("both", "grounding: required\n    requestGrounding: required"));
  }

  @AfterAll
  static void stop() {
    SIDECARS.forEach(Sidecar::close);
    AGENT.close();
  }

  private static Sidecar sidecar(String name, String route) throws IOException {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        dataDir: data-%s
        startup: { warmUpMessages: 0 }
        inbound:
          listen: 127.0.0.1:0
          agent: 127.0.0.1:%d
          agentProtocol: http1
        admin:
          listen: 127.0.0.1:0
        profiles:
          none-left: { errorMax: 0 }
        limits: { errorBytes: 512 }
        review: { capacity: 5000 }
        routes:
          - name: all
            codec: auto
            profile: none-left
            %s
        """
            .formatted(name, AGENT.port(), route));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    if (result instanceof ConfigResult.Loaded<SidecarConfig> loaded) {
      return Sidecar.start(loaded.config(), file, Cores.NONE, Gate.PeerResolver.NONE);
    }
    throw new AssertionError(result);
  }

  @ParameterizedTest
  @MethodSource("trials")
  void S1_S2_B3_B4_B5_B9_B10_nothingReachesTheReceiverUnjudged(Trial trial) throws Exception {
    BypassCase one = trial.one();
    AGENT.script(one.agentReply());
    byte[] answered =
        call(
            address(CALLERS.incrementAndGet()),
            SIDECARS.get(trial.sidecar()).inboundPort().orElseThrow(),
            one.request());
    byte[] reached = one.isRequest() ? AGENT.asked() : answered;
    if (one.passes()) {
      assertThat(new String(reached, StandardCharsets.UTF_8)).contains(one.fact());
    } else if (one.isCut()) {
      assertThat(new String(reached, StandardCharsets.UTF_8)).contains(one.fact());
      assertThat(BypassCase.revealed(reached)).as(one.shown(reached)).isEmpty();
    } else if (one.isWarned()) {
      if (!BypassCase.revealed(reached).isEmpty()) {
        assertThat(new String(answered, StandardCharsets.UTF_8)).contains("no_evidence");
      }
    } else if (one.isExempt()) {
      assertThat(BypassCase.revealed(reached)).isNotEmpty();
    } else {
      assertThat(BypassCase.revealed(reached)).as(one.shown(reached)).isEmpty();
    }
    assertThat(answered).as("the caller got an answer").isNotEmpty();
  }

  /** A caller of its own for each case: what is held for another one is nothing to it. */
  private static InetAddress address(int caller) throws IOException {
    return InetAddress.getByAddress(
        new byte[] {127, 0, (byte) (1 + caller / 250), (byte) (1 + caller % 250)});
  }

  private static byte[] call(InetAddress caller, int port, byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, caller, 0)) {
      socket.setSoTimeout(PATIENCE_MS);
      socket.getOutputStream().write(request);
      InputStream in = socket.getInputStream();
      return RawAgent.readToEnd(in);
    }
  }
}
