package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.record.RoundOutcome.Signing;
import dev.parlance.ledger.round.EquivocationProof;
import dev.parlance.ledger.round.OutcomeCertificate;
import dev.parlance.ledger.round.OutcomeCertificate.Reading;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What signatures of members come to on a ledger. */
class SignedRoundTest {
  private static final SignerKey CONTROL = SignerKey.generate("control", KeyType.ED25519);

  private final LedgerWriter ledger = new LedgerWriter(1);

  private SignedRound round(SignatureRule rule) {
    return new SignedRound(ledger, "r", 1, 1, rule);
  }

  private static Reading read(byte[] note) {
    return OutcomeCertificate.read(note, SignedRound.pins(4));
  }

  @Test
  void aCommit_isFinalWithTwoFPlusOneSignatures_andSaysWhoWithheld() {
    SignedRound round = round(SignatureRule.REQUIRED).keys().open().decide();
    assertThat(round.outcome().signatures()).contains(Signing.MEMBERS);
    round.sign(3, 0);
    assertThat(round.round.record().isFinal()).isFalse();
    assertThat(read(round.certificate(CONTROL)))
        .isEqualTo(new Reading.TooFew(round.outcome(), List.of("agent-1", "agent-2")));
    round.sign(1);
    assertThat(round.round.record().isFinal()).isTrue();
    assertThat(read(round.certificate(CONTROL)))
        .isEqualTo(new Reading.Final(round.outcome(), List.of("agent-0", "agent-1", "agent-3")));
    assertThat(round.round.record().signatures().certificate().orElseThrow().withheld())
        .containsExactly("agent-2");
    RecomputationReport report = report();
    assertThat(report.disagreements()).isEmpty();
    assertThat(report.rounds().certified()).isEqualTo(1);
    assertThat(report.rounds().signatures()).isEqualTo(3);
    assertThat(report.rounds().notFinal()).isEmpty();
  }

  private RecomputationReport report() {
    Recomputation recomputation = new Recomputation();
    List<byte[]> bytes = ledger.bytes();
    for (int index = 0; index < bytes.size(); index++) {
      recomputation.entry(index, bytes.get(index));
    }
    return recomputation.report(Long.MAX_VALUE);
  }

  @Test
  void aCommitThatTooFewSign_isReported() {
    round(SignatureRule.REQUIRED).keys().open().decide().sign(2, 1);
    assertThat(report().rounds().notFinal())
        .containsExactly(new RecomputationReport.NotFinal("r:1", List.of("agent-0", "agent-3")));
    assertThat(report().format()).contains("r:1 is not final, not signed by agent-0, agent-3");
  }

  @Test
  void membersWithoutKey_endInAnOutcomeThatIsMarkedUnsigned() {
    SignedRound round = round(SignatureRule.OFFERED).open();
    for (int member : round.all()) {
      round.round.propose(member, SignedRound.YES, 0);
    }
    round.round.seal(SealCause.COMPLETE).decide();
    assertThat(round.outcome().signatures()).contains(Signing.UNSIGNED);
    assertThat(round.round.record().isFinal()).isTrue();
    ledger.ignored(Cause.NOT_DECIDED, round.line(0));
  }

  @Test
  void whereSignaturesAreRequired_aProposalWithoutOneCountsForNothing() {
    SignedRound round = round(SignatureRule.REQUIRED).keys().open();
    ledger.ignored(
        Cause.NOT_SIGNED,
        round.round.proposed(0, SignedRound.YES, "unsigned", round.round.near(0)));
  }

  @Test
  void aSignatureOfAnotherRoundEpochVerdictTextOrVector_countsForNothing() {
    SignedRound round = round(SignatureRule.OFFERED).keys().open();
    SignedRound other = new SignedRound(ledger, "q", 1, 1, SignatureRule.OFFERED);
    RoundEntry.Proposed good = round.proposal(0, SignedRound.YES, "a reason", round.round.near(0));
    String signature = good.signature().orElseThrow();
    for (RoundEntry.Proposed forged :
        List.of(
            other.proposal(0, SignedRound.YES, "a reason", good.meaning()),
            round.proposal(0, "refutes", "a reason", good.meaning()),
            round.proposal(0, SignedRound.YES, "another reason", good.meaning()),
            round.proposal(0, SignedRound.YES, "a reason", round.round.near(1)))) {
      ledger.ignored(Cause.NOT_SIGNED, SignedRound.with(good, forged.signature().orElseThrow()));
    }
    ledger.ignored(
        Cause.NOT_SIGNED,
        SignedRound.with(
            round.round.proposed(1, SignedRound.YES, "a reason", good.meaning()), signature));
    ledger.counts(good);
  }

  @Test
  void aKeyThatIsPublishedAfterTheOpening_countsForNothingInTheRound() {
    SignedRound round = round(SignatureRule.OFFERED).keys().open();
    SignerKey late = SignerKey.generate("agent-0", KeyType.ED25519);
    ledger.counts(round.partyKey(0, late));
    RoundEntry.Proposed plain =
        round.round.proposed(0, SignedRound.YES, "a reason", round.round.near(0));
    ledger.ignored(Cause.NOT_SIGNED, SignedRound.signed(plain, late));
    ledger.counts(SignedRound.signed(plain, SignedRound.key(0)));
  }

  @Test
  void theSameSignatureAgain_isARepetition_andForeignOnesCountForNothing() {
    SignedRound round = round(SignatureRule.REQUIRED).keys().open().decide().sign(0);
    ledger.ignored(Cause.DUPLICATE, round.line(0));
    String text = OutcomeNote.text(round.outcome());
    ledger.ignored(
        Cause.NOT_SIGNED, round.line(1, SignerKey.generate("agent-1", KeyType.ED25519), text));
    ledger.ignored(Cause.NOT_SIGNED, round.line(1, SignedRound.key(1), "parlance-outcome-1\n{}\n"));
    assertThat(round.round.record().signatures().lines()).hasSize(1);
  }

  @Test
  void twoSignedProposals_areProofByThemselves() {
    SignedRound round = round(SignatureRule.REQUIRED).keys().open();
    ledger.counts(round.proposal(0, SignedRound.YES, "one reason", round.round.near(0)));
    assertThat(EquivocationProof.in(round.round.record(), "agent-0")).isEmpty();
    ledger.counts(round.proposal(0, "refutes", "another reason", round.round.near(0)));
    EquivocationProof proof = EquivocationProof.in(round.round.record(), "agent-0").orElseThrow();
    Optional<EquivocationProof> alone = EquivocationProof.parse(proof.text());
    assertThat(alone).contains(proof);
    assertThat(alone.orElseThrow().holds(List.of(SignedRound.key(0).verifier()))).isTrue();
    assertThat(alone.orElseThrow().holds(List.of(SignedRound.key(1).verifier()))).isFalse();
    assertThat(
            new EquivocationProof("agent-0", proof.first(), proof.first())
                .holds(List.of(SignedRound.key(0).verifier())))
        .isFalse();
  }

  @Test
  void whoHasSignedTwoProposals_isNamedByVerify_andWhoHasSignedOneIsNot() {
    SignedRound round = round(SignatureRule.OFFERED).keys().open();
    ledger.counts(round.proposal(0, SignedRound.YES, "one reason", round.round.near(0)));
    ledger.counts(round.proposal(0, "refutes", "another reason", round.round.near(0)));
    ledger.counts(round.proposal(1, SignedRound.YES, "one reason", round.round.near(0)));
    ledger.counts(round.round.proposed(1, "refutes", "another reason", round.round.near(0)));
    RecomputationReport report = RecomputationTest.recompute(ledger.bytes());
    assertThat(report.rounds().contradicted())
        .containsExactly(new RecomputationReport.Contradicted(round.id().bound(), "agent-0"));
    assertThat(report.format()).contains("note: agent-0 has signed two proposals in round ");
  }

  @Test
  void twoSignedOutcomesOfOneRound_areProofByThemselves() {
    SignedRound round = round(SignatureRule.REQUIRED).keys().open().decide();
    String one = OutcomeNote.text(round.outcome());
    String other = one.replace("\"decidedAtMs\":1", "\"decidedAtMs\":2");
    EquivocationProof proof =
        new EquivocationProof(
            "agent-2", Note.sign(one, SignedRound.key(2)), Note.sign(other, SignedRound.key(2)));
    assertThat(proof.holds(List.of(SignedRound.key(2).verifier()))).isTrue();
    assertThat(proof.holds(List.of(SignedRound.key(3).verifier()))).isFalse();
  }

  @Test
  void entriesWithSignatures_areReadAsTheyAreWritten() {
    round(SignatureRule.REQUIRED).keys().open().decide().sign(0, 1, 2);
    for (byte[] bytes : ledger.bytes()) {
      assertThat(EntryCodec.decode(bytes)).isInstanceOf(EntryCodec.Decoded.Read.class);
    }
  }
}
