package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.ClaimCarrier;
import dev.parlance.proto.v1.GetRoundRequest;
import dev.parlance.proto.v1.ListRoundsRequest;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What rounds refuse, and how each of it is called. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoundRulesTest {
  private static final int MOST_OPEN = 40;

  private final FakeEncoder encoder = new FakeEncoder();
  private Kit kit;
  private Council council;

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    RoundsSettings byDefault = RoundsSettings.DEFAULT;
    kit =
        Kit.start(
            Kit.config(data)
                .withRounds(
                    new RoundsSettings(
                        byDefault.encoder(),
                        byDefault.encoderThreads(),
                        byDefault.encoderQueue(),
                        byDefault.defaultDeadlineMs(),
                        MOST_OPEN,
                        byDefault.textRetentionDays(),
                        byDefault.agreement(),
                        byDefault.signatures(),
                        byDefault.reader())),
            encoder);
    council = kit.keep(Council.at(kit.plane));
  }

  @AfterAll
  void stop() {
    kit.assertLedgerAgrees();
    kit.close();
  }

  private String proposing(String round, String agent, String verdict, String rationale) {
    return Council.reason(() -> council.propose(round, agent, verdict, rationale));
  }

  private Round all(String round, String verdict) {
    Round last = Round.getDefaultInstance();
    for (String agent : Council.SEVEN) {
      last = council.propose(round, agent, verdict, "1 " + agent).getRound();
    }
    return last;
  }

  // ---- opening ----

  @Test
  void openedAgainWithTheSameValues_isTheSameRound_andWithOthersAConflict() {
    Round first = council.open(Council.seven("o/again").setSubject("text"));
    Round again = council.open(Council.seven("o/again").setSubject("text"));
    assertThat(again.getOpenedAtMs()).isEqualTo(first.getOpenedAtMs());
    assertThat(again.getDeadlineAtMs()).isEqualTo(first.getDeadlineAtMs());
    List<OpenRoundRequest.Builder> others =
        List.of(
            Council.seven("o/again"),
            Council.seven("o/again").setSubject("other"),
            Council.seven("o/again").setSubject("text").setFaults(1),
            Council.seven("o/again").setSubject("text").setDeadlineMs(59_999),
            Council.seven("o/again").setSubject("text").setCosMin(0.5),
            Council.seven("o/again").setSubject("text").setExtraMargin(1),
            Council.seven("o/again").setSubject("text").setStrictSemantic(true),
            Council.seven("o/again").setSubject("text").setWithoutEncoder(true),
            Council.seven("o/again").setSubject("text").addMembers("a8"));
    for (OpenRoundRequest.Builder other : others) {
      assertThat(Council.reason(() -> council.open(other)))
          .as(other.toString())
          .isEqualTo("ALREADY_EXISTS round_exists");
    }
    assertThat(Council.reason(() -> council.open(Council.seven("o/again").setEpoch(2))))
        .isEqualTo("FAILED_PRECONDITION round_open");
    assertThat(Council.reason(() -> council.open(Council.seven("o/again").setEpoch(3))))
        .isEqualTo("FAILED_PRECONDITION wrong_epoch");
  }

  @Test
  void afterAnAbort_theSameQuestionIsTheNextEpoch_andAfterACommitItIsClosed() {
    council.open(Council.seven("o/epochs"));
    for (String agent : Council.SEVEN) {
      council.propose("o/epochs", agent, "v/" + agent, "1 x");
    }
    Round aborted = council.get("o/epochs");
    assertThat(aborted.getResult().getOutcome()).isEqualTo("abort");
    assertThat(aborted.getResult().getReason()).isEqualTo("VERDICT_TIE");
    assertThat(aborted.getResult().getDigest()).isEqualTo(ByteString.EMPTY);
    Round second = council.open(Council.seven("o/epochs"));
    assertThat(second.getEpoch()).isEqualTo(2);
    // A proposal of the epoch before counts for nothing, replayed or not.
    assertThat(proposing("o/epochs", "a1", "v/a1", "1 x"))
        .isEqualTo("FAILED_PRECONDITION wrong_epoch");
    for (String agent : Council.SEVEN) {
      council.propose(Council.proposal("o/epochs", agent, "approve", "1 x").setEpoch(2));
    }
    assertThat(council.get("o/epochs").getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(Council.reason(() -> council.open(Council.seven("o/epochs"))))
        .isEqualTo("FAILED_PRECONDITION round_committed");
    assertThat(Council.reason(() -> council.open(Council.seven("o/epochs").setEpoch(3))))
        .isEqualTo("FAILED_PRECONDITION round_committed");
    // Who names the epoch may ask again after its end.
    assertThat(council.open(Council.seven("o/epochs").setEpoch(2)).getState()).isEqualTo("decided");
  }

  @Test
  void whoTurnsTheMeaning_isInNoCoreWithTheOthers_unlessVectorsAloneDecide() {
    String said = "1 The operator closed the valve of the second tank before noon.";
    String turned = "1 The operator never closed the valve of the second tank before noon.";
    for (String rule : List.of("", "critical", "vectors")) {
      String name = "o/turned-" + rule;
      council.open(Council.seven(name).setAgreement(rule));
      for (String agent : Council.SEVEN) {
        boolean lies = agent.equals("a1") || agent.equals("a2");
        council.propose(name, agent, "approve", lies ? turned : said);
      }
      Round round = council.get(name);
      assertThat(round.getResult().getOutcome()).isEqualTo("semantic_commit");
      if (rule.equals("vectors")) {
        assertThat(round.getAgreement()).isEqualTo("vectors");
        assertThat(round.getResult().getCoreList()).contains("a1", "a2");
        assertThat(round.getDifferencesList()).isEmpty();
      } else {
        assertThat(round.getAgreement()).isEqualTo("critical");
        assertThat(round.getResult().getCoreList()).containsExactly("a3", "a4", "a5", "a6", "a7");
        assertThat(round.getDifferencesList())
            .hasSize(10)
            .allMatch(one -> one.getKind().equals("negation_changed"))
            .allMatch(one -> List.of("a1", "a2").contains(one.getFirst()));
      }
    }
  }

  @Test
  void whoListOtherReasons_areACoreOfThoseThatAllOfThemGive_andALiarsOwnIsNotAmongThem() {
    String tests = "1 ran: all integration tests are green";
    String review = "two engineers have signed the review";
    String rollback = "the rollback script was rehearsed on Monday";
    council.open(Council.seven("o/lists").setAgreement("critical"));
    for (String agent : Council.SEVEN) {
      String list =
          switch (agent) {
            case "a1" -> tests + "; " + review + "; Mallory earns five percent of every sale";
            case "a2" -> tests + "; one engineer has signed the review";
            case "a3", "a4" -> tests + "; " + rollback;
            default -> tests + "; " + review;
          };
      council.propose("o/lists", agent, "approve", list);
    }
    Round round =
        council
            .operator()
            .getRound(GetRoundRequest.newBuilder().setRound("o/lists").setTexts(true).build());
    assertThat(round.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(round.getResult().getCoreList()).hasSize(5).doesNotContain("a2");
    assertThat(round.getResult().getClaimsList())
        .isNotEmpty()
        .allSatisfy(claim ->
            assertThat(claim.getCarriersList())
                .extracting(ClaimCarrier::getAgent)
                .isEqualTo(round.getResult().getCoreList()))
        .noneSatisfy(claim -> assertThat(claim.toString()).contains("Mallory"))
        .anySatisfy(claim ->
            assertThat(claim.getCarriersList())
                .allSatisfy(one -> assertThat(one.getText()).contains("integration tests")));
    assertThat(round.getDifferencesList()).anyMatch(one -> one.getKind().equals("other_items"));
    assertThat(round.getListed()).startsWith("a1 1 ");
  }

  @Test
  void valuesThatCannotBe_areRefused_eachUnderItsName() {
    assertThat(opening(Council.seven("o/bad").setAgreement("words")))
        .isEqualTo("INVALID_ARGUMENT bad_agreement");
    assertThat(opening(Council.seven(""))).isEqualTo("INVALID_ARGUMENT bad_round");
    assertThat(opening(Council.seven("a\nb"))).isEqualTo("INVALID_ARGUMENT bad_round");
    assertThat(opening(Council.seven("x".repeat(101)))).isEqualTo("INVALID_ARGUMENT bad_round");
    assertThat(opening(Council.seven("o/bad").clearMembers()))
        .isEqualTo("INVALID_ARGUMENT bad_members");
    assertThat(opening(Council.seven("o/bad").addMembers("a1")))
        .isEqualTo("INVALID_ARGUMENT bad_members");
    assertThat(opening(Council.seven("o/bad").addMembers("not a name")))
        .isEqualTo("INVALID_ARGUMENT bad_members");
    assertThat(
            opening(
                Council.seven("o/bad")
                    .addAllMembers(
                        List.of("b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10"))))
        .isEqualTo("INVALID_ARGUMENT bad_members");
    assertThat(opening(Council.seven("o/bad").setFaults(-1)))
        .isEqualTo("INVALID_ARGUMENT bad_faults");
    assertThat(opening(Council.seven("o/bad").setDeadlineMs(99)))
        .isEqualTo("INVALID_ARGUMENT bad_deadline");
    assertThat(opening(Council.seven("o/bad").setDeadlineMs(-1)))
        .isEqualTo("INVALID_ARGUMENT bad_deadline");
    for (double cosMin : new double[] {-1, 1.01, Double.NaN}) {
      assertThat(opening(Council.seven("o/bad").setCosMin(cosMin)))
          .isEqualTo("INVALID_ARGUMENT bad_cos_min");
    }
    assertThat(opening(Council.seven("o/bad").setExtraMargin(-5)))
        .isEqualTo("INVALID_ARGUMENT bad_margin");
    assertThat(opening(Council.seven("o/bad").setSubject("x".repeat((64 << 10) + 1))))
        .isEqualTo("INVALID_ARGUMENT subject_too_large");
    assertThat(opening(Council.seven("o/bad").setSubject("x".repeat(200_000))))
        .isEqualTo("RESOURCE_EXHAUSTED message_too_large");
    assertThat(Council.reason(() -> council.get("o/bad"))).isEqualTo("NOT_FOUND round_unknown");
  }

  private String opening(OpenRoundRequest.Builder request) {
    return Council.reason(() -> council.open(request));
  }

  @Test
  void onlyTheOperatorOpensAndLists_andAMemberSeesItsRounds() {
    OpenRoundRequest request = Council.seven("o/token").build();
    assertThat(Council.reason(() -> council.sidecar("a1").openRound(request)))
        .isEqualTo("UNAUTHENTICATED token_wrong");
    assertThat(
            Council.reason(
                () -> council.sidecar("a1").listRounds(ListRoundsRequest.getDefaultInstance())))
        .isEqualTo("UNAUTHENTICATED token_wrong");
    assertThat(
            Council.reason(() ->
                council
                    .operator()
                    .listRounds(ListRoundsRequest.newBuilder().setLimit(1001).build())))
        .isEqualTo("INVALID_ARGUMENT limit_out_of_range");
    council.open(Council.seven("o/token"));
    assertThat(council.watchFirst("o/token", kit.plane.attachToken("a3")).getState())
        .isEqualTo("open");
    assertThat(Council.reason(() -> council.watchFirst("o/token", "0123456789abcdef")))
        .isEqualTo("UNAUTHENTICATED token_wrong");
  }

  @Test
  void moreRoundsThanAllowed_areRefused_untilSomeHaveEnded(@TempDir Path data) throws IOException {
    RoundsSettings byDefault = RoundsSettings.DEFAULT;
    try (Kit small =
            Kit.start(
                Kit.config(data)
                    .withRounds(
                        new RoundsSettings(
                            byDefault.encoder(),
                            1,
                            1,
                            60_000,
                            2,
                            0,
                            byDefault.agreement(),
                            byDefault.signatures(),
                            byDefault.reader())),
                new FakeEncoder());
        Council few = Council.at(small.plane)) {
      few.open(Council.seven("o/1").setDeadlineMs(4_000));
      few.open(Council.seven("o/2"));
      assertThat(Council.reason(() -> few.open(Council.seven("o/3"))))
          .isEqualTo("RESOURCE_EXHAUSTED too_many_rounds");
      await().atMost(Kit.PATIENCE).until(() -> few.get("o/1").getState().equals("expired"));
      assertThat(Council.reason(() -> few.open(Council.seven("o/3")))).isEqualTo("OK");
      assertThat(Council.reason(() -> few.open(Council.seven("o/4"))))
          .isEqualTo("RESOURCE_EXHAUSTED too_many_rounds");
      // Kept for no days: the words go with the end.
      assertThat(commit(few, "o/2").getResult().getOutcome()).isEqualTo("semantic_commit");
      Round bare =
          few.operator()
              .getRound(GetRoundRequest.newBuilder().setRound("o/2").setTexts(true).build());
      assertThat(bare.getProposals(0).getVerdict()).isEqualTo("approve");
      assertThat(bare.getProposals(0).getText()).isEmpty();
      few.open(Council.seven("o/5"));
      assertThat(few.list(true)).extracting(Round::getRound).containsExactly("o/5", "o/3");
      assertThat(few.list(false))
          .extracting(Round::getRound)
          .containsExactly("o/5", "o/3", "o/2", "o/1");
    }
  }

  // ---- proposing ----

  @Test
  void theSameProposalAgain_isARepetition_alsoAfterTheEnd_andNoNewEntry() {
    council.open(Council.seven("p/repeat"));
    assertThat(council.propose("p/repeat", "a1", "approve", "1 a1").getResult())
        .isEqualTo("accepted");
    int before = encoder.texts.get();
    ProposeResponse again = council.propose("p/repeat", "a1", "approve", "1 a1");
    assertThat(again.getResult()).isEqualTo("repeated");
    assertThat(encoder.texts).hasValue(before);
    assertThat(again.getRound().getProposed()).isEqualTo(1);
    all("p/repeat", "approve");
    assertThat(council.propose("p/repeat", "a1", "approve", "1 a1").getResult())
        .isEqualTo("repeated");
    assertThat(council.get("p/repeat").getProposalsList()).hasSize(7);
    assertThat(proposing("p/repeat", "a1", "reject", "1 a1")).isEqualTo("FAILED_PRECONDITION late");
  }

  @Test
  void anAgentThatSaysTwoThings_countsForNothing_andAThirdIsRefused() {
    council.open(Council.seven("p/twice"));
    council.propose("p/twice", "a1", "approve", "1 a1");
    assertThat(council.propose("p/twice", "a1", "approve", "1 other words").getResult())
        .isEqualTo("equivocated");
    assertThat(proposing("p/twice", "a1", "reject", "1 a1"))
        .isEqualTo("FAILED_PRECONDITION equivocated");
    assertThat(council.propose("p/twice", "a1", "approve", "1 a1").getResult())
        .isEqualTo("repeated");
    Round ended = all("p/twice", "approve");
    assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(ended.getResult().getDelivered()).isEqualTo(6);
    assertThat(ended.getResult().getCoreList()).doesNotContain("a1");
    assertThat(ended.getProposalsList())
        .filteredOn(one -> one.getAgent().equals("a1"))
        .extracting(RoundProposal::getStanding)
        .containsExactly("equivocation", "equivocation");
  }

  @Test
  void whoIsNoMember_orHasAnothersToken_orAnotherSubject_isRefused() {
    council.open(Council.seven("p/who").setSubject("the subject"));
    assertThat(proposing("p/who", "stranger", "approve", "1 x"))
        .isEqualTo("PERMISSION_DENIED not_a_member");
    assertThat(
            Council.reason(() ->
                council
                    .sidecar("a2")
                    .propose(Council.proposal("p/who", "a1", "approve", "1 x").build())))
        .isEqualTo("PERMISSION_DENIED token_of_another_agent");
    assertThat(
            Council.reason(() ->
                council
                    .operator()
                    .propose(Council.proposal("p/who", "a1", "approve", "1 x").build())))
        .isEqualTo("PERMISSION_DENIED token_of_another_agent");
    assertThat(
            Council.reason(() ->
                council.propose(
                    Council.proposal("p/who", "a1", "approve", "1 x")
                        .setSubjectSha256(Council.sha256("another subject")))))
        .isEqualTo("INVALID_ARGUMENT subject_differs");
    assertThat(
            council
                .propose(
                    Council.proposal("p/who", "a1", "approve", "1 x")
                        .setSubjectSha256(Council.sha256("the subject")))
                .getResult())
        .isEqualTo("accepted");
    council.open(Council.seven("p/free"));
    assertThat(
            Council.reason(() ->
                council.propose(
                    Council.proposal("p/free", "a1", "approve", "1 x")
                        .setSubjectSha256(Council.sha256("the subject")))))
        .isEqualTo("INVALID_ARGUMENT subject_differs");
    assertThat(proposing("p/nowhere", "a1", "approve", "1 x")).isEqualTo("NOT_FOUND round_unknown");
  }

  @Test
  void proposalsThatAreNone_areRefused() {
    council.open(Council.seven("p/bad"));
    assertThat(proposing("p/bad", "a1", "two words", "1 x"))
        .isEqualTo("INVALID_ARGUMENT bad_verdict");
    assertThat(proposing("p/bad", "a1", "", "1 x")).isEqualTo("INVALID_ARGUMENT bad_verdict");
    assertThat(proposing("p/bad", "a1", "approve", "x".repeat((32 << 10) + 1)))
        .isEqualTo("INVALID_ARGUMENT bad_proposal");
    var good = Council.proposal("p/bad", "a1", "approve", "1 x");
    for (var bad :
        List.of(
            good.clone().setEpoch(0),
            good.clone().setSubjectSha256(ByteString.copyFrom(new byte[31])),
            good.clone().clearMessageSha256(),
            good.clone().setRoute("no code"),
            good.clone().setDecision(""),
            good.clone().setRound("no name"))) {
      assertThat(Council.reason(() -> council.propose(bad)))
          .as(bad.toString())
          .isEqualTo("INVALID_ARGUMENT bad_proposal");
    }
    assertThat(
            Council.reason(
                () -> council.sidecar("a1").propose(good.clone().setAgent("not a name").build())))
        .isEqualTo("INVALID_ARGUMENT bad_proposal");
    assertThat(council.propose(good).getResult()).isEqualTo("accepted");
  }

  // ---- the deadline ----

  @Test
  void deadline_sealsWhatIsThere_andWhatComesAfterIsLate() {
    council.open(Council.seven("d/five").setDeadlineMs(4_000));
    for (String agent : Council.SEVEN.subList(0, 5)) {
      council.propose("d/five", agent, "approve", "1 x");
    }
    Round ended =
        await()
            .atMost(Kit.PATIENCE)
            .until(() -> council.get("d/five"), round -> round.getState().equals("decided"));
    assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(ended.getResult().getDelivered()).isEqualTo(5);
    assertThat(ended.getResult().getDecidedAtMs()).isGreaterThanOrEqualTo(ended.getDeadlineAtMs());
    assertThat(proposing("d/five", "a6", "approve", "1 x")).isEqualTo("FAILED_PRECONDITION late");
  }

  @Test
  void roundWithoutProposals_expires_andItsAbortIsSignedAndCanBeFollowed() {
    council.open(Council.seven("d/none").setDeadlineMs(100));
    Round ended =
        await()
            .atMost(Kit.PATIENCE)
            .until(() -> council.get("d/none"), round -> round.getState().equals("expired"));
    assertThat(ended.getResult().getOutcome()).isEqualTo("abort");
    assertThat(ended.getResult().getReason()).isEqualTo("INSUFFICIENT_DELIVERY");
    assertThat(ended.getResult().getNote().toStringUtf8()).startsWith("parlance-outcome-1\n");
    assertThat(ended.getResult().getLedgerIndex()).isPositive();
    assertThat(proposing("d/none", "a1", "approve", "1 x")).isEqualTo("FAILED_PRECONDITION late");
    assertThat(council.open(Council.seven("d/none")).getEpoch()).isEqualTo(2);
    Round infeasible = council.open(Council.seven("d/bft").setFaults(3).setDeadlineMs(100));
    assertThat(infeasible.getFaults()).isEqualTo(3);
    assertThat(
            await()
                .atMost(Kit.PATIENCE)
                .until(() -> council.get("d/bft"), Round::hasResult)
                .getResult()
                .getReason())
        .isEqualTo("BFT_INFEASIBLE");
  }

  // ---- the encoder ----

  @Test
  void textsTheEncoderMakesNothingOf_areMalformed_andDropped() {
    council.open(Council.seven("e/malformed"));
    council.propose("e/malformed", "a1", "approve", "nan");
    council.propose("e/malformed", "a2", "approve", "zero");
    for (String agent : Council.SEVEN.subList(2, 7)) {
      council.propose("e/malformed", agent, "approve", "1 x");
    }
    Round ended = council.get("e/malformed");
    assertThat(ended.getResult().getOutcome()).isEqualTo("semantic_commit");
    assertThat(ended.getResult().getDelivered()).isEqualTo(5);
    assertThat(ended.getProposals(0).getStanding()).isEqualTo("malformed");
    assertThat(ended.getProposals(0).getMeaning()).isEqualTo("malformed");
  }

  @Test
  void encoderThatIsBusy_isAReasonToTryAgain_andNothingIsTaken() {
    council.open(Council.seven("e/busy"));
    encoder.busy(true);
    try {
      assertThat(proposing("e/busy", "a1", "approve", "1 x"))
          .isEqualTo("UNAVAILABLE encoder_unavailable");
    } finally {
      encoder.busy(false);
    }
    assertThat(council.get("e/busy").getProposed()).isZero();
    assertThat(council.propose("e/busy", "a1", "approve", "1 x").getResult()).isEqualTo("accepted");
  }

  @Test
  void withoutEncoder_verdictsAloneMayCommit(@TempDir Path data) throws IOException {
    FakeEncoder breaking = new FakeEncoder();
    try (Kit other = Kit.start(Kit.config(data), breaking);
        Council there = Council.at(other.plane)) {
      assertThat(there.encoder().getState()).isEqualTo("ready");
      there.open(Council.seven("e/off").setWithoutEncoder(true));
      assertThat(commit(there, "e/off").getResult().getOutcome()).isEqualTo("verdict_commit");
      there.open(Council.seven("e/breaks"));
      there.propose("e/breaks", "a1", "approve", "1 a1");
      breaking.fail();
      assertThat(there.encoder().getState()).isEqualTo("failed");
      assertThat(there.encoder().getFault()).isEqualTo("bad_model");
      Round ended = commit(there, "e/breaks");
      assertThat(ended.getEncoder()).isEqualTo("fake-1");
      assertThat(ended.getResult().getOutcome()).isEqualTo("verdict_commit");
      assertThat(ended.getProposalsList())
          .filteredOn(one -> one.getMeaning().equals("unencoded"))
          .hasSize(6);
      // A text that was encoded before means the same as then, so a repetition stays one.
      assertThat(ended.getProposals(0).getMeaning()).isEqualTo("vector");
      Round opened = there.open(Council.seven("e/failed").setStrictSemantic(true));
      assertThat(opened.getEncoder()).isEqualTo("none");
      assertThat(opened.getDim()).isZero();
      assertThat(commit(there, "e/failed").getResult().getReason()).isEqualTo("SEMANTIC_DISPERSED");
      other.assertLedgerAgrees();
    }
  }

  private static Round commit(Council where, String round) {
    Round last = Round.getDefaultInstance();
    for (String agent : Council.SEVEN) {
      last = where.propose(round, agent, "approve", "1 " + agent).getRound();
    }
    return last;
  }

  @Test
  void whatHappens_isCounted() {
    council.open(Council.seven("m/one"));
    all("m/one", "approve");
    proposing("m/one", "a1", "reject", "late words");
    assertThat(kit.plane.metrics())
        .contains("parlance_control_rounds_openings_total{result=\"opened\"}")
        .contains("parlance_control_rounds_proposals_total{result=\"accepted\"}")
        .contains("parlance_control_rounds_proposals_total{result=\"late\"}")
        .contains("parlance_control_rounds_ended_total{outcome=\"semantic_commit\"}")
        .contains("parlance_control_rounds_texts_total{meaning=\"vector\"}")
        .contains("parlance_control_rounds_deciding_seconds_count")
        .contains("parlance_control_rounds_unfinished")
        .doesNotContain("{result=\"other\"} 1");
  }
}
