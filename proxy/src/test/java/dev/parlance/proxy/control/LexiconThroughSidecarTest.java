package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static dev.parlance.proxy.control.Signed.board;
import static dev.parlance.proxy.control.Signed.term;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.record.BoardRecord.CoinedStatus;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.text.Tokens;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.LexiconGroup;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.RefusedLine;
import dev.parlance.proto.v1.ReviewTermRequest;
import dev.parlance.proto.v1.SignedBoard;
import dev.parlance.proto.v1.TermCoinage;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import io.grpc.Status;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Alice's sidecar, an agent on each side of it, and boards of coined terms over real sockets: what
 * is judged, what reaches the ledger, and who counts.
 */
@ExtendWith(LeakCheck.class)
class LexiconThroughSidecarTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String COIN = "lexicon: { coin: on }";
  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  private static final String GROUNDED = FACT + " [Chunk c1].";

  /** Words of which the evidence knows none. */
  private static final String STRANGE =
      "our friendly specialists generally recommend whatever feels right for everybody concerned,"
          + " because enthusiasm outweighs measurement whenever somebody believes strongly enough"
          + " that gardens flourish beneath purple mountains";

  private static final String COINING = GROUNDED + "\n[PART 2]\nradial play = " + STRANGE;

  /** Of a request nothing is cited. */
  private static final String ASKING =
      "When is the radial play too large?\n[PART 2]\nradial play = how far it moves";

  private static final String BOARD = Signed.BOARD;

  @TempDir Path dir = Path.of("");
  private FakeBoards boards = unstarted();
  private FakeAgent alice = unstarted();
  private FakeAgent bob = unstarted();
  private Sidecar sidecar = unstarted();
  private HttpClient out = unstarted();
  private final HttpClient in =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private volatile Function<FakeAgent.Asked, FakeAgent.Reply> ofAlice = _ -> answer(GROUNDED);
  private volatile Function<FakeAgent.Asked, FakeAgent.Reply> ofBob = _ -> answer(GROUNDED);

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
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

  private void start(String route) throws IOException {
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

  private static int port(FakeAgent agent) {
    return agent.settings(LocalAgent.Protocol.AUTO, 1).url().getPort();
  }

  private static FakeAgent.Reply answer(String text) {
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

  private static String body(String text) {
    return """
    {"jsonrpc":"2.0","id":"7","method":"SendMessage","params":{"message":{\
    "messageId":"m-1","contextId":"ctx-1","role":"ROLE_USER",\
    "parts":[{"text":%s}]}}}\
    """
        .formatted(JSON.writeValueAsString(text));
  }

  private static HttpRequest request(int port, String text, Optional<String> turn) {
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
  private HttpResponse<String> say(String text) throws Exception {
    return out.send(
        request(port(bob), text, Optional.empty()), HttpResponse.BodyHandlers.ofString());
  }

  /** Somebody says something to alice. */
  private HttpResponse<String> hear(String text, Optional<String> turn) throws Exception {
    return in.send(
        request(sidecar.inboundPort().orElseThrow(), text, turn),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> hear(String text) throws Exception {
    return hear(text, Optional.empty());
  }

  private static String route(HttpResponse<String> response) {
    return response.headers().firstValue("Parlance-Route").orElse("none");
  }

  private static String reason(HttpResponse<String> response) {
    return response.headers().firstValue("Parlance-Reason").orElse("none");
  }

  // ---- what is judged ----

  @Test
  void withoutTheRouteKey_everyLineIsJudged_andNobodyIsAsked() throws Exception {
    start("");
    ofAlice = _ -> answer(COINING);
    HttpResponse<String> response = hear("How often?");
    assertThat(route(response)).isEqualTo("regenerate");
    assertThat(boards.coined()).isEmpty();
    assertThat(boards.asked()).isZero();
    assertThat(response.headers().firstValue("Parlance-Turn")).isEmpty();
  }

  @Test
  void aDefinitionThatTheLedgerTakes_isNotMeasured() throws Exception {
    start(COIN);
    ofAlice = _ -> answer(COINING);
    HttpResponse<String> response = hear("How often?");
    assertThat(route(response)).as(response.body()).isEqualTo("execute");
    assertThat(response.body()).contains("radial play = ");
    LexiconTurn turn = boards.coined().getFirst();
    assertThat(turn.getBoard()).isEqualTo(BOARD);
    assertThat(turn.getSpeaker()).isEqualTo("alice");
    assertThat(turn.getChannel()).isEqualTo("public");
    assertThat(turn.getCoinages(0).getTerm()).isEqualTo("radial play");
    assertThat(turn.getCoinages(0).getDefinition()).isEqualTo(STRANGE);
    assertThat(turn.getCoinages(0).getLine()).isEqualTo(2);
    assertThat(turn.getDigest().size()).isEqualTo(32);
  }

  @Test
  void aDefinitionThatTheLedgerRefuses_isJudgedAsText() throws Exception {
    start(COIN);
    boards.refuseLines("not_novel");
    ofAlice = _ -> answer(COINING);
    HttpResponse<String> response = hear("How often?");
    assertThat(route(response)).isEqualTo("regenerate");
    assertThat(boards.coined()).hasSize(1);
    assertThat(response.body()).doesNotContain("radial play = ");
  }

  @Test
  void ofALineThatIsRefused_theOthersAreOnTheLedgerOnlyIfTheMessageGoesOn() throws Exception {
    start(COIN);
    boards.onCoin((turn, out) -> {
      if (turn.getCoinagesCount() == 2) {
        out.onNext(
            CoinResponse.newBuilder()
                .addRefused(RefusedLine.newBuilder().setLine(2).setReason("not_novel"))
                .build());
        out.onCompleted();
      } else {
        boards.accept(turn, out);
      }
    });
    String second = "\noperating hours = " + FACT;
    ofAlice = _ -> answer(COINING + second);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    assertThat(boards.coined()).hasSize(1);
    ofAlice = _ -> answer(GROUNDED + "\n[PART 2]\nradial play = " + FACT + second);
    HttpResponse<String> response = hear("How often?");
    assertThat(route(response)).isEqualTo("execute");
    assertThat(response.body()).contains("\"leftOut\":1");
    assertThat(boards.coined()).hasSize(3);
    assertThat(boards.coined().getLast().getCoinagesList())
        .extracting(TermCoinage::getTerm)
        .containsExactly("operating hours");
  }

  @Test
  void ifNobodyCanBeAsked_nothingIsCoined_andAllIsJudged() throws Exception {
    start(COIN);
    boards.close();
    ofAlice = _ -> answer(COINING);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    ofAlice = _ -> answer(GROUNDED + "\n[PART 2]\nradial play = " + FACT);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
  }

  @Test
  void aTurnOfWhichTheLedgerTakesNoLine_isCountedLikeAnyOther() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "impeller"));
    boards.refuseLines("not_novel");
    ofAlice = _ -> answer(GROUNDED + "\n[PART 2]\nradial play = " + FACT);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    assertThat(boards.coined()).hasSize(1);
    awaiting().until(() -> !boards.reported().isEmpty());
    assertThat(boards.reported().getFirst().getUses(0).getKey()).isEqualTo("impeller");
    assertThat(boards.reported().getFirst().getCoinagesList()).isEmpty();
  }

  @Test
  void anAnswerThatIsSentBackOnceTheLedgerHasRefused_isNoTurn() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "impeller"));
    boards.onCoin((_, out) -> out.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException()));
    ofAlice = _ -> answer(COINING);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    assertThat(boards.coined()).hasSize(1);
    ofAlice = _ -> answer(GROUNDED);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    // Turns are reported in their order.
    awaiting().until(() -> !boards.reported().isEmpty());
    assertThat(boards.reported().getFirst().getTokens()).isEqualTo(Tokens.of(GROUNDED).size());
  }

  @Test
  void aMessageThatIsSentBack_coinsNothing() throws Exception {
    start(COIN);
    ofAlice = _ -> answer("Radial play: " + STRANGE + "\n[PART 2]\nradial play = how far it moves");
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void aTurnThatIsNothingButCoinage_isEmpty() throws Exception {
    start(COIN);
    ofAlice = _ -> answer("CHALLENGE radial play: " + STRANGE);
    assertThat(reason(hear("How often?"))).doesNotContain("empty_answer");
    ofAlice = _ -> answer("[PART 2]");
    assertThat(reason(hear("How often?"))).contains("empty_answer");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void moreThanEightLines_areText() throws Exception {
    start(COIN);
    StringBuilder text = new StringBuilder("alfa bravo charlie delta echo foxtrot golf hotel");
    text.append(" india juliett ").append(GROUNDED).append("\n[PART 2]");
    for (String term :
        List.of("alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india")) {
      text.append('\n').append(term).append(" = ").append(FACT);
    }
    ofAlice = _ -> answer(text.toString());
    HttpResponse<String> _ = hear("How often?");
    assertThat(boards.coined()).hasSizeLessThanOrEqualTo(1);
    boards.coined().forEach(turn -> assertThat(turn.getCoinagesCount()).isEqualTo(8));
  }

  // ---- who counts ----

  @Test
  void aRequestIsCoinedByTheSidecarOfItsReceiver_inTheNameThatTheSendersSays() throws Exception {
    start(COIN);
    HttpResponse<String> response = hear(ASKING, Optional.of(BOARD + ";n=41;w=0;a=bob"));
    assertThat(route(response)).isEqualTo("execute");
    LexiconTurn turn = boards.coined().getFirst();
    assertThat(turn.getSpeaker()).isEqualTo("bob");
    assertThat(turn.getNumber()).isEqualTo(41);
    assertThat(alice.questions().getFirst().fields().getFirst("Parlance-Turn")).isNull();
    String field = response.headers().firstValue("Parlance-Turn").orElseThrow();
    assertThat(field).startsWith(BOARD + ";n=42;w=").endsWith(";a=alice");
  }

  @Test
  void whatAliceAnswersToAnAgentWithASidecar_isLeftToThatOne() throws Exception {
    start(COIN);
    ofAlice = _ -> answer(COINING);
    HttpResponse<String> response = hear("How often?", Optional.of(BOARD + ";n=1;w=0;a=bob"));
    assertThat(route(response)).isEqualTo("execute");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void aRequestOfNobodyKnown_isNoTurn() throws Exception {
    start(COIN);
    assertThat(route(hear(ASKING))).isEqualTo("execute");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void whatBobAnswers_isCoinedByAlicesSidecar() throws Exception {
    start(COIN);
    ofBob = _ -> answer(COINING);
    HttpResponse<String> response = say("How often?");
    assertThat(route(response)).isEqualTo("execute");
    assertThat(response.headers().firstValue("Parlance-Turn")).isEmpty();
    LexiconTurn turn = boards.coined().getFirst();
    assertThat(turn.getSpeaker()).isEqualTo("bob");
    // How the board stands was not asked before: nothing waits for it without need.
    assertThat(bob.questions().getFirst().fields().getFirst("Parlance-Turn"))
        .startsWith(BOARD + ";n=1;a=alice");
  }

  @Test
  void aRequestToAnAgentWithoutSidecar_isCoinedOnceItIsAnswered() throws Exception {
    start(COIN);
    HttpResponse<String> _ = say(ASKING);
    awaiting().until(() -> !boards.coined().isEmpty());
    assertThat(boards.coined().getFirst().getSpeaker()).isEqualTo("alice");
    // Now it is known that nobody counts there: coinage waits for the ledger.
    boards.hang();
    boards.coined().clear();
    HttpResponse<String> _ = say(ASKING.replace("radial play = ", "too large = "));
    assertThat(boards.coined()).hasSize(1);
    assertThat(bob.questions()).hasSize(2);
  }

  @Test
  void aPeerThatOnlySaysThatItCounts_isSentNothingThatNobodyHasJudged() throws Exception {
    start(COIN);
    ofBob =
        _ ->
            new FakeAgent.Reply(
                200, answer(GROUNDED).body(), Map.of("Parlance-Turn", BOARD + ";n=1;w=0;a=bob"));
    HttpResponse<String> _ = say("How often?");
    HttpResponse<String> _ = say(ASKING);
    assertThat(bob.questions()).hasSize(2);
    assertThat(bob.questions().get(1).body().toString())
        .contains("asp/v1")
        .doesNotContain("leftOut");
    // Once it does not say so any more, the lines go to the ledger first, and are left out.
    ofBob = _ -> answer(GROUNDED);
    HttpResponse<String> _ = say("How often?");
    HttpResponse<String> _ = say(ASKING.replace("radial play = ", "too large = "));
    assertThat(bob.questions().get(3).body().toString()).contains("\"leftOut\":1");
  }

  @Test
  void anAgentCannotSayThatItsRequestIsATurn() throws Exception {
    start(COIN);
    HttpResponse<String> _ =
        out.send(
            request(port(bob), "Hello.", Optional.of(BOARD + ";n=7;w=0;a=carol")),
            HttpResponse.BodyHandlers.ofString());
    assertThat(bob.questions().getFirst().fields().getFirst("Parlance-Turn"))
        .isEqualTo(BOARD + ";n=1;a=alice");
  }

  // ---- what nobody hears ----

  /** Alice is asked something by a caller who leaves while the ledger is. */
  private void leaveDuringCoin(String text, Optional<String> turn) throws Exception {
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

  @Test
  void anAnswerWhoseCallerLeavesWhileTheLedgerIsAsked_isTakenBack_andCountsIfItIsSaidAgain()
      throws Exception {
    start(COIN);
    ofAlice = _ -> answer(COINING);
    boards.failReports(2);
    leaveDuringCoin("How often?", Optional.empty());
    awaiting().until(() -> !boards.retracted().isEmpty());
    LexiconTurn turn = boards.retracted().getFirst();
    assertThat(turn.getDigest()).isEqualTo(boards.coined().getFirst().getDigest());
    boards.onCoin(boards::accept);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    assertThat(boards.coined()).hasSize(2);
    assertThat(boards.coined().getLast().getDigest()).isEqualTo(turn.getDigest());
    assertThat(boards.retracted()).hasSize(1);
  }

  @Test
  void aRequestWhoseCallerLeavesWhileTheLedgerIsAsked_isTakenBack() throws Exception {
    start(COIN);
    leaveDuringCoin(ASKING, Optional.of(BOARD + ";n=41;w=0;a=bob"));
    awaiting().until(() -> !boards.retracted().isEmpty());
    assertThat(boards.retracted().getFirst().getSpeaker()).isEqualTo("bob");
    assertThat(boards.coined()).hasSize(1);
    assertThat(alice.questions()).isEmpty();
  }

  @Test
  void ifTheLedgerGoesAwayWhileItIsAsked_allIsJudged() throws Exception {
    start(COIN);
    ofAlice = _ -> answer(COINING);
    boards.hang();
    CompletableFuture<HttpResponse<String>> asked =
        in.sendAsync(
            request(sidecar.inboundPort().orElseThrow(), "How often?", Optional.empty()),
            HttpResponse.BodyHandlers.ofString());
    awaiting().until(() -> !boards.coined().isEmpty());
    boards.close();
    // The definition is judged as the text that it is.
    assertThat(route(asked.get(60, TimeUnit.SECONDS))).isEqualTo("regenerate");
  }

  @Test
  void aRequestThatDoesNotReachItsAgent_isTakenBack() throws Exception {
    start(COIN);
    alice.close();
    assertThat(hear(ASKING, Optional.of(BOARD + ";n=41;w=0;a=bob")).body()).contains("\"error\"");
    awaiting().until(() -> !boards.retracted().isEmpty());
    assertThat(boards.retracted().getFirst().getSpeaker()).isEqualTo("bob");
  }

  @Test
  void anAnswerThatIsSentBackAlthoughTheLedgerHasALineOfIt_isTakenBack() throws Exception {
    start(COIN);
    // Somebody was faster with the one term, between the check and the ledger.
    boards.onCoin((_, reply) -> {
      reply.onNext(
          CoinResponse.newBuilder()
              .addAccepted(3)
              .addRefused(RefusedLine.newBuilder().setLine(2).setReason("not_novel"))
              .build());
      reply.onCompleted();
    });
    ofAlice = _ -> answer(COINING + "\noperating hours = " + FACT);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    awaiting().until(() -> !boards.retracted().isEmpty());
    assertThat(boards.coined()).hasSize(1);
    assertThat(boards.reported()).isEmpty();
  }

  // ---- said again ----

  @Test
  void whatIsSaidAgain_isJudgedAsItWas_andCoinsNothingMore() throws Exception {
    start(COIN);
    ofAlice = _ -> answer(COINING);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    boards.put(board(5, 1, 17, "radial play"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1).push(board(5, 1, 17, "radial play"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardAck);
    HttpResponse<String> again = hear("How often?");
    assertThat(route(again)).isEqualTo("execute");
    assertThat(again.body()).contains("\"leftOut\":1");
    assertThat(boards.coined()).hasSize(1);
  }

  @Test
  void whatHadNothingToContestWhenItWasSaid_contestsNothingWhenItIsSaidAgain() throws Exception {
    start(COIN);
    ofAlice = _ -> answer(GROUNDED + "\nCHALLENGE radial play: " + FACT);
    assertThat(route(hear("How often?"))).isNotEqualTo("regenerate");
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1).push(board(5, 2, 17, "radial play"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardAck);
    HttpResponse<String> again = hear("How often?");
    assertThat(route(again)).isNotEqualTo("regenerate");
    assertThat(again.body()).doesNotContain("leftOut");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void aTurnThatWasSaidBeforeItsBoard_isNotReadWithIt() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> _ =
        hear("Is the radial play all right?", Optional.of(BOARD + ";n=3;w=0;a=bob"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1).push(board(5, 2, 17, "radial play"));
    awaiting().until(() -> !boards.reported().isEmpty());
    assertThat(boards.reported().getFirst().getUsesList()).isEmpty();
    assertThat(boards.reported().getFirst().getAfter()).isZero();
  }

  // ---- boards ----

  @Test
  void aReceiverWithAnOlderBoardThanTheSender_asksForTheNewerOneBeforeItReads() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> _ =
        hear("Is the radial play all right?", Optional.of(BOARD + ";n=3;w=2;a=bob"));
    awaiting().until(() -> !boards.reported().isEmpty());
    LexiconTurn turn = boards.reported().getFirst();
    assertThat(turn.getAfter()).isEqualTo(2);
    assertThat(turn.getNumber()).isEqualTo(3);
    assertThat(turn.getSpeaker()).isEqualTo("bob");
    assertThat(turn.getChannel()).isEqualTo("faction:crew");
    assertThat(turn.getUses(0).getKey()).isEqualTo("radial play");
    assertThat(boards.asked()).isEqualTo(1);
  }

  @Test
  void aTurnWithoutCoinageNeverWaits_andIsCountedAllTheSame() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> response = hear("How often?");
    assertThat(response.headers().firstValue("Parlance-Turn")).hasValue(BOARD + ";n=1;a=alice");
    awaiting().until(() -> !boards.reported().isEmpty());
    LexiconTurn turn = boards.reported().getFirst();
    assertThat(turn.getSpeaker()).isEqualTo("alice");
    assertThat(turn.getUses(0).getKey()).isEqualTo("radial play");
    assertThat(turn.getAfter()).isEqualTo(2);
  }

  @Test
  void aTurnThatOnlyChallenges_isEmpty() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "radial play"));
    ofAlice = _ -> answer("CHALLENGE radial play: " + STRANGE);
    HttpResponse<String> response = hear("How often?");
    assertThat(reason(response)).contains("empty_answer");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void aChallengeOfAKnownTerm_isNotMeasured() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "radial play"));
    ofAlice = _ -> answer(GROUNDED + "\nCHALLENGE radial play: " + STRANGE);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    assertThat(boards.coined().getFirst().getDirectives(0).getRequest()).isEqualTo("challenge");
    ofAlice = _ -> answer(GROUNDED + "\nCHALLENGE axial play: " + STRANGE);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
  }

  @Test
  void whatNobodyTakesInTime_isReportedAgain() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "radial play"));
    boards.failReports(2);
    HttpResponse<String> _ = hear("How often?");
    awaiting().until(() -> boards.reported().size() == 1);
    assertThat(boards.reported().getFirst().getUses(0).getKey()).isEqualTo("radial play");
  }

  @Test
  void aBoardWithAForeignSignature_isNoBoard() throws Exception {
    start(COIN);
    SignedBoard good = board(5, 2, 17, "radial play");
    boards.put(
        good.toBuilder()
            .setNote(
                ByteString.copyFromUtf8(
                    good.getNote().toStringUtf8().replace("radial play", "axial play")))
            .build());
    ofAlice = _ -> answer(GROUNDED + "\nCHALLENGE axial play: " + STRANGE);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    assertThat(boards.coined()).isEmpty();
  }

  @Test
  void boardsThatAreUnderWay_arePushed_andAcknowledged() throws Exception {
    start(COIN);
    HttpResponse<String> _ = hear("How often?");
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    AttachRequest wanted = stream.await(AttachRequest::hasBoardWanted);
    assertThat(wanted.getBoardWanted().getBoard()).isEqualTo(BOARD);
    stream.push(board(5, 2, 17, "radial play"));
    assertThat(stream.await(AttachRequest::hasBoardAck).getBoardAck().getRevision()).isEqualTo(5);
    // An older one is taken note of, and the newer stays in force.
    stream.push(board(4, 1, 12));
    ofAlice = _ -> answer(GROUNDED + "\nCHALLENGE radial play: " + STRANGE);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    assertThat(boards.coined().getFirst().getAfter()).isEqualTo(2);
    assertThat(boards.coined().getFirst().getNumber()).isGreaterThan(17);
  }

  @Test
  void aPushThatNobodySigned_isRefused() throws Exception {
    start(COIN);
    HttpResponse<String> _ = hear("How often?");
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    AttachRequest _ = stream.await(AttachRequest::hasBoardWanted);
    SignedBoard good = board(5, 2, 17, "radial play");
    stream.push(
        good.toBuilder()
            .setNote(
                ByteString.copyFromUtf8(
                    good.getNote().toStringUtf8().replace("radial play", "axial play")))
            .build());
    AttachRequest nack = stream.await(AttachRequest::hasBoardNack);
    assertThat(nack.getBoardNack().getReason()).isEqualTo("foreign_signature");
  }

  @Test
  void aNewStream_asksForEveryBoardAgain() throws Exception {
    start(COIN);
    HttpResponse<String> _ = hear("How often?");
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1).end();
    AttachRequest wanted = boards.plane().stream(2).await(AttachRequest::hasBoardWanted);
    assertThat(wanted.getBoardWanted().getBoard()).isEqualTo(BOARD);
  }

  @Test
  void whatIsSaidBetweenMembersOfAGroup_isTheirs_fromTheFirstTermOn() throws Exception {
    boards
        .plane()
        .greet(stream ->
            stream.welcome(
                LexiconGroup.newBuilder().setName("crew").addMembers("alice").addMembers("bob")));
    start(COIN);
    ofBob = _ -> answer(COINING);
    assertThat(route(say("How often?"))).isEqualTo("execute");
    assertThat(boards.coined().getFirst().getChannel()).isEqualTo("faction:crew");
  }

  // ---- reviewed ----

  /** A board with one term of alice's that waits, or was decided on. */
  private static SignedBoard reviewed(long revision, CoinedStatus status) {
    return board(
        revision,
        1,
        17,
        LexiconEntry.Share.REVIEWED,
        List.of(term("radial play", status, Optional.empty(), false)));
  }

  private JsonNode held() throws Exception {
    return JSON.readTree(admin("GET", "/review?state=pending", "").body()).path("items");
  }

  private HttpResponse<String> admin(String method, String path, String body) throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    return in.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.adminPort() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> decide(String id, String verb) throws Exception {
    return admin("POST", "/review/" + id + "/" + verb, "{\"who\":\"ada\",\"note\":\"read\"}");
  }

  private static String state(HttpResponse<String> item) {
    return JSON.readTree(item.body()).path("state").asString("");
  }

  private String coinReviewed() throws Exception {
    start(COIN);
    boards.put(reviewed(5, CoinedStatus.WAITING));
    ofAlice = _ -> answer(COINING);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    awaiting().until(() -> held().size() == 1);
    JsonNode item = held().get(0);
    assertThat(item.path("question").asString("")).isEqualTo("radial play");
    assertThat(item.path("answer").asString("")).isEqualTo(STRANGE);
    assertThat(item.path("flow").asString("")).isEqualTo(BOARD);
    return item.path("id").asString("");
  }

  @Test
  void aTermThatWaits_isInTheReviewQueue_andReleasedThereOnceTheLedgerHasIt() throws Exception {
    String id = coinReviewed();
    boards.failReports(1);
    assertThat(decide(id, "release").statusCode()).isEqualTo(503);
    assertThat(held()).hasSize(1);
    HttpResponse<String> released = decide(id, "release");
    assertThat(state(released)).isEqualTo("delivered");
    assertThat(boards.reviewed())
        .singleElement()
        .matches(one -> one.getShare() && one.getTerm().getKey().equals("radial play"));
    assertThat(decide(id, "reject").statusCode()).isEqualTo(409);
    assertThat(boards.reviewed()).hasSize(1);
  }

  @Test
  void aTermThatIsRejected_isRetired() throws Exception {
    String id = coinReviewed();
    assertThat(state(decide(id, "reject"))).isEqualTo("rejected");
    assertThat(boards.reviewed()).singleElement().matches(one -> !one.getShare());
  }

  @Test
  void whatSomebodyElseHasDecided_isSettledAsTheLedgerSays() throws Exception {
    String id = coinReviewed();
    boards.onReview(_ -> false);
    assertThat(decide(id, "release").statusCode()).isEqualTo(409);
    awaiting().until(() -> state(admin("GET", "/review/" + id, "")).equals("rejected"));
    // A second term, which the board itself says is shared.
    boards.onReview(ReviewTermRequest::getShare);
    ofAlice = _ -> answer(COINING + ".");
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    awaiting().until(() -> held().size() == 1);
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    push(reviewed(6, CoinedStatus.ACTIVE));
    awaiting().until(() -> held().isEmpty());
    assertThat(boards.reviewed()).hasSize(1);
  }

  @Test
  void aTermOfATurnThatNobodyHeard_waitsForNobody() throws Exception {
    start(COIN);
    boards.put(reviewed(5, CoinedStatus.WAITING));
    ofAlice = _ -> answer(COINING);
    leaveDuringCoin("How often?", Optional.empty());
    awaiting().until(() -> !boards.retracted().isEmpty());
    awaiting().until(() -> held().isEmpty());
  }

  // ---- in metadata, in streams ----

  private static FakeAgent.Reply coiningInMetadata(String text) {
    FakeAgent.Reply plain = answer(text);
    return new FakeAgent.Reply(
        200,
        plain
            .body()
            .replace(
                "\"metadata\":{",
                "\"metadata\":{\"https://w3id.org/parlance/ext/lexicon/v1\":{\"coin\":[{\"term\":"
                    + "\"radial play\",\"definition\":\""
                    + STRANGE
                    + "\"}]},"));
  }

  @Test
  void aTermMayBeCoinedInMetadata() throws Exception {
    start(COIN);
    ofAlice = _ -> coiningInMetadata(GROUNDED);
    HttpResponse<String> response = hear("How often?");
    assertThat(route(response)).as(response.body()).isEqualTo("execute");
    assertThat(boards.coined().getFirst().getCoinages(0).getDefinition()).isEqualTo(STRANGE);
    assertThat(response.body()).contains("\"leftOut\":1");
    boards.refuseLines("not_novel");
    ofAlice = _ -> coiningInMetadata(GROUNDED + " " + GROUNDED);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
  }

  @Test
  void aStreamedAnswerIsJudgedWhole_andItsTermsAreCoinedWhenItHasEnded() throws Exception {
    start(COIN);
    String coining = GROUNDED + "\n[PART 2]\nradial play = " + FACT;
    ofAlice = _ -> new FakeAgent.Reply(200, "data: " + answer(coining).body() + "\n\n");
    HttpResponse<String> response =
        in.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                .header("Content-Type", "application/json")
                .header("A2A-Version", "1.0")
                .timeout(Duration.ofSeconds(60))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        """
                        {"jsonrpc":"2.0","id":"7","method":"SendStreamingMessage","params":{"message":{\
                        "messageId":"m-1","contextId":"ctx-1","role":"ROLE_USER",\
                        "parts":[{"text":"How often?"}]}}}\
                        """))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.body()).contains("radial play");
    awaiting().until(() -> !boards.coined().isEmpty());
    assertThat(boards.coined().getFirst().getCoinages(0).getTerm()).isEqualTo("radial play");
    assertThat(boards.coined().getFirst().getSpeaker()).isEqualTo("alice");
  }

  // ---- what is shown ----

  @Test
  void theAgentIsShownTheTermsThatItMayKnow() throws Exception {
    start("lexicon: { coin: on, inject: both }");
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> _ = hear("How often?");
    String body = alice.questions().getFirst().body().toString();
    assertThat(body).contains("[KNOWN_TERMS]", "- radial play = how far it moves (by bob, used 0)");
    assertThat(scrape()).containsPattern("parlance_lexicon_injected_tokens_total [1-9]");
    assertThat(boards.reported().stream().map(LexiconTurn::getTokens)).allMatch(one -> one < 25);
  }

  @Test
  void withoutABoardNothingIsShown_andNothingIsShownWhereTheRouteDoesNotAskForIt()
      throws Exception {
    start("lexicon: { coin: on }");
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getFirst().body().toString()).doesNotContain("KNOWN_TERMS");
  }

  @Test
  void aNewTermStandsInTheNextPrompt() throws Exception {
    start("lexicon: { coin: on, inject: part }");
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getFirst().body().toString()).doesNotContain("KNOWN_TERMS");
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(board(5, 2, 17, "radial play"));
    AttachRequest _ = stream.await(AttachRequest::hasBoardAck);
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getLast().body().toString()).contains("- radial play = ");
  }

  // ---- what weighs ----

  private static final String CONSEQUENTIAL =
      "lexicon: { coin: on, inject: part }\n    consequential: true\n"
          + "    core: { domain: license, peer: bob }\n";

  private void push(SignedBoard board) throws Exception {
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(board);
    AttachRequest _ = stream.await(said -> said.getBoardAck().getRevision() == board.getRevision());
  }

  private void push(long version, TermStatus status, String... terms) throws Exception {
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(Signed.push(Signed.core(Signed.ALICE_BOB, version, status, terms)));
    AttachRequest _ = stream.await(said -> said.getAck().getVersion() == version);
  }

  @Test
  void aTermOfABoardThatIsInAPlan_weighsNothingUntilItsMeaningIsCertified() throws Exception {
    start(CONSEQUENTIAL);
    push(1, TermStatus.CERTIFIED, "impeller");
    ofAlice = _ -> answer(FACT + ", as radial play [Chunk c1].");
    boards.put(board(5, 2, 17, "radial play"));
    // On the board it is a word like any other.
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    push(board(6, 2, 17, Optional.of("license"), false, "radial play"));
    HttpResponse<String> promoted = hear("How often?");
    assertThat(route(promoted)).isEqualTo("regenerate");
    assertThat(reason(promoted)).contains("term_uncertified");
    // What another domain audits is none of this route's.
    push(board(7, 2, 17, Optional.of("medicine"), false, "radial play"));
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    push(board(8, 2, 17, Optional.of("license"), false, "radial play"));
    push(2, TermStatus.CERTIFIED, "impeller", "radial play");
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    // Shown it is all the same: the core has it from this board.
    assertThat(alice.questions().getLast().body().toString()).contains("- radial play = ");
    push(board(9, 3, 18, Optional.of("license"), true, "radial play"));
    assertThat(reason(hear("How often?"))).contains("term_uncertified");
    push(board(10, 3, 18, Optional.of("license"), false, "radial play"));
    assertThat(route(hear("How often?"))).isEqualTo("execute");
  }

  @Test
  void aTermThatOneBoardHasPutIntoAPlan_weighsNothingInAnyOtherConversationEither()
      throws Exception {
    start(CONSEQUENTIAL);
    push(1, TermStatus.CERTIFIED, "impeller");
    boards.put(board(5, 2, 17, "radial play"));
    HttpResponse<String> _ = hear("How often?");
    push(board(6, 2, 17, Optional.of("license"), false, "radial play"));
    ofAlice =
        _ ->
            new FakeAgent.Reply(
                200,
                answer(FACT + ", as radial play [Chunk c1].").body().replace("ctx-1", "ctx-2"));
    assertThat(reason(hear("How often?"))).contains("term_uncertified");
    push(2, TermStatus.CERTIFIED, "impeller", "radial play");
    assertThat(reason(hear("How often?"))).doesNotContain("term_uncertified");
  }

  @Test
  void aCertifiedTermIsOfferedInPlaceOfOneThatIsNot() throws Exception {
    start(CONSEQUENTIAL);
    CertifiedCore core = Signed.core(1, "impeller", "radial play");
    List<GovernedTerm> terms =
        core.terms().stream()
            .map(term ->
                term.key().equals("liability")
                    ? new GovernedTerm(term.key(), term.status(), Optional.of("radial play"))
                    : term)
            .toList();
    FakeControlPlane.Attached stream = boards.plane().stream(1);
    stream.push(
        Signed.push(
            new CertifiedCore(
                core.agents(),
                core.domain(),
                core.version(),
                core.issuedAtMs(),
                core.params(),
                terms,
                core.ledgerSize())));
    AttachRequest _ = stream.await(said -> said.getAck().getVersion() == 1);
    boards.put(board(5, 2, 17, Optional.of("license"), false, "radial play"));
    ofAlice = _ -> answer(FACT + ", at no liability [Chunk c1].");
    HttpResponse<String> refused = hear("How often?");
    assertThat(reason(refused)).contains("term_uncertified");
    assertThat(refused.body()).contains("use \\\"radial play\\\" instead of \\\"liability\\\"");
    ofAlice = _ -> answer(FACT + ", as radial play [Chunk c1].");
    assertThat(route(hear("How often?"))).isEqualTo("execute");
  }

  @Test
  void theFirstMessageOfAConversation_isHeldAgainstItsBoardToo() throws Exception {
    start(
        CONSEQUENTIAL.replace("coin: on, inject: part", "inject: off")
            + "    match: { pathPrefix: /a2a }\n  - name: other\n    lexicon: { coin: on }\n");
    push(1, TermStatus.CERTIFIED, "impeller");
    boards.put(board(6, 2, 17, Optional.of("license"), false, "radial play"));
    ofAlice = _ -> answer(FACT + ", as radial play [Chunk c1].");
    HttpResponse<String> response = hear("How often?");
    assertThat(reason(response)).contains("term_uncertified");
    assertThat(boards.coined()).isEmpty();
    assertThat(response.headers().firstValue("Parlance-Turn")).isEmpty();
  }

  @Test
  void aTermThatACoreGoverns_isNotShownInAnotherMeaning_onWhateverRouteItWasCoined()
      throws Exception {
    start(
        "lexicon: { coin: on, inject: part }\n    match: { pathPrefix: /a2a }\n"
            + "  - name: other\n    core: { domain: license, peer: bob }\n");
    boards.put(board(5, 2, 17, "radial play", "open gap"));
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getLast().body().toString()).contains("- radial play = ");
    push(1, TermStatus.CERTIFIED, "radial play");
    HttpResponse<String> _ = hear("How often?");
    assertThat(alice.questions().getLast().body().toString())
        .contains("- open gap = ")
        .doesNotContain("- radial play");
  }

  // ---- what is counted and written down ----

  private String scrape() throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    return in.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.adminPort() + "/metrics"))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void verdictLogAndMetricsSayWhatCameOfIt() throws Exception {
    start(COIN);
    boards.put(board(5, 2, 17, "impeller"));
    ofAlice = _ -> answer(COINING);
    HttpResponse<String> response = hear("How often?");
    assertThat(response.body()).contains("\"leftOut\":1");
    boards.refuseLines("not_novel");
    ofAlice = _ -> answer(COINING + ".");
    HttpResponse<String> refused = hear("How often?");
    assertThat(refused.body()).doesNotContain("leftOut");
    awaiting()
        .until(
            () -> scrape().contains("parlance_lexicon_rejected_total{reason=\"not_novel\"} 1.0"));
    assertThat(scrape()).contains("parlance_lexicon_reuse_total{channel=\"public\"} 1.0");
    awaiting()
        .untilAsserted(() ->
            assertThat(Files.readString(dir.resolve("data/decisions.jsonl")))
                .contains(
                    "\"lexicon\":{\"board\":\"" + BOARD + "\",\"lines\":1,\"counted\":1,",
                    "\"lines\":1,\"counted\":0,\"result\":\"not_novel\"}"));
  }

  // ---- terms in use ----

  private static final String USING =
      FACT + ", gardens flourish beneath purple mountains, enthusiasm outweighs. [Chunk c1]";

  private static String signal(HttpResponse<String> response) {
    return response.headers().firstValue("ASP-Signal").orElse("none");
  }

  @Test
  void aTermOfTheBoardIsNoNovelWord() throws Exception {
    start(COIN + "\n    profile: overlap");
    ofAlice = _ -> answer(USING);
    assertThat(route(hear("How often?"))).isEqualTo("regenerate");
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1)
        .push(
            board(
                5,
                2,
                17,
                "gardens flourish",
                "purple mountains",
                "enthusiasm outweighs",
                "beneath"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardAck);
    assertThat(route(hear("How often?"))).isEqualTo("execute");
    // Half a term is none.
    ofAlice = _ -> answer(USING.replace("purple mountains", "mountains, purple, enthusiasm"));
    assertThat(route(hear("How often?"))).isNotEqualTo("execute");
  }

  @Test
  void underThePapersProfile_itIsNovelAsItWas() throws Exception {
    start(COIN + "\n    profile: asp-paper");
    ofAlice = _ -> answer(USING);
    String before = signal(hear("How often?"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1).push(board(5, 2, 17, "gardens flourish", "purple mountains"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardAck);
    assertThat(signal(hear("How often?"))).isEqualTo(before).isNotEqualTo("none");
  }

  @Test
  void aNumberIsNotSupportedBecauseSomebodyHasCoinedIt() throws Exception {
    start(COIN);
    ofAlice = _ -> answer(FACT + ", in all 77 cases. [Chunk c1]");
    HttpResponse<String> _ = hear("How often?");
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardWanted);
    boards.plane().stream(1).push(board(5, 2, 17, "77 cases", "77"));
    AttachRequest _ = boards.plane().stream(1).await(AttachRequest::hasBoardAck);
    assertThat(reason(hear("How often?"))).contains("number_unsupported");
  }
}
