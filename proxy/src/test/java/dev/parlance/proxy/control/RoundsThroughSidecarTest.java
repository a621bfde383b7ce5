package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import dev.parlance.wire.api.RoundMark;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Alice's sidecar, an agent on each side of it, and rounds over real sockets: what alice proposes,
 * what she and others claim, and what passes.
 */
@ExtendWith(LeakCheck.class)
class RoundsThroughSidecarTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final RoundId R1 = new RoundId("notice-kept", 1);
  private static final String TEXT = "The notice must be kept.";

  /** An answer in one event, which claims something. */
  private static final FakeAgent.Reply STREAM =
      new FakeAgent.Reply(
          200,
          "data: "
              + answer(metadata(claim(new RoundId("other", 1), "verdict_commit", ""))).body()
              + "\n\n");

  @TempDir Path dir = Path.of("");
  private FakeRounds rounds = unstarted();
  private FakeAgent alice = unstarted();
  private FakeAgent bob = unstarted();
  private Sidecar sidecar = unstarted();
  private HttpClient out = unstarted();
  private final HttpClient in =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private volatile Function<FakeAgent.Asked, FakeAgent.Reply> ofAlice = _ -> answer("");
  private volatile Function<FakeAgent.Asked, FakeAgent.Reply> ofBob = _ -> answer("");

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "alices-token");
    rounds = new FakeRounds();
    alice = new FakeAgent(asked -> ofAlice.apply(asked));
    bob = new FakeAgent(asked -> ofBob.apply(asked));
    rounds.open(R1, 60_000);
  }

  @AfterEach
  void end() {
    sidecar.close();
    rounds.close();
    alice.close();
    bob.close();
    out.close();
    in.close();
  }

  private void start(String route, String roundSettings) throws IOException {
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
        profiles:
          strict: { errorMax: 0 }
        routes:
          - name: all
            %s
        control:
          target: 127.0.0.1:%d
          agent: alice
          keys: ["%s"]
          tokenFile: token
          rounds: { %s }
        """
            .formatted(
                port(alice), route, rounds.port(), Signed.KEY.verifier().format(), roundSettings));
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    sidecar = Sidecar.start(result.loaded().orElseThrow(), file);
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
    return agent.settings(dev.parlance.proxy.config.LocalAgent.Protocol.AUTO, 1).url().getPort();
  }

  private static FakeAgent.Reply answer(String metadata) {
    return new FakeAgent.Reply(
        200,
        "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"message\":{\"messageId\":\"a\",\"role\":"
            + "\"ROLE_AGENT\",\"parts\":[{\"text\":\"It is so.\"}]"
            + metadata
            + "}}}");
  }

  private static String metadata(String mark) {
    return mark.isEmpty() ? "" : ",\"metadata\":{\"" + RoundMark.URI + "\":" + mark + "}";
  }

  private static String body(String text, String mark) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"SendMessage\",\"params\":{\"message\":{"
        + "\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\""
        + text
        + "\"}]"
        + metadata(mark)
        + "}}}";
  }

  private static HttpRequest request(int port, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
        .header("Content-Type", "application/json")
        .header("A2A-Version", "1.0")
        .timeout(Duration.ofSeconds(30))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** Alice says something to bob. */
  private HttpResponse<String> say(String mark) throws Exception {
    return say(TEXT, mark);
  }

  private HttpResponse<String> say(String text, String mark) throws Exception {
    return out.send(request(port(bob), body(text, mark)), HttpResponse.BodyHandlers.ofString());
  }

  /** Somebody says something to alice. */
  private HttpResponse<String> hear(String mark) throws Exception {
    return in.send(
        request(sidecar.inboundPort().orElseThrow(), body(TEXT, mark)),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> admin(String path) throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    return in.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.adminPort() + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String proposal(String more) {
    return "{\"round\":\"notice-kept\",\"epoch\":1,\"verdict\":\"keep\"" + more + "}";
  }

  private static String claim(RoundId id, String kind, String more) {
    return "{\"round\":\"%s\",\"epoch\":%d,\"outcome\":{\"kind\":\"%s\"%s}}"
        .formatted(id.round(), id.epoch(), kind, more);
  }

  private static String noted(RoundOutcome outcome) {
    return ",\"note\":" + JSON.writeValueAsString(FakeRounds.note(outcome));
  }

  private static JsonNode round(HttpResponse<String> answer) {
    return JSON.readTree(answer.body()).at("/result/message/metadata").path(RoundMark.URI);
  }

  private static String field(HttpResponse<String> answer) {
    return answer.headers().firstValue("Parlance-Round").orElse("");
  }

  private static void assertRefused(HttpResponse<String> answer, String code) {
    JsonNode error = JSON.readTree(answer.body()).path("error");
    assertThat(error.at("/data/0/metadata/code").asString("")).as(answer.body()).isEqualTo(code);
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains(code);
  }

  private String metric(String what, String result) throws Exception {
    return "parlance_rounds_total{result=\"" + result + "\",what=\"" + what + "\"}";
  }

  // ---- proposals ----

  @Test
  void aProposalGoesToTheControlPlaneFirst_thenTheMessageGoesOn_andItsAnswerTellsOfTheRound()
      throws Exception {
    start("", "");
    HttpResponse<String> answer = say(proposal(",\"rationale\":\"Because section 4 says so.\""));
    assertThat(answer.statusCode()).isEqualTo(200);
    ProposeRequest sent = rounds.proposals().getFirst();
    assertThat(sent.getAgent()).isEqualTo("alice");
    assertThat(sent.getRound()).isEqualTo("notice-kept");
    assertThat(sent.getEpoch()).isEqualTo(1);
    assertThat(sent.getVerdict()).isEqualTo("keep");
    assertThat(sent.getRationale()).isEqualTo("Because section 4 says so.");
    assertThat(rounds.tokens()).containsOnly("Bearer alices-token");
    assertThat(bob.questions()).hasSize(1);
    assertThat(field(answer)).startsWith("notice-kept:1; state=collecting");
    assertThat(round(answer).path("state").asString()).isEqualTo("collecting");
    assertThat(round(answer).path("leftMs").asInt()).isBetween(1, 60_000);
    assertThat(admin("/metrics").body()).contains(metric("proposal", "accepted") + " 1.0");
    String lines = admin("/decisions").body();
    assertThat(lines).contains("\"what\" : \"proposal\"", "\"id\" : \"notice-kept:1\"");
    assertThat(lines).contains(sent.getDecision());
    assertThat(sent.getRoute()).isIn("execute", "warn");
    String body = body(TEXT, proposal(",\"rationale\":\"Because section 4 says so.\""));
    assertThat(FakeRounds.hex(sent.getMessageSha256()))
        .isEqualTo(Digests.sha256(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void withoutRationale_theMessagesOwnTextIsIt() throws Exception {
    start("", "");
    say(proposal(""));
    assertThat(rounds.proposals().getFirst().getRationale()).isEqualTo(TEXT);
    assertThat(rounds.proposals().getFirst().getSubjectSha256()).isEqualTo(ByteString.EMPTY);
  }

  @ParameterizedTest
  @CsvSource({
    "FAILED_PRECONDITION, late",
    "FAILED_PRECONDITION, wrong_epoch",
    "FAILED_PRECONDITION, equivocated",
    "PERMISSION_DENIED, not_a_member",
    "NOT_FOUND, round_unknown",
    "INVALID_ARGUMENT, bad_verdict"
  })
  void aProposalThatIsRefused_isToldWithTheControlPlanesCode_andItsMessageStays(
      Status.Code code, String reason) throws Exception {
    start("", "");
    rounds.refuse(code, reason);
    assertRefused(say(proposal("")), reason);
    assertThat(bob.questions()).isEmpty();
    assertThat(admin("/metrics").body())
        .contains(metric("proposal", reason) + " 1.0")
        .contains("reason=\"round_refused\"");
    String lines = admin("/decisions").body();
    assertThat(lines).contains("\"round_refused\"", "\"result\" : \"" + reason + "\"");
  }

  @Test
  void aBadMessageIsNotProposed() throws Exception {
    start("requestGrounding: required", "");
    HttpResponse<String> answer = say(proposal(""));
    assertThat(rounds.proposals()).isEmpty();
    assertThat(bob.questions()).isEmpty();
    assertThat(answer.headers().firstValue("Parlance-Reason").orElse("")).contains("no_evidence");
  }

  @Test
  void theProposalOfAnotherAgentPassesAndIsNotSentTwice() throws Exception {
    start("", "");
    hear(proposal(""));
    assertThat(rounds.proposals()).isEmpty();
    assertThat(alice.questions()).hasSize(1);
  }

  @Test
  void anAnswerThatProposes_isProposedByItsAuthorsSidecar_andStaysAsItIs() throws Exception {
    start("", "");
    ofAlice = _ -> answer(metadata(proposal("")));
    HttpResponse<String> answer = hear("");
    assertThat(rounds.proposals()).hasSize(1);
    assertThat(round(answer).path("verdict").asString()).isEqualTo("keep");
    assertThat(field(answer)).startsWith("notice-kept:1; state=collecting");

    rounds.refuse(Status.Code.FAILED_PRECONDITION, "late");
    assertRefused(hear(""), "late");
  }

  @Test
  void anAnswerThatAPersonReleases_isProposedThen_andStaysReleasedUntilItIsTaken()
      throws Exception {
    start("profile: strict\n    grounding: required", "");
    ofAlice = _ -> answer(metadata(proposal("")));
    assertThat(hear("").headers().firstValue("Parlance-Route")).contains("yield");
    assertThat(rounds.proposals()).isEmpty();
    String item = JSON.readTree(admin("/review?state=pending").body()).at("/items/0/id").asString();
    release(item);

    rounds.refuse(Status.Code.FAILED_PRECONDITION, "late");
    assertRefused(hear(""), "late");
    rounds.onPropose(rounds::accept);
    HttpResponse<String> delivered = hear("");
    assertThat(delivered.body()).contains("It is so.");
    assertThat(field(delivered)).startsWith("notice-kept:1; state=collecting");
    assertThat(rounds.proposals()).hasSize(2);
    assertThat(alice.questions()).hasSize(1);
  }

  private void release(String item) throws Exception {
    String token = Files.readString(dir.resolve("data/admin.token")).strip();
    HttpResponse<String> done =
        in.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:" + sidecar.adminPort() + "/review/" + item + "/release"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"who\":\"ada\",\"note\":\"\",\"undoMs\":0}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
  }

  @Test
  void aRequestThatAPersonReleases_isProposedThen() throws Exception {
    start("profile: strict\n    requestGrounding: required", "");
    assertThat(say(proposal("")).headers().firstValue("Parlance-Route")).contains("yield");
    assertThat(rounds.proposals()).isEmpty();
    release(JSON.readTree(admin("/review?state=pending").body()).at("/items/0/id").asString());
    rounds.refuse(Status.Code.FAILED_PRECONDITION, "late");
    assertRefused(say(proposal("")), "late");
    assertThat(bob.questions()).isEmpty();
    rounds.onPropose(rounds::accept);
    assertThat(field(say(proposal("")))).isNotEmpty();
    assertThat(bob.questions()).hasSize(1);
  }

  // ---- waiting ----

  @Test
  void whoWaits_getsTheAnswerWithTheOutcome() throws Exception {
    start("", "");
    CompletableFuture<HttpResponse<String>> answer =
        out.sendAsync(
            request(port(bob), body(TEXT, proposal(",\"wait\":true"))),
            HttpResponse.BodyHandlers.ofString());
    awaiting().until(() -> bob.questions().size() == 1 && rounds.watching() == 1);
    assertThat(answer).isNotDone();
    RoundOutcome outcome = FakeRounds.commit(R1, "semantic_commit", Optional.empty());
    rounds.end(outcome);
    HttpResponse<String> got = answer.get(60, TimeUnit.SECONDS);
    assertThat(field(got))
        .isEqualTo(
            "notice-kept:1; state=decided; outcome=semantic_commit; digest=" + FakeRounds.DIGEST);
    JsonNode told = round(got);
    assertThat(told.at("/outcome/verdict").asString()).isEqualTo("keep");
    assertThat(told.at("/outcome/note").asString()).isEqualTo(FakeRounds.note(outcome));
    assertThat(admin("/metrics").body()).contains(metric("wait", "ended") + " 1.0");

    // What the sidecar wrote is a claim that every sidecar lets pass, without asking.
    int asked = rounds.asked();
    HttpResponse<String> passed = say(told.toString());
    assertThat(bob.questions()).as(passed.body()).hasSize(2);
    assertThat(rounds.asked()).isEqualTo(asked);
  }

  @Test
  void whoHoldsARoundsName_findsItsOutcomeAtTheAdminServer() throws Exception {
    start("", "timeoutMs: 2000");
    URI place = URI.create("http://127.0.0.1:" + sidecar.adminPort() + "/rounds/notice-kept/1");
    HttpRequest look = HttpRequest.newBuilder(place).build();
    HttpResponse<String> open = in.send(look, HttpResponse.BodyHandlers.ofString());
    assertThat(open.statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(open.body()).path("state").asString()).isEqualTo("collecting");
    RoundOutcome outcome = FakeRounds.abort(R1);
    rounds.end(outcome);
    HttpResponse<String> ended = in.send(look, HttpResponse.BodyHandlers.ofString());
    JsonNode told = JSON.readTree(ended.body());
    assertThat(told.at("/outcome/reason").asString()).isEqualTo("VERDICT_TIE");
    assertThat(told.at("/outcome/note").asString()).isEqualTo(FakeRounds.note(outcome));
    assertThat(admin("/rounds/nobody-knows/1").statusCode()).isEqualTo(404);
    rounds.close();
    assertThat(admin("/rounds/notice-kept/1").statusCode()).as("remembered").isEqualTo(200);
    assertThat(admin("/rounds/another/1").statusCode()).isEqualTo(503);
  }

  @Test
  void whoWaitsTooLong_getsTheAnswerWithTheRoundAsItStands() throws Exception {
    start("", "maxWaitMs: 300");
    HttpResponse<String> answer = say(proposal(",\"wait\":true"));
    assertThat(field(answer)).isEqualTo("notice-kept:1; state=collecting");
    assertThat(admin("/metrics").body()).contains(metric("wait", "not_ended") + " 1.0");
    awaiting().until(() -> rounds.watching() == 0);
  }

  @Test
  void whoLeavesWhileWaiting_isWaitedForNoLonger() throws Exception {
    start("", "");
    CompletableFuture<HttpResponse<String>> answer =
        out.sendAsync(
            request(port(bob), body(TEXT, proposal(",\"wait\":true"))),
            HttpResponse.BodyHandlers.ofString());
    awaiting().until(() -> bob.questions().size() == 1 && rounds.watching() == 1);
    answer.cancel(true);
    awaiting().until(() -> rounds.watching() == 0);
  }

  // ---- nobody can be asked ----

  @Test
  void withoutControlPlane_aProposalIsUnavailable_andOneThatComesBackIsUsedAgain()
      throws Exception {
    start("", "timeoutMs: 300");
    int port = rounds.port();
    rounds.close();
    assertRefused(say(proposal("")), "round_unavailable");
    assertThat(bob.questions()).isEmpty();
    rounds = new FakeRounds(port);
    rounds.open(R1, 60_000);
    awaiting().until(() -> !field(say(proposal(""))).isEmpty());
  }

  @Test
  void aControlPlaneThatIsSilent_isUnavailable_withinTheTime() throws Exception {
    start("", "timeoutMs: 200");
    rounds.onPropose((_, _) -> {});
    assertRefused(say(proposal("")), "round_unavailable");
    rounds.onPropose(rounds::accept);
    awaiting().until(() -> !field(say(proposal(""))).isEmpty());
    assertThat(bob.questions()).hasSize(1);
  }

  @Test
  void aPassingFault_isTriedAgainWithinTheTime() throws Exception {
    start("", "");
    rounds.onPropose((request, answer) -> {
      if (rounds.proposals().size() < 3) {
        answer.onError(Status.UNAVAILABLE.asRuntimeException());
      } else {
        rounds.accept(request, answer);
      }
    });
    assertThat(field(say(proposal("")))).isNotEmpty();
    assertThat(rounds.proposals()).hasSize(3);
  }

  @Test
  void withOnUnavailableHold_theMessageIsHeld_andPassesWhenItCanBeProposed() throws Exception {
    start("", "timeoutMs: 200, onUnavailable: hold");
    rounds.onPropose((_, _) -> {});
    HttpResponse<String> held = say(proposal(""));
    assertThat(held.headers().firstValue("Parlance-Route")).contains("yield");
    assertThat(held.headers().firstValue("Parlance-Reason")).contains("round_unavailable");
    assertThat(admin("/review?state=pending").body()).contains("round_unavailable");
    assertThat(bob.questions()).isEmpty();
    rounds.onPropose(rounds::accept);
    awaiting().until(() -> !field(say(proposal(""))).isEmpty());
    assertThat(bob.questions()).hasSize(1);
  }

  // ---- claims ----

  @Test
  void aTrueClaimPasses_withAndWithoutNote_andAnEndedRoundIsAskedForOnce() throws Exception {
    start("", "");
    RoundOutcome outcome = FakeRounds.commit(R1, "verdict_commit", Optional.empty());
    rounds.end(outcome);
    hear(claim(R1, "verdict_commit", noted(outcome)));
    assertThat(rounds.asked()).isZero();
    hear(
        claim(
            R1,
            "verdict_commit",
            ",\"verdict\":\"keep\",\"digest\":\"" + FakeRounds.DIGEST + "\""));
    hear(claim(R1, "verdict_commit", ""));
    assertThat(rounds.asked()).isEqualTo(1);
    assertThat(alice.questions()).hasSize(3);
    assertThat(admin("/metrics").body()).contains(metric("claim", "holds") + " 3.0");
  }

  @Test
  void aFalseClaimNeverReachesTheNextAgent() throws Exception {
    start("", "");
    RoundId other = new RoundId("notice-kept", 2);
    RoundId third = new RoundId("patents", 1);
    RoundOutcome outcome = FakeRounds.commit(R1, "verdict_commit", Optional.empty());
    rounds.end(outcome);
    rounds.end(FakeRounds.abort(other));
    rounds.end(FakeRounds.commit(third, "semantic_commit", Optional.empty()));
    for (String claim :
        List.of(
            claim(R1, "semantic_commit", ""),
            claim(R1, "verdict_commit", ",\"verdict\":\"drop\""),
            claim(R1, "verdict_commit", ",\"digest\":\"" + "cd".repeat(32) + "\""),
            claim(R1, "semantic_commit", noted(outcome)),
            // the note of another epoch, of another round
            claim(other, "verdict_commit", noted(outcome)),
            claim(third, "verdict_commit", noted(outcome)),
            // an abort as a commit
            claim(other, "verdict_commit", ""),
            claim(other, "verdict_commit", noted(FakeRounds.abort(other))),
            // a note that says the truth under the name of nobody known
            claim(
                R1,
                "verdict_commit",
                ",\"note\":"
                    + JSON.writeValueAsString(
                        new String(
                            dev.parlance.ledger.record.OutcomeNote.sign(outcome, Signed.FOREIGN),
                            StandardCharsets.UTF_8))))) {
      assertRefused(hear(claim), "outcome_mismatch");
      assertRefused(say(claim), "outcome_mismatch");
    }
    assertRefused(hear(claim(new RoundId("nobody-knows", 1), "abort", "")), "outcome_unknown");
    rounds.open(new RoundId("open", 1), 1_000);
    assertRefused(hear(claim(new RoundId("open", 1), "abort", "")), "outcome_unknown");
    assertRefused(hear("{\"round\":7,\"verdict\":\"keep\"}"), "round_unreadable");
    assertThat(alice.questions()).isEmpty();
    assertThat(bob.questions()).isEmpty();
  }

  @Test
  void aFalseClaimInAnAnswerNeverReachesTheAsker() throws Exception {
    start("", "");
    rounds.end(FakeRounds.abort(R1));
    ofBob = _ -> answer(metadata(claim(R1, "verdict_commit", "")));
    assertRefused(say(""), "outcome_mismatch");
    ofBob = _ -> answer(metadata(claim(R1, "abort", "")));
    assertThat(say("").body()).contains("It is so.");
  }

  @Test
  void inAStream_nothingIsSaidOfRounds_andNobodyWaits() throws Exception {
    start("", "");
    rounds.end(FakeRounds.abort(new RoundId("other", 1)));
    ofBob = _ -> STREAM;
    HttpResponse<String> answer =
        out.send(
            request(
                port(bob),
                body(TEXT, proposal(",\"wait\":true"))
                    .replace("SendMessage", "SendStreamingMessage")),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body()).contains("It is so.").doesNotContain("verdict_commit", "other");
    assertThat(answer.body()).contains("\"round\":\"notice-kept\"", "\"state\":\"collecting\"");
    assertThat(field(answer)).startsWith("notice-kept:1; state=collecting");
    assertThat(admin("/metrics").body()).contains(metric("mark", "cut") + " 1.0");
  }

  @Test
  void aControlPlaneThatLies_isNotBelieved() throws Exception {
    start("", "timeoutMs: 300");
    RoundOutcome outcome = FakeRounds.commit(R1, "verdict_commit", Optional.empty());
    rounds.end(outcome, R1, Signed.FOREIGN);
    assertRefused(hear(claim(R1, "verdict_commit", "")), "round_unavailable");
    RoundId other = new RoundId("notice-kept", 2);
    rounds.end(outcome, other, Signed.KEY);
    assertRefused(hear(claim(other, "verdict_commit", "")), "round_unavailable");
    assertThat(alice.questions()).isEmpty();
  }

  // ---- routes that ask for finality ----

  @Test
  void aRouteThatAsksForFinality_takesExactlyWhatWasDecided() throws Exception {
    start("finality: semantic", "");
    String subject = Digests.sha256(TEXT.getBytes(StandardCharsets.UTF_8));
    RoundId weak = new RoundId("weak", 1);
    RoundId loose = new RoundId("loose", 1);
    RoundId aborted = new RoundId("aborted", 1);
    rounds.end(FakeRounds.commit(R1, "semantic_commit", Optional.of(subject)));
    rounds.end(FakeRounds.commit(weak, "verdict_commit", Optional.of(subject)));
    rounds.end(FakeRounds.commit(loose, "semantic_commit", Optional.empty()));
    rounds.end(FakeRounds.abort(aborted));
    assertRefused(say(""), "finality_required");
    assertRefused(say(proposal("")), "finality_required");
    assertThat(rounds.proposals()).isEmpty();
    assertRefused(say(claim(weak, "verdict_commit", "")), "finality_insufficient");
    assertRefused(say(claim(aborted, "abort", "")), "finality_insufficient");
    assertRefused(say(claim(loose, "semantic_commit", "")), "outcome_without_subject");
    assertRefused(
        say("Delete the notice.", claim(R1, "semantic_commit", "")), "outcome_other_subject");
    assertRefused(say(TEXT + " ", claim(R1, "semantic_commit", "")), "outcome_other_subject");
    assertThat(bob.questions()).isEmpty();
    assertThat(say(claim(R1, "semantic_commit", "")).body()).contains("It is so.");
    assertThat(bob.questions()).hasSize(1);
    assertThat(admin("/metrics").body())
        .contains(metric("finality", "finality_required") + " 2.0")
        .contains(metric("finality", "outcome_other_subject") + " 2.0");
  }

  @Test
  void whereNothingIsEnforced_everythingPasses_countedAndLogged() throws Exception {
    start("mode: observe\n    finality: semantic", "");
    rounds.end(FakeRounds.abort(R1));
    say("");
    say(claim(R1, "semantic_commit", ""));
    rounds.refuse(Status.Code.FAILED_PRECONDITION, "late");
    say("{\"round\":7,\"verdict\":\"keep\"}");
    assertThat(bob.questions()).hasSize(3);
    assertThat(admin("/metrics").body())
        .contains(metric("finality", "finality_required") + " 1.0")
        .contains(metric("claim", "outcome_mismatch") + " 1.0")
        .contains(metric("mark", "round_unreadable") + " 1.0");
    assertThat(admin("/decisions").body())
        .contains("\"result\" : \"outcome_mismatch\"", "\"action\" : \"forward\"");
  }

  @Test
  void aDecisionOnARoundIsExplained() throws Exception {
    start("", "");
    rounds.end(FakeRounds.abort(R1));
    assertRefused(hear(claim(R1, "verdict_commit", "")), "outcome_mismatch");
    JsonNode decision = JSON.readTree(admin("/decisions").body()).at("/decisions/0");
    assertThat(decision.at("/round/result").asString()).isEqualTo("outcome_mismatch");
    assertThat(decision.path("route").asString()).isEqualTo("regenerate");
    assertThat(decision.path("reasons")).isInstanceOf(tools.jackson.databind.node.ArrayNode.class);
    String why = admin("/explain/" + decision.path("id").asString() + "?format=text").body();
    assertThat(why)
        .contains(
            "claim of notice-kept:1: outcome_mismatch (the round notice-kept:1 ended as abort)")
        .contains("values come out as logged");
  }
}
