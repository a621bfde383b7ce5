package dev.parlance.proxy.control;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static dev.parlance.proxy.control.Signed.board;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.RefusedLine;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Turns that nobody hears, or that are said again: what becomes of their terms. */
class UnheardTurnsTest extends LexiconScene {
  // ---- what nobody hears ----

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
}
