package dev.parlance.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alice's sidecar, which holds a core and a board: once enough has been said, it looks for the
 * terms of both in one pass, and decides as it did with two.
 */
@ExtendWith(LeakCheck.class)
class LexiconInOnePassTest {
  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";

  /** Half of it is novel, unless its words are on the board. */
  private static final String USING =
      FACT + ", gardens flourish beneath purple mountains, enthusiasm outweighs%s. [Chunk c1]";

  private static final Pattern PASSES =
      Pattern.compile("^parlance_lexicon_joint_passes_total (\\S+)$", Pattern.MULTILINE);

  @TempDir Path dir = Path.of("");
  private FakeBoards boards = unstarted();
  private FakeAgent alice = unstarted();
  private Sidecar sidecar = unstarted();
  private final HttpClient in =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private volatile String said = "";

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "alices-token");
    boards = new FakeBoards();
    alice = new FakeAgent(_ -> new FakeAgent.Reply(200, answer(said)));
    Path file = dir.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        node: alice-1
        dataDir: data
        startup: { warmUpMessages: 0 }
        inbound: { listen: 127.0.0.1:0, agent: "%s" }
        admin: { listen: 127.0.0.1:0 }
        profiles:
          patient: { extends: overlap, errorMax: 100 }
        routes:
          - name: all
            repair: off
            profile: patient
            lexicon: { coin: on }
            consequential: true
            core: { domain: license, peer: bob }
        lexicon: { timeoutMs: 5000, reportMs: 10 }
        control:
          target: 127.0.0.1:%d
          agent: alice
          keys: ["%s"]
          tokenFile: token
        """
            .formatted(
                alice.settings(LocalAgent.Protocol.AUTO, 1).url().getAuthority(),
                boards.port(),
                Signed.KEY.verifier().format()));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    sidecar = Sidecar.start(result.loaded().orElseThrow(), file);
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasReport);
  }

  @AfterEach
  void end() {
    sidecar.close();
    boards.close();
    alice.close();
    in.close();
  }

  private static String answer(String text) {
    return """
    {"jsonrpc":"2.0","id":"$ID","result":{"message":{"messageId":"a-1","contextId":"ctx-1",\
    "role":"ROLE_AGENT","parts":[{"text":"%s"}],\
    "metadata":{"https://w3id.org/parlance/ext/evidence/v1":\
    {"context":[{"id":"c1","text":"%s."}]}}}}}\
    """
        .formatted(text, FACT);
  }

  /** What the sidecar makes of what alice answers. */
  private String verdict(String answer) throws Exception {
    said = answer;
    HttpResponse<String> response =
        in.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                .header("Content-Type", "application/json")
                .header("A2A-Version", "1.0")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        """
                        {"jsonrpc":"2.0","id":"7","method":"SendMessage","params":{"message":{\
                        "messageId":"m-1","contextId":"ctx-1","role":"ROLE_USER",\
                        "parts":[{"text":"How often?"}]}}}\
                        """))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return response.headers().firstValue("Parlance-Route").orElse("none")
        + " "
        + response.headers().firstValue("Parlance-Reason").orElse("none")
        + " "
        + response.headers().firstValue("ASP-Signal").orElse("none");
  }

  private void core(long version, TermStatus status, String... terms) throws Exception {
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(Signed.push(Signed.core(Signed.ALICE_BOB, version, status, terms)));
    AttachRequest _ = stream.await(told -> told.getAck().getVersion() == version);
  }

  private void board(long revision, String... terms) throws Exception {
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    AttachRequest _ = stream.await(AttachRequest::hasBoardWanted);
    stream.push(Signed.board(revision, 2, 17, terms));
    AttachRequest _ = stream.await(told -> told.getBoardAck().getRevision() == revision);
  }

  private double jointPasses() throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    String metrics =
        in.send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + sidecar.adminPort() + "/metrics"))
                    .header("Authorization", "Bearer " + token)
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    Matcher passes = PASSES.matcher(metrics);
    return passes.find() ? Double.parseDouble(passes.group(1)) : 0;
  }

  /** Says it until it was read in one pass: every time the verdict is the same. */
  private String inOnePass(String answer) throws Exception {
    String first = verdict(answer);
    double before = jointPasses();
    await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          assertThat(verdict(answer)).isEqualTo(first);
          return jointPasses() > before + 2;
        });
    return first;
  }

  @Test
  void bothKindsOfTermsCountAsTheyDoInTwoPasses_andANewCoreOrBoardAtOnce() throws Exception {
    core(1, TermStatus.CERTIFIED, "impeller", "purple");
    String plain = USING.formatted("");
    String refused = USING.formatted(", at no liability");
    assertThat(verdict(plain)).startsWith("regenerate").doesNotContain("term_uncertified");
    board(5, "gardens flourish", "purple mountains", "enthusiasm outweighs", "beneath");
    assertThat(inOnePass(plain)).startsWith("execute");
    assertThat(inOnePass(refused)).startsWith("regenerate").contains("term_uncertified");
    // Of another core or board nothing is left over.
    core(2, TermStatus.REVOKED, "impeller", "purple");
    assertThat(verdict(plain)).doesNotStartWith("execute").contains("term_revoked");
    core(3, TermStatus.CERTIFIED, "impeller", "purple");
    assertThat(inOnePass(plain)).startsWith("execute");
    board(6, "gardens");
    assertThat(verdict(plain)).startsWith("regenerate").doesNotContain("term_");
    assertThat(inOnePass(FACT + " [Chunk c1].")).startsWith("execute");
    assertThat(verdict(refused)).contains("term_uncertified");
  }
}
