package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static dev.parlance.proxy.control.Signed.board;
import static dev.parlance.proxy.control.Signed.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Tokens;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.RefusedLine;
import dev.parlance.proto.v1.TermCoinage;
import io.grpc.Status;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Coined terms through a sidecar: what of a message is judged, and who counts it. */
class LexiconThroughSidecarTest extends LexiconScene {
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

  // ---- what is counted and written down ----

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
}
