package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.RoundState.Status;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundLedgerTest {
  private static final String YES = "supports";
  private static final String NO = "refutes";

  private final LedgerWriter ledger = new LedgerWriter(1);
  private final RoundWriter round = RoundWriter.of(ledger, "r", 1, 1, 4);

  private Status status() {
    return round.record().state().status();
  }

  @Test
  void nothingCountsOfARoundThatWasNotOpened() {
    ledger.ignored(Cause.ROUND_UNKNOWN, round.proposed(0, YES, "x", round.near(0)));
    ledger.ignored(Cause.ROUND_UNKNOWN, round.sealed(SealCause.DEADLINE));
    round.open();
    ledger.ignored(
        Cause.ROUND_UNKNOWN,
        RoundWriter.of(ledger, "r", 2, 1, 4).proposed(0, YES, "x", round.near(0)));
    assertThat(ledger.state().round(new RoundId("r", 2))).isEmpty();
    assertThat(ledger.state().round("other")).isEmpty();
  }

  @Test
  void theFirstOpeningCounts_theSameAgainIsARepetition_anotherOneIsOvertaken() {
    RoundEntry.Opened first = round.opened();
    ledger.counts(first);
    ledger.ignored(Cause.DUPLICATE, round.opened());
    ledger.ignored(Cause.ROUND_EXISTS, RoundWriter.of(ledger, "r", 1, 0, 4).opened());
    assertThat(round.record().opened()).isEqualTo(first);
    assertThat(round.record().openedAt()).isZero();
  }

  @Test
  void aProposalIsTakenUpToTheSeal_andIsLateBehindIt() {
    round.open();
    assertThat(status()).isEqualTo(Status.OPEN);
    round.propose(0, YES, 0);
    assertThat(status()).isEqualTo(Status.COLLECTING);
    round.seal(SealCause.DEADLINE);
    assertThat(status()).isEqualTo(Status.SEALED);
    assertThat(round.record().outcome()).isEmpty();
    ledger.ignored(Cause.LATE, round.proposed(1, YES, "x", round.near(0)));
    ledger.ignored(Cause.LATE, round.proposed(0, YES, "reason of 0", round.near(0)));
    round.decide();
    ledger.ignored(Cause.LATE, round.proposed(1, YES, "x", round.near(0)));
    assertThat(round.record().proposals()).hasSize(1);
    assertThat(round.record().state().proposals()).hasSize(1);
  }

  @Test
  void aStrangersProposal_countsForNothing() {
    round.open();
    ledger.ignored(Cause.NOT_A_MEMBER, round.proposed(7, YES, "x", round.near(0)));
  }

  @Test
  void aMeaningThatTheRoundsEncoderCannotGive_countsForNothing() {
    round.open();
    Meaning shorter = new Meaning.Vector(QuantVector.of(new double[] {1, 2, 3}, 3).orElseThrow());
    ledger.ignored(Cause.OTHER_ENCODING, round.proposed(0, YES, "x", shorter));
    ledger.ignored(Cause.OTHER_AGREEMENT, round.sealed(SealCause.DEADLINE, ""));
    RoundId plain = new RoundId("plain", 1);
    RoundWriter none =
        new RoundWriter(ledger, plain, RoundWriter.spec(plain, 0, 3, Encoding.none()), 1).open();
    ledger.ignored(Cause.OTHER_ENCODING, none.proposed(0, YES, "x", none.near(0)));
    ledger.ignored(Cause.OTHER_ENCODING, none.proposed(0, YES, "x", Meaning.MALFORMED));
    ledger.counts(none.proposed(0, YES, "x", Meaning.UNENCODED));
  }

  @Test
  void aSecondDifferentProposal_isKeptAsEvidence_aThirdIsNot() {
    round.open().propose(0, YES, 0);
    ledger.ignored(Cause.DUPLICATE, round.proposed(0, YES, "reason of 0", round.near(5)));
    ledger.counts(round.proposed(0, NO, "reason of 0", round.near(0)));
    ledger.ignored(Cause.EQUIVOCATED, round.proposed(0, NO, "third", round.near(0)));
    round.propose(1, YES, 0).propose(2, YES, 0).propose(3, YES, 0);
    round.seal(SealCause.COMPLETE).decide();
    assertThat(round.record().outcome())
        .hasValueSatisfying(outcome -> {
          assertThat(outcome.kind()).isEqualTo("semantic_commit");
          assertThat(outcome.dropped())
              .containsExactly(new Outcome.Drop("agent-0", Outcome.DropReason.EQUIVOCATION));
          assertThat(outcome.count()).isEqualTo(new Outcome.Count(3, 3, 0));
        });
  }

  @Test
  void aSealThatSaysCompleteAndIsNot_countsForNothing() {
    round.open();
    ledger.ignored(Cause.NOT_COMPLETE, round.sealed(SealCause.COMPLETE));
    round.propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0);
    ledger.ignored(Cause.NOT_COMPLETE, round.sealed(SealCause.COMPLETE));
    round.propose(3, YES, 0).seal(SealCause.COMPLETE);
    ledger.ignored(Cause.DUPLICATE, round.sealed(SealCause.DEADLINE));
    assertThat(round.record().sealed().orElseThrow().cause()).isEqualTo(SealCause.COMPLETE);
  }

  @Test
  void aRoundWithoutProposals_expiresAtItsSeal_andHasNoDecision() {
    round.open();
    RoundEntry.Sealed seal = round.sealed(SealCause.DEADLINE);
    ledger.counts(seal);
    assertThat(status()).isEqualTo(Status.EXPIRED);
    assertThat(round.record().endedAtMs()).contains(seal.atMs());
    assertThat(RoundDecision.of(round.record(), 1)).isEmpty();
    RoundOutcome outcome = OutcomeNote.outcome(round.record()).orElseThrow();
    assertThat(outcome.reason()).contains("INSUFFICIENT_DELIVERY");
    assertThat(outcome.decidedAtMs()).isEqualTo(seal.atMs());
    ledger.ignored(Cause.NO_DECISION_DUE, abort(outcome));
    assertThat(ledger.state().unfinishedRounds()).isEmpty();
  }

  private RoundEntry.Decided abort(RoundOutcome outcome) {
    return new RoundEntry.Decided(
        round.id,
        outcome.kind(),
        outcome.reason(),
        Optional.empty(),
        0,
        0,
        0,
        List.of(),
        java.util.OptionalDouble.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OutcomeNote.documentSha256(outcome),
        outcome.decidedAtMs());
  }

  @Test
  void aDecisionBeforeTheSeal_countsForNothing_theFirstBehindItEndsTheRound() {
    round.open().propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0);
    RoundWriter other = RoundWriter.of(new LedgerWriter(2), "r", 1, 1, 4).open();
    RoundEntry.Decided early = other.propose(0, YES, 0).seal(SealCause.DEADLINE).decided();
    ledger.ignored(Cause.NO_DECISION_DUE, early);
    round.seal(SealCause.DEADLINE);
    RoundEntry.Decided decided = round.decided();
    ledger.counts(decided);
    assertThat(status()).isEqualTo(Status.DECIDED);
    assertThat(round.record().decided()).contains(decided);
    assertThat(round.record().decidedAt()).contains(ledger.entries().size() - 1L);
    assertThat(round.record().endedAtMs()).contains(decided.atMs());
    // Another replica, at another time: another document, the same outcome.
    RoundEntry.Decided again = round.decided();
    assertThat(again.documentSha256()).isNotEqualTo(decided.documentSha256());
    ledger.ignored(Cause.DUPLICATE, again);
    ledger.ignored(Cause.CONTRADICTS_EARLIER, early);
  }

  @Test
  void theOutcomeFollowsFromTheProposals_whateverTheDecisionClaims() {
    round.open().propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0);
    round.seal(SealCause.DEADLINE);
    RoundWriter other = RoundWriter.of(new LedgerWriter(2), "r", 1, 1, 4).open();
    ledger.counts(other.propose(0, YES, 0).seal(SealCause.DEADLINE).decided());
    assertThat(round.record().outcome().orElseThrow().kind()).isEqualTo("semantic_commit");
    assertThat(OutcomeNote.outcome(round.record()).orElseThrow().verdict()).contains(YES);
  }

  @Test
  void theNextEpochIsDueAfterAnAbort_neverBeforeTheEnd_neverAfterACommit() {
    RoundWriter second = RoundWriter.of(ledger, "r", 2, 1, 4);
    ledger.ignored(Cause.EPOCH_NOT_DUE, second.opened());
    round.open().propose(0, YES, 0);
    ledger.ignored(Cause.EPOCH_NOT_DUE, second.opened());
    round.seal(SealCause.DEADLINE);
    ledger.ignored(Cause.EPOCH_NOT_DUE, second.opened());
    round.decide();
    ledger.ignored(Cause.EPOCH_NOT_DUE, RoundWriter.of(ledger, "r", 3, 1, 4).opened());
    second.open();
    ledger.ignored(Cause.DUPLICATE, round.opened());
    assertThat(ledger.state().round("r").orElseThrow().id()).isEqualTo(second.id);
    second.propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0).propose(3, YES, 0);
    second.seal(SealCause.COMPLETE).decide();
    ledger.ignored(Cause.EPOCH_NOT_DUE, RoundWriter.of(ledger, "r", 3, 1, 4).opened());
  }

  @Test
  void listsGiveTheNewestFirst_andTheUnfinishedOldestFirst() {
    for (String name : List.of("a", "b", "c", "d")) {
      RoundWriter.of(ledger, name, 1, 1, 4).open();
    }
    ledger.counts(RoundWriter.of(ledger, "b", 1, 1, 4).sealed(SealCause.DEADLINE));
    assertThat(ledger.state().unfinishedRounds().stream().map(one -> one.id().round()))
        .containsExactly("a", "c", "d");
    assertThat(ledger.state().rounds(3).stream().map(one -> one.id().round()))
        .containsExactly("d", "c", "b");
    assertThat(ledger.state().rounds(100)).hasSize(4);
    assertThat(ledger.state().rounds(0)).isEmpty();
  }

  @Test
  void proposalsOfRoundsThatEndedLongAgo_areDropped_theirOutcomeStays() {
    RoundLedger small = new RoundLedger(4_000);
    LedgerWriter writer = new LedgerWriter(3);
    long index = 0;
    for (int i = 0; i < 5; i++) {
      RoundWriter one = RoundWriter.of(writer, "r" + i, 1, 1, 4).open();
      one.propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0).seal(SealCause.DEADLINE);
      one.decide();
    }
    for (Entry entry : writer.entries()) {
      assertThat(small.apply(index++, (RoundEntry) entry, _ -> List.of()))
          .isEqualTo(Applied.COUNTED);
    }
    for (int i = 0; i < 5; i++) {
      RoundId id = new RoundId("r" + i, 1);
      RoundRecord kept = small.of(id).orElseThrow();
      RoundRecord whole = writer.state().round(id).orElseThrow();
      assertThat(kept.isWhole()).isEqualTo(i >= 3);
      assertThat(kept.proposals()).hasSize(i >= 3 ? 3 : 0);
      assertThat(kept.outcome()).isEqualTo(whole.outcome());
      assertThat(OutcomeNote.outcome(kept)).isEqualTo(OutcomeNote.outcome(whole)).isPresent();
    }
    RoundWriter old = RoundWriter.of(writer, "r0", 1, 1, 4);
    assertThat(small.apply(index, old.decided(), _ -> List.of()))
        .isEqualTo(Applied.ignored(Cause.DUPLICATE));
  }
}
