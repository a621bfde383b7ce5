package dev.parlance.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.cli.run.ProxyMain;
import dev.parlance.proxy.audit.Explanation;
import dev.parlance.proxy.audit.LoggedProfiles;
import dev.parlance.proxy.audit.Replay;
import dev.parlance.service.testing.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process says and does when its surroundings are not as it needs them. */
class OperatorIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String QUESTION = A2a.ask("1", "c1", "When?");

  @TempDir Path folder = Path.of("");
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private String startsAndEnds(int files, Path config) throws Exception {
    return startsAndEnds(files, config, 0);
  }

  /** Of a sidecar that finds so many files open. */
  private String startsAndEnds(int files, Path config, int taken) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "for fd in $(seq 10 $((9 + $1))); do eval \"exec $fd</dev/null\"; done;"
                    + " ulimit -n \"$0\"; shift; exec \"$@\"",
                Integer.toString(files),
                Integer.toString(taken),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=WARN",
                "-cp",
                ChildJvm.foldersFirst(),
                ProxyMain.class.getName(),
                "proxy",
                "--config",
                config.toString(),
                "--stop-on-stdin-close")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    open.add(process::destroyForcibly);
    assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    return Files.readString(output);
  }

  private Path config(String dataDir) throws IOException {
    return Files.writeString(
        folder.resolve("sidecar.yaml"),
        """
        version: 1
        node: n
        dataDir: %s
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:9" }
        admin: { listen: "127.0.0.1:0" }
        """
            .formatted(dataDir));
  }

  @Test
  void O18_tooFewDescriptorsAtTheStart_areNamedWithTheLimit() throws Exception {
    assertThat(startsAndEnds(64, config("data")))
        .contains("64", "ulimit -n")
        .doesNotContain("Exception", "bug", "\tat ")
        .hasLineCount(1);
  }

  @Test
  void O18_descriptorsThatOthersLeftOpen_countToo() throws Exception {
    assertThat(startsAndEnds(150, config("data"), 110))
        .contains("150", "ulimit -n")
        .doesNotContain("Exception", "bug", "\tat ")
        .hasLineCount(1);
  }

  @Test
  void O18_aFileInThePlaceOfTheDataFolder_isNamed() throws Exception {
    Files.writeString(folder.resolve("data"), "a file");
    assertThat(startsAndEnds(1024, config("data")))
        .contains(folder.resolve("data").toString(), "dataDir", "expected a folder")
        .doesNotContain("Exception", "bug", "\tat ")
        .hasLineCount(1);
  }

  @Test
  void O16_hangUpUnderTraffic_readsTheConfigurationAgain() throws Exception {
    StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json(A2a.answer("1", "a", A2a.GROUNDED)));
    open.add(agent);
    ChildSidecar sidecar = sidecar(agent, 0);
    open.add(sidecar);
    sidecar.hangUp();
    await().atMost(SOON).until(() -> sidecar.output().contains("again"));
    for (int i = 0; i < 20; i++) {
      sidecar.hangUp();
      assertThat(post(sidecar)).startsWith("HTTP/1.1 200");
    }
    assertThat(sidecar.isAlive()).isTrue();
  }

  @Test
  void O17_fewDescriptors_theSurplusIsTurnedAwayAndTheConfigurationStands() throws Exception {
    StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json(A2a.answer("1", "a", A2a.GROUNDED)));
    open.add(agent);
    ChildSidecar sidecar = sidecar(agent, 128);
    open.add(sidecar);
    for (int i = 0; i < 150; i++) {
      Socket idle = new Socket(InetAddress.getLoopbackAddress(), sidecar.inbound());
      open.add(idle);
    }
    for (int i = 0; i < 5; i++) {
      assertThat(post(sidecar)).matches("(?s)|HTTP/1.1 (200|503).*");
    }
    sidecar.rewrite(text -> text + "\n# changed\n");
    sidecar.hangUp();
    await().atMost(SOON).until(() -> sidecar.output().contains("again"));
    assertThat(sidecar.readyz()).startsWith("HTTP/1.1 200");
    assertThat(sidecar.output())
        .contains("ulimit -n")
        .doesNotContain("\tat ", "refused (", "unreadable", "Exception");
  }

  @Test
  void aLogThatCannotBeWritten_isSaidOnce_andSeen_andComesBack() throws Exception {
    StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json(A2a.answer("1", "a", A2a.GROUNDED)));
    open.add(agent);
    ChildSidecar sidecar = sidecar(agent, 0);
    open.add(sidecar);
    Path data = folder.resolve("n");
    Files.move(data, folder.resolve("moved"));
    Files.writeString(data, "in the way");
    await()
        .atMost(SOON)
        .until(() -> {
          assertThat(post(sidecar)).startsWith("HTTP/1.1 200");
          return sidecar.readyz().contains("decision log cannot be written");
        });
    assertThat(sidecar.readyz()).startsWith("HTTP/1.1 200");
    Files.delete(data);
    await()
        .atMost(SOON)
        .until(() -> {
          post(sidecar);
          return !sidecar.readyz().contains("decision log")
              && Files.exists(data.resolve("decisions.jsonl"));
        });
    assertThat(sidecar.output().lines().filter(line -> line.contains("log cannot be written")))
        .hasSize(1);
    assertThat(sidecar.output()).doesNotContain("\tat ");
  }

  @Test
  void decisionLogOnStandardOutput_isJsonLines() throws Exception {
    StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json(A2a.answer("1", "a", A2a.GROUNDED)));
    open.add(agent);
    ChildSidecar sidecar =
        ChildSidecar.start(
            folder, "n", LocalSidecar.inboundTo(agent.port()), "decisionLog: { stdout: true }\n");
    open.add(sidecar);
    post(sidecar);
    await()
        .atMost(SOON)
        .until(() ->
            sidecar
                .output()
                .lines()
                .anyMatch(line ->
                    isDecision(line)
                        && A2a.JSON.readTree(line).path("node").asString("").equals("n")));
  }

  @Test
  void withoutDigestsOfBodies_linesAreExplainedAllTheSame() throws Exception {
    StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json(A2a.answer("1", "a", A2a.GROUNDED)));
    open.add(agent);
    for (String digest : List.of("off", "sha256")) {
      ChildSidecar sidecar =
          ChildSidecar.start(
              Files.createDirectories(folder.resolve(digest)),
              "n",
              LocalSidecar.inboundTo(agent.port()),
              "decisionLog: { stdout: true, bodyDigest: \"" + digest + "\" }\n");
      open.add(sidecar);
      post(sidecar);
      await()
          .atMost(SOON)
          .until(() -> sidecar.output().lines().filter(OperatorIT::isDecision).count() == 2);
      LoggedProfiles above = new LoggedProfiles();
      sidecar.output().lines().forEach(above::read);
      assertThat(sidecar.output().lines().filter(OperatorIT::isDecision))
          .allMatch(line -> line.contains("\"bodySha256\":") == digest.equals("sha256"))
          .extracting(above::whole)
          .allMatch(line ->
              Replay.of(line) instanceof Replay.Result.Explained(Explanation told)
                  && told.reproduces());
    }
  }

  private static boolean isDecision(String line) {
    return line.startsWith("{\"type\":\"decision\"");
  }

  /** The answer; empty if the connection was closed. */
  private static String post(ChildSidecar sidecar) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), sidecar.inbound())) {
      socket.setSoTimeout((int) SOON.toMillis());
      socket
          .getOutputStream()
          .write(
              ("POST /a2a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nA2A-Version: 1.0\r\n"
                      + "Content-Type: application/json\r\nContent-Length: "
                      + QUESTION.length()
                      + "\r\n\r\n"
                      + QUESTION)
                  .getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (SocketException e) {
      return "";
    }
  }

  private ChildSidecar sidecar(StubAgent agent, int files) throws IOException {
    return ChildSidecar.start(
        folder,
        "n",
        files,
        "inbound:\n  listen: 127.0.0.1:0\n  agent: 127.0.0.1:%d\n".formatted(agent.port()));
  }
}
