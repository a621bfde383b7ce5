package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static dev.parlance.proxy.control.Signed.board;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Alice's sidecar, an agent on each side of it, and boards of coined terms, over real sockets: what
 * the tests of coined terms begin with.
 */
@ExtendWith(LeakCheck.class)
abstract class LexiconScene {
  static final JsonMapper JSON = JsonMapper.shared();
  static final String COIN = "lexicon: { coin: on }";
  static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  static final String GROUNDED = FACT + " [Chunk c1].";

  /** Words of which the evidence knows none. */
  static final String STRANGE =
      "our friendly specialists generally recommend whatever feels right for everybody concerned,"
          + " because enthusiasm outweighs measurement whenever somebody believes strongly enough"
          + " that gardens flourish beneath purple mountains";

  static final String COINING = GROUNDED + "\n[PART 2]\nradial play = " + STRANGE;

  /** Of a request nothing is cited. */
  static final String ASKING =
      "When is the radial play too large?\n[PART 2]\nradial play = how far it moves";

  static final String BOARD = Signed.BOARD;

  @TempDir Path dir = Path.of("");
  FakeBoards boards = unstarted();
  FakeAgent alice = unstarted();
  FakeAgent bob = unstarted();
  Sidecar sidecar = unstarted();
  HttpClient out = unstarted();
  final HttpClient in = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  volatile Function<FakeAgent.Asked, FakeAgent.Reply> ofAlice = _ -> answer(GROUNDED);
  volatile Function<FakeAgent.Asked, FakeAgent.Reply> ofBob = _ -> answer(GROUNDED);

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "alices-token");
    boards = new FakeBoards();
    alice = new FakeAgent(asked -> ofAlice.apply(asked));
    bob = new FakeAgent(asked -> ofBob.apply(asked));
  }

  @AfterEach
  void end() {
    sidecar.close();
    boards.close();
    alice.close();
    bob.close();
    out.close();
    in.close();
  }

  void start(String route) throws IOException {
    Path file = dir.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        node: alice-1
        dataDir: data
        startup: { warmUpMessages: 0 }
        inbound: { listen: 127.0.0.1:0, agent: "127.0.0.1:%d" }
        outbound: { listen: 127.0.0.1:0, allowLoopback: true }
        admin: { listen: 127.0.0.1:0 }
        routes:
          - name: all
            repair: off
            %s
        lexicon: { timeoutMs: 5000, reportMs: 10 }
        control:
          target: 127.0.0.1:%d
          agent: alice
          keys: ["%s"]
          tokenFile: token
          peers: [{ agent: bob, hosts: ["127.0.0.1:%d"] }]
        """
            .formatted(
                port(alice), route, boards.port(), Signed.KEY.verifier().format(), port(bob)));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    sidecar = Sidecar.start(result.loaded().orElseThrow(), file);
    // Coined is nothing before the factions are known.
    boards.plane().stream(1).await(said -> said.hasReport());
    out =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), sidecar.outboundPort().orElseThrow())))
            .build();
  }

  static int port(FakeAgent agent) {
    return agent.settings(LocalAgent.Protocol.AUTO, 1).url().getPort();
  }

  static FakeAgent.Reply answer(String text) {
    Map<String, Object> evidence =
        Map.of("context", List.of(Map.of("id", "c1", "text", FACT + ".")));
    return new FakeAgent.Reply(
        200,
        """
        {"jsonrpc":"2.0","id":"$ID","result":{"message":{"messageId":"a-1","contextId":"ctx-1",\
        "role":"ROLE_AGENT","parts":[{"text":%s}],\
        "metadata":{"https://w3id.org/parlance/ext/evidence/v1":%s}}}}\
        """
            .formatted(
                JSON.writeValueAsString(text),
                new String(JSON.writeValueAsBytes(evidence), StandardCharsets.UTF_8)));
  }

  static String body(String text) {
    return """
    {"jsonrpc":"2.0","id":"7","method":"SendMessage","params":{"message":{\
    "messageId":"m-1","contextId":"ctx-1","role":"ROLE_USER",\
    "parts":[{"text":%s}]}}}\
    """
        .formatted(JSON.writeValueAsString(text));
  }

  static HttpRequest request(int port, String text, Optional<String> turn) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .timeout(Duration.ofSeconds(60))
            .POST(HttpRequest.BodyPublishers.ofString(body(text)));
    turn.ifPresent(value -> request.header("Parlance-Turn", value));
    return request.build();
  }

  /** Alice says something to bob. */
  HttpResponse<String> say(String text) throws Exception {
    return out.send(
        request(port(bob), text, Optional.empty()), HttpResponse.BodyHandlers.ofString());
  }

  /** Somebody says something to alice. */
  HttpResponse<String> hear(String text, Optional<String> turn) throws Exception {
    return in.send(
        request(sidecar.inboundPort().orElseThrow(), text, turn),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> hear(String text) throws Exception {
    return hear(text, Optional.empty());
  }

  static String route(HttpResponse<String> response) {
    return response.headers().firstValue("Parlance-Route").orElse("none");
  }

  static String reason(HttpResponse<String> response) {
    return response.headers().firstValue("Parlance-Reason").orElse("none");
  }

  String scrape() throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    return in.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.adminPort() + "/metrics"))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  void push(SignedBoard board) throws Exception {
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(board);
    AttachRequest _ = stream.await(said -> said.getBoardAck().getRevision() == board.getRevision());
  }

  /** Alice is asked something by a caller who leaves while the ledger is. */
  void leaveDuringCoin(String text, Optional<String> turn) throws Exception {
    Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    boards.onCoin((coined, reply) -> answers.add(() -> boards.accept(coined, reply)));
    try (Socket caller =
        new Socket(InetAddress.getLoopbackAddress(), sidecar.inboundPort().orElseThrow())) {
      byte[] body = body(text).getBytes(StandardCharsets.UTF_8);
      String head =
          "POST /a2a HTTP/1.1\r\nHost: alice\r\nContent-Type: application/json\r\n"
              + "A2A-Version: 1.0\r\nContent-Length: %d\r\n%s\r\n"
                  .formatted(
                      body.length, turn.map(one -> "Parlance-Turn: " + one + "\r\n").orElse(""));
      caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      caller.getOutputStream().write(body);
      awaiting().until(() -> !answers.isEmpty());
    }
    awaiting()
        .until(() -> scrape().contains("parlance_connections_active{direction=\"inbound\"} 0"));
    answers.remove().run();
  }
}
