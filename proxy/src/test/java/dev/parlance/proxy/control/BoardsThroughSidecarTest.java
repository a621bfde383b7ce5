package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static dev.parlance.proxy.control.Signed.board;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.LexiconGroup;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.SignedBoard;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Boards of coined terms at a sidecar: how it gets them, shows them, and reads by them. */
class BoardsThroughSidecarTest extends LexiconScene {
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
