package dev.parlance.ledger.record;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A round whose members have keys, as honest parts write it. */
final class SignedRound {
  static final String YES = "supports";

  final LedgerWriter ledger;
  final RoundWriter round;
  final int members;
  private final SignatureRule rule;

  SignedRound(LedgerWriter ledger, String name, long epoch, int faults, SignatureRule rule) {
    this.ledger = ledger;
    this.members = 3 * faults + 1;
    this.round = RoundWriter.of(ledger, name, epoch, faults, members);
    this.rule = rule;
  }

  /** The key of a member: the same in every ledger. */
  static SignerKey key(int member) {
    byte[] seed = new byte[32];
    seed[0] = (byte) (member + 1);
    return SignerKey.fromSeed("agent-" + member, KeyType.ED25519, seed);
  }

  /** The keys of members, as somebody has them who has asked the members themselves. */
  static MemberKeys pins(int members) {
    StringBuilder keys = new StringBuilder();
    for (int member = 0; member < members; member++) {
      keys.append(key(member).verifier().format()).append('\n');
    }
    return MemberKeys.parse(keys.toString(), MemberKeys.DEFAULT_FAULTS);
  }

  SignedRound keys() {
    for (int member = 0; member < members; member++) {
      ledger.append(partyKey(member, key(member)));
    }
    return this;
  }

  PactEntry.PartyKey partyKey(int member, SignerKey key) {
    return new PactEntry.PartyKey("agent-" + member, key.verifier().format(), 0, ledger.now());
  }

  RoundEntry.Opened opened() {
    RoundEntry.Opened plain = round.opened();
    return new RoundEntry.Opened(
        plain.id(),
        plain.spec(),
        plain.encoderSha256(),
        plain.subjectSha256(),
        Optional.of(rule),
        plain.deadlineMs(),
        plain.atMs());
  }

  SignedRound open() {
    ledger.counts(opened());
    return this;
  }

  RoundId id() {
    return round.id;
  }

  RoundEntry.Proposed proposal(int member, String verdict, String text, Meaning meaning) {
    return signed(round.proposed(member, verdict, text, meaning), key(member));
  }

  static RoundEntry.Proposed signed(RoundEntry.Proposed plain, SignerKey key) {
    return with(plain, plain.statement().sign(key));
  }

  static RoundEntry.Proposed with(RoundEntry.Proposed plain, String signature) {
    return new RoundEntry.Proposed(
        plain.id(),
        plain.agent(),
        plain.verdict(),
        plain.textSha256(),
        plain.meaning(),
        plain.messageSha256(),
        plain.route(),
        plain.decision(),
        Optional.of(signature),
        plain.atMs());
  }

  SignedRound propose(int member) {
    ledger.counts(proposal(member, YES, "reason of " + member, round.near(0)));
    return this;
  }

  /** Every member proposes the same verdict, and it is decided. */
  SignedRound decide() {
    for (int member = 0; member < members; member++) {
      propose(member);
    }
    round.seal(SealCause.COMPLETE).decide();
    return this;
  }

  RoundOutcome outcome() {
    return OutcomeNote.outcome(round.record()).orElseThrow();
  }

  RoundEntry.Signed line(int member) {
    return line(member, key(member), OutcomeNote.text(outcome()));
  }

  RoundEntry.Signed line(int member, SignerKey key, String text) {
    return new RoundEntry.Signed(
        id(),
        "agent-" + member,
        Digest.of(text),
        Note.sign(text, key).signatures().getFirst().base64(),
        ledger.now());
  }

  SignedRound sign(int... signers) {
    for (int member : signers) {
      ledger.counts(line(member));
    }
    return this;
  }

  /** The outcome with the signatures that are on the ledger. */
  byte[] certificate(SignerKey control) {
    return round.record().signatures().on(Note.sign(OutcomeNote.text(outcome()), control)).bytes();
  }

  List<Integer> all() {
    List<Integer> all = new ArrayList<>();
    for (int member = 0; member < members; member++) {
      all.add(member);
    }
    return all;
  }
}
