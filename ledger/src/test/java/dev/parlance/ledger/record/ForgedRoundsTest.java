package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.ledger.record.RoundOutcome.Signing;
import dev.parlance.ledger.round.OutcomeCertificate;
import dev.parlance.ledger.round.OutcomeCertificate.Reading;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Somebody has the operator's keys, the key of one member of four, and all that honest members have
 * ever signed, and forges rounds. Whoever has the members' keys from the members believes none.
 */
class ForgedRoundsTest {
  private static final int ROUNDS = 10_000;
  private static final int HONEST = 24;
  private static final int FAULTY = 3;
  private static final SignerKey OPERATOR = SignerKey.generate("control", KeyType.ED25519);
  private static final MemberKeys PINS = SignedRound.pins(4);

  /** Honest rounds: two epochs each of a few names, and what was signed in them. */
  private static final List<SignedRound> KNOWN = new ArrayList<>();

  /** How a round is forged. */
  private enum Forgery {
    STRANGERS_AS_MEMBERS,
    OUTCOME_CHANGED,
    SIGNATURES_OF_ANOTHER_ROUND,
    SIGNATURES_OF_ANOTHER_EPOCH,
    MEMBERS_DROPPED,
    SIGNER_TWICE,
    TEXT_OR_VECTOR_CHANGED,
    KEY_PUBLISHED_BY_THE_OPERATOR,
    KEY_PUBLISHED_LATE,
    MARKED_UNSIGNED
  }

  @BeforeAll
  static void honestRounds() {
    for (int i = 0; i < HONEST; i++) {
      SignedRound round =
          new SignedRound(new LedgerWriter(i), "known-" + i / 2, 1, 1, SignatureRule.REQUIRED)
              .keys()
              .open()
              .decide()
              .sign(0, 1, 2, 3);
      KNOWN.add(round);
    }
  }

  private static SignerKey drawn(String name, Random random) {
    byte[] seed = new byte[32];
    random.nextBytes(seed);
    return SignerKey.fromSeed(name, KeyType.ED25519, seed);
  }

  private static NoteSignature line(String member, String text, SignerKey key) {
    return NoteSignature.of(member, Note.sign(text, key).signatures().getFirst().base64())
        .orElseThrow();
  }

  private static Note note(String text) {
    return Note.sign(text, OPERATOR);
  }

  /** An outcome as the forger wishes it. */
  private static RoundOutcome wished(RoundOutcome like, Random random) {
    return changed(like, like.id(), like.members(), like.faults(), like.signatures(), random);
  }

  private static RoundOutcome changed(
      RoundOutcome like,
      RoundId id,
      List<String> members,
      int faults,
      Optional<Signing> signatures,
      Random random) {
    byte[] digest = new byte[32];
    random.nextBytes(digest);
    return new RoundOutcome(
        id,
        members,
        faults,
        like.encoding(),
        like.kind(),
        Optional.empty(),
        Optional.of("refutes-" + random.nextInt(1000)),
        Math.min(members.size(), like.delivered()),
        Math.min(members.size(), like.support()),
        0,
        members,
        like.subjectSha256(),
        Optional.of(Digest.of(digest)),
        signatures,
        like.decidedAtMs() + random.nextInt(1000));
  }

  private static Note honestLines(Note onto, SignedRound from) {
    return from.round.record().signatures().on(onto);
  }

  /** The certificate that a forger shows. */
  private static Note forge(Forgery how, SignedRound base, SignedRound other, Random random) {
    RoundOutcome real = base.outcome();
    return switch (how) {
      case STRANGERS_AS_MEMBERS -> {
        List<String> members = List.of("agent-" + FAULTY, "eve-0", "eve-1", "eve-2");
        RoundOutcome forged =
            changed(real, real.id(), members, 1, Optional.of(Signing.MEMBERS), random);
        String text = OutcomeNote.text(forged);
        Note all = note(text);
        for (String member : members.subList(1, 4)) {
          all = all.with(line(member, text, drawn(member, random)));
        }
        yield all.with(line("agent-" + FAULTY, text, SignedRound.key(FAULTY)));
      }
      case OUTCOME_CHANGED -> {
        String text = OutcomeNote.text(wished(real, random));
        yield honestLines(note(text), base)
            .with(line("agent-" + FAULTY, text, SignedRound.key(FAULTY)));
      }
      case SIGNATURES_OF_ANOTHER_ROUND, SIGNATURES_OF_ANOTHER_EPOCH -> {
        RoundId id =
            how == Forgery.SIGNATURES_OF_ANOTHER_EPOCH
                ? new RoundId(other.id().round(), other.id().epoch() + 1 + random.nextInt(9))
                : new RoundId("forged-" + random.nextInt(1000), 1);
        String text =
            OutcomeNote.text(
                changed(real, id, real.members(), 1, Optional.of(Signing.MEMBERS), random));
        yield honestLines(note(text), other);
      }
      case MEMBERS_DROPPED -> {
        List<String> members = List.of("agent-" + random.nextInt(FAULTY), "agent-" + FAULTY);
        String text =
            OutcomeNote.text(
                changed(real, real.id(), members, 0, Optional.of(Signing.MEMBERS), random));
        yield note(text).with(line("agent-" + FAULTY, text, SignedRound.key(FAULTY)));
      }
      case SIGNER_TWICE -> {
        String text = OutcomeNote.text(wished(real, random));
        Note all = note(text);
        for (int i = 0; i < 4; i++) {
          String member = "agent-" + (random.nextBoolean() ? FAULTY : i);
          NoteSignature own = line("agent-" + FAULTY, text, SignedRound.key(FAULTY));
          all = all.with(NoteSignature.of(member, own.base64()).orElseThrow());
        }
        yield all;
      }
      case TEXT_OR_VECTOR_CHANGED -> {
        RoundOutcome forged =
            changed(real, real.id(), real.members(), 1, Optional.of(Signing.MEMBERS), random);
        yield honestLines(note(OutcomeNote.text(forged)), base);
      }
      case KEY_PUBLISHED_BY_THE_OPERATOR, KEY_PUBLISHED_LATE -> {
        String text = OutcomeNote.text(wished(real, random));
        Note all = note(text);
        for (int member = 0; member < FAULTY; member++) {
          all = all.with(line("agent-" + member, text, drawn("agent-" + member, random)));
        }
        yield all.with(line("agent-" + FAULTY, text, SignedRound.key(FAULTY)));
      }
      case MARKED_UNSIGNED -> {
        Optional<Signing> mark =
            random.nextBoolean() ? Optional.empty() : Optional.of(Signing.UNSIGNED);
        yield note(OutcomeNote.text(changed(real, real.id(), real.members(), 1, mark, random)));
      }
    };
  }

  /** The ledger that the forger writes: it is the operator's, and follows from itself. */
  private static List<byte[]> ledger(Forgery how, SignedRound base, int seed, Random random) {
    LedgerWriter ledger = new LedgerWriter(seed);
    boolean isOfFew = how == Forgery.MEMBERS_DROPPED;
    SignatureRule rule =
        how == Forgery.MARKED_UNSIGNED ? SignatureRule.OFFERED : SignatureRule.REQUIRED;
    SignedRound round = new SignedRound(ledger, base.id().round(), 1, isOfFew ? 0 : 1, rule);
    List<SignerKey> keys = new ArrayList<>();
    for (int member = 0; member < round.members; member++) {
      boolean isOwn = how == Forgery.SIGNER_TWICE || how == Forgery.MARKED_UNSIGNED;
      keys.add(
          isOfFew || isOwn && member == FAULTY
              ? SignedRound.key(member)
              : drawn("agent-" + member, random));
    }
    boolean isLate = how == Forgery.KEY_PUBLISHED_LATE;
    if (isLate) {
      round.keys().open();
    }
    for (int member = 0; member < round.members; member++) {
      ledger.append(round.partyKey(member, keys.get(member)));
    }
    if (!isLate) {
      round.open();
    }
    for (int member = 0; member < round.members; member++) {
      RoundEntry.Proposed plain =
          round.round.proposed(
              member, "refutes", "forged " + random.nextInt(), round.round.near(1));
      RoundEntry.Proposed honest = base.round.record().proposals().get(member);
      ledger.append(
          switch (how) {
            case MARKED_UNSIGNED -> plain;
            case TEXT_OR_VECTOR_CHANGED, OUTCOME_CHANGED ->
                SignedRound.with(plain, honest.signature().orElseThrow());
            default -> SignedRound.signed(plain, keys.get(member));
          });
    }
    if (ledger.state().round(round.id()).orElseThrow().proposals().isEmpty()) {
      return ledger.bytes(); // nothing that anybody could decide
    }
    ledger.append(round.round.sealed(SealCause.DEADLINE));
    ledger.append(round.round.decided());
    String text = OutcomeNote.text(round.outcome());
    for (int member = 0; member < round.members; member++) {
      ledger.append(round.line(member, keys.get(member), text));
    }
    return ledger.bytes();
  }

  @Test
  void noForgedRound_isBelieved_byWhomeverHasTheMembersKeys() {
    Random random = new Random(42);
    Map<Forgery, Integer> believed = new EnumMap<>(Forgery.class);
    Map<Forgery, Integer> tried = new EnumMap<>(Forgery.class);
    Forgery[] all = Forgery.values();
    for (int i = 0; i < ROUNDS; i++) {
      Forgery how = all[i % all.length];
      SignedRound base = KNOWN.get(random.nextInt(HONEST));
      SignedRound other = KNOWN.get(random.nextInt(HONEST));
      byte[] note = forge(how, base, other, random).bytes();
      tried.merge(how, 1, Integer::sum);
      if (i < 10 * all.length) {
        assertThat(OutcomeNote.read(note, List.of(OPERATOR.verifier())))
            .as("the operator's signature holds: %s", how)
            .isInstanceOf(OutcomeNote.OutcomeReading.Good.class);
      }
      if (OutcomeCertificate.read(note, PINS) instanceof Reading.Final) {
        believed.merge(how, 1, Integer::sum);
      }
    }
    assertThat(believed).isEmpty();
    assertThat(tried.values()).allMatch(count -> count == ROUNDS / all.length);
  }

  @Test
  void noForgedLedger_isSound_toWhomeverHasTheMembersKeys() {
    Random random = new Random(43);
    for (int i = 0; i < 300; i++) {
      Forgery how = Forgery.values()[i % Forgery.values().length];
      SignedRound base = KNOWN.get(random.nextInt(HONEST));
      Recomputation recomputation = new Recomputation(PINS);
      List<byte[]> entries = ledger(how, base, i, random);
      for (int index = 0; index < entries.size(); index++) {
        recomputation.entry(index, entries.get(index));
      }
      assertThat(recomputation.report(Long.MAX_VALUE).agrees()).as("%s, %s", how, i).isFalse();
    }
  }

  @Test
  void honestRounds_areBelieved() {
    for (SignedRound round : KNOWN) {
      assertThat(OutcomeCertificate.read(round.certificate(OPERATOR), PINS))
          .isInstanceOf(Reading.Final.class);
      Recomputation recomputation = new Recomputation(PINS);
      List<byte[]> entries = round.ledger.bytes();
      for (int index = 0; index < entries.size(); index++) {
        recomputation.entry(index, entries.get(index));
      }
      assertThat(recomputation.report(Long.MAX_VALUE).disagreements()).isEmpty();
    }
  }
}
