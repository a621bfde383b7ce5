package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Main;
import dev.parlance.cli.Terminal;
import dev.parlance.service.testing.LeakCheck;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands about one sidecar, which stands in a pod: through the real kubectl, an API server of the
 * test's own, and the real admin API of a sidecar that holds a message.
 */
@ExtendWith(LeakCheck.class)
class PodCommandsIT {
  private static final String ANSWER =
      """
      {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a-1","role":"ROLE_AGENT",\
      "parts":[{"text":"Our friendly specialists recommend whatever feels right."}],\
      "metadata":{"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1",\
      "text":"The impeller must be replaced every 2000 operating hours."}]}}}}}\
      """;
  private static final String QUESTION =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"q-1",\
      "role":"ROLE_USER","parts":[{"text":"How often must the impeller be replaced?"}]}}}\
      """;

  @TempDir Path folder = Path.of("");
  private final List<AutoCloseable> parts = new ArrayList<>();

  /** What a command said, and how it ended. */
  private record Ended(int status, String out, String err) {}

  @BeforeEach
  void kubectlIsThere() {
    boolean isThere =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(entry -> Files.isExecutable(Path.of(entry, "kubectl")));
    Assumptions.assumeTrue(isThere, "SKIPPED: no kubectl on the PATH");
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
  }

  /** A sidecar that holds one message, and the API server in front of it. */
  private FakePodApi pod() throws IOException {
    StubAgent agent = new StubAgent(_ -> StubAgent.Reply.json(ANSWER));
    parts.add(agent);
    LocalSidecar sidecar =
        LocalSidecar.start(folder, "sidecar", LocalSidecar.inboundTo(agent.port()));
    parts.add(sidecar);
    try (RawHttp caller = new RawHttp(sidecar.inbound())) {
      HttpBytes held =
          caller
              .send(
                  "POST / HTTP/1.1\r\n"
                      + "Host: a\r\n"
                      + "A2A-Version: 1.0\r\n"
                      + "Content-Type: application/json\r\n"
                      + "Content-Length: %d\r\n\r\n%s".formatted(QUESTION.length(), QUESTION))
              .reply();
      assertThat(held.text()).doesNotContain("friendly");
    }
    String token = Files.readString(folder.resolve("sidecar/admin.token")).strip();
    FakePodApi api = new FakePodApi(sidecar.adminPort(), token);
    parts.add(api);
    Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters: [{name: test, cluster: {server: "%s"}}]
        users: [{name: test, user: {}}]
        """
            .formatted(api.url()));
    return api;
  }

  private Ended run(String pod, String... words) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            false);
    String[] all =
        Stream.concat(
                Stream.of(words),
                Stream.of("--pod", pod, "--kubeconfig", folder.resolve("kubeconfig").toString()))
            .toArray(String[]::new);
    int status = Main.run(terminal, all);
    return new Ended(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void reviewTapTopExplainAndDiagnostics_readTheSidecarOfThePod() throws Exception {
    FakePodApi api = pod();

    Ended list = run(FakePodApi.POD, "review", "list", "-o", "json");
    assertThat(list.status()).as(list.err()).isZero();
    assertThat(A2a.JSON.readTree(list.out()).path("total").asInt(0)).isEqualTo(1);

    Ended tap = run(FakePodApi.POD, "tap", "--last", "1", "--count", "1", "-o", "json");
    assertThat(tap.status()).as(tap.err()).isZero();
    assertThat(tap.out().lines()).hasSize(1);
    String id = A2a.JSON.readTree(tap.out()).path("id").asString("");

    Ended explained = run(FakePodApi.POD, "explain", id);
    assertThat(explained.status()).as(explained.err()).isZero();
    assertThat(explained.out()).contains(id);

    Ended top = run(FakePodApi.POD, "top", "--seconds", "1", "--interval", "1");
    assertThat(top.status()).as(top.err()).isZero();

    Path zip = folder.resolve("bundle.zip");
    Ended bundle = run(FakePodApi.POD, "diagnostics", "bundle", "--out", zip.toString());
    assertThat(bundle.status()).as(bundle.err()).isZero();
    try (ZipFile file = new ZipFile(zip.toFile())) {
      byte[] lines = file.getInputStream(file.getEntry("decisions.jsonl")).readAllBytes();
      assertThat(new String(lines, StandardCharsets.UTF_8)).contains(id);
      assertThat(file.getEntry("metrics.txt").getSize()).isPositive();
    }
    assertThat(api.asked())
        .anyMatch(one -> one.contains("/exec?"))
        .anyMatch(one -> one.contains("/portforward?ports=15000"))
        .noneMatch(one -> one.contains("secrets"));
  }

  @Test
  void withATokenFile_nothingIsRunInThePod() throws Exception {
    FakePodApi api = pod();
    String token = folder.resolve("sidecar/admin.token").toString();
    Ended list = run(FakePodApi.POD, "review", "list", "--token-file", token);
    assertThat(list.status()).as(list.err()).isZero();
    assertThat(api.asked()).noneMatch(one -> one.contains("/exec"));
  }

  @Test
  void aPodThatIsNotThere_isAFailureInOneLine() throws Exception {
    FakePodApi _ = pod();
    String token = folder.resolve("sidecar/admin.token").toString();
    Ended gone = run("shop/buyer-9", "review", "list", "--token-file", token);
    assertThat(gone.status()).isEqualTo(1);
    assertThat(gone.err().lines()).hasSize(1);
    assertThat(gone.err()).contains("does not forward to this pod", "404");
    Ended unreadable = run("shop/buyer-9", "tap");
    assertThat(unreadable.status()).isEqualTo(1);
    assertThat(unreadable.err()).contains("admin token cannot be read");
    assertThat(run("nothing", "tap").status()).isEqualTo(2);
  }
}
