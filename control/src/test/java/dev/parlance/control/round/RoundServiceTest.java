package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Rounds over real gRPC at one replica. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoundServiceTest {
  private final FakeEncoder encoder = new FakeEncoder();
  private Kit kit;
  private Council council;

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    kit = Kit.start(Kit.config(data), encoder);
    council = kit.keep(Council.at(kit.plane));
  }

  @AfterAll
  void stop() {
    kit.close();
  }

  /** Five honest agents within 4 degrees; the other two say what the test wants. */
  private Round five(String round) {
    Round last = Round.getDefaultInstance();
    for (int i = 0; i < 5; i++) {
      last = council.propose(round, Council.SEVEN.get(i), "approve", i + " degrees").getRound();
    }
    return last;
  }

  @Test
  void sevenAgents_comeToASemanticCommit_thatIsSignedAndRecomputed() {
    Round opened = council.open(Council.seven("r/seven").setSubject("what it is about"));
    assertThat(opened.getState()).isEqualTo("open");
    assertThat(opened.getEncoder()).isEqualTo("fake-1");
    assertThat(opened.getCosMin()).isEqualTo(FakeEncoder.COS_MIN);
    assertThat(opened.getLeftMs()).isBetween(1L, 60_000L);
    Round collecting = five("r/seven");
    assertThat(collecting.getState()).isEqualTo("collecting");
    assertThat(collecting.getProposed()).isEqualTo(5);
    assertThat(collecting.hasResult()).isFalse();
    council.propose("r/seven", "a6", "approve", "70 degrees");
    Round ended = council.propose("r/seven", "a7", "reject", "0 degrees").getRound();
    assertThat(ended.getState()).isEqualTo("decided");
    assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(ended.getResult().getVerdict()).isEqualTo("approve");
    assertThat(ended.getResult().getCoreList()).containsExactly("a1", "a2", "a3", "a4", "a5");
    assertThat(ended.getResult().getMinCos()).isBetween(FakeEncoder.COS_MIN, 1.0);
    assertThat(ended.getResult().getDelivered()).isEqualTo(7);
    assertThat(ended.getResult().getSupport()).isEqualTo(6);
    assertThat(ended.getLeftMs()).isZero();
    RoundOutcome signed = note(ended);
    assertThat(signed.digest())
        .contains(HexFormat.of().formatHex(ended.getResult().getDigest().toByteArray()));
    assertThat(signed.subjectSha256())
        .contains(HexFormat.of().formatHex(Council.sha256("what it is about").toByteArray()));
    assertThat(signed.decidedAtMs()).isEqualTo(ended.getResult().getDecidedAtMs());
    // Asked again, byte for byte the same.
    assertThat(council.get("r/seven").getResult()).isEqualTo(ended.getResult());
    kit.assertLedgerAgrees();
  }

  private RoundOutcome note(Round round) {
    OutcomeReading reading =
        OutcomeNote.read(round.getResult().getNote().toByteArray(), List.of(kit.plane.coreKey()));
    assertThat(reading).isInstanceOf(OutcomeReading.Good.class);
    return ((OutcomeReading.Good) reading).outcome();
  }

  @Test
  void whileARoundIsOpen_nobodyLearnsWhatOthersSay_butOperatorsWhoAsk_andAfterItsEndItsMembers() {
    council.open(Council.seven("r/secret"));
    council.propose("r/secret", "a1", "approve", "3 my own words\nin two lines");
    GetRoundRequest request =
        GetRoundRequest.newBuilder().setRound("r/secret").setTexts(true).build();
    assertThat(council.sidecar("a2").getRound(request).getProposalsList())
        .containsExactly(RoundProposal.newBuilder().setAgent("a1").build());
    assertThat(council.get("r/secret").getProposalsList())
        .containsExactly(RoundProposal.newBuilder().setAgent("a1").build());
    assertThat(council.operator().getRound(request).getProposals(0).getText())
        .isEqualTo("3 my own words\nin two lines");
    for (String agent : Council.SEVEN) {
      council.propose("r/secret", agent, "approve", "3 my own words\nin two lines");
    }
    assertThat(council.sidecar("a2").getRound(request).getProposals(0).getText())
        .isEqualTo("3 my own words\nin two lines");
    assertThat(council.get("r/secret").getProposals(0).getText()).isEmpty();
    assertThat(council.get("r/secret").getProposals(0).getVector().size())
        .isEqualTo(2 * FakeEncoder.DIM);
    // An agent that is no member may ask how it stands once it is attached, but not for words.
    kit.attach("guest", Minds.plain());
    kit.awaitAttached("guest");
    Round seen =
        await()
            .atMost(Kit.PATIENCE)
            .ignoreExceptions()
            .until(() -> council.sidecar("guest").getRound(request), Round::hasResult);
    assertThat(seen.getProposals(0).getText()).isEmpty();
    assertThat(seen.getProposals(0).getVerdict()).isEqualTo("approve");
    // One that was never attached is nobody.
    assertThat(Council.reason(() -> council.sidecar("stranger").getRound(request)))
        .isEqualTo("UNAUTHENTICATED token_wrong");
  }

  @Test
  void whoeverWatches_hearsTheOutcomeAtOnce() throws Exception {
    council.open(Council.seven("r/watched"));
    List<Round> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Status> end = new CompletableFuture<>();
    council
        .streaming(kit.plane.attachToken("a7"))
        .watchRound(
            GetRoundRequest.newBuilder().setRound("r/watched").build(),
            new StreamObserver<>() {
              @Override
              public void onNext(Round round) {
                seen.add(round);
              }

              @Override
              public void onError(Throwable t) {
                end.complete(Status.fromThrowable(t));
              }

              @Override
              public void onCompleted() {
                end.complete(Status.OK);
              }
            });
    five("r/watched");
    council.propose("r/watched", "a6", "approve", "1 x");
    council.propose("r/watched", "a7", "approve", "2 x");
    assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(Status.OK);
    assertThat(seen.getFirst().getState()).isIn("open", "collecting");
    assertThat(seen.getLast().getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(note(seen.getLast()).core()).hasSizeGreaterThanOrEqualTo(5);
    assertThat(seen).extracting(Round::getProposed).isSorted();
    // Who begins when all is over hears it too.
    assertThat(council.watch("r/watched", kit.plane.operatorToken())).hasSize(1);
    assertThat(Council.reason(() -> council.watch("r/nowhere", kit.plane.operatorToken())))
        .isEqualTo("NOT_FOUND round_unknown");
  }
}
