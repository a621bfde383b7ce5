package dev.parlance.ledger.record;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.List;

/**
 * Rounds of every kind on one ledger: each outcome, a second epoch, one that expires, one without
 * encoder, malformed and unencoded proposals, an equivocation, late and repeated entries, two
 * replicas that seal and decide at once, rounds under way.
 */
final class SampleRounds {
  private static final String YES = "supports";
  private static final String NO = "refutes";

  private SampleRounds() {}

  static LedgerWriter write(long seed) {
    LedgerWriter ledger = new LedgerWriter(seed);
    semantic(ledger);
    compared(ledger, "compared", "agent-0 agent-3 negation_changed;agent-1 agent-3 unread");
    compared(ledger, "compared-none", "");
    compared(
        ledger,
        "compared-apart",
        "agent-0 agent-1 number_changed;agent-2 agent-3 modality_changed");
    abortThenVerdict(ledger);
    withoutEncoder(ledger);
    faults(ledger);
    expired(ledger);
    RoundWriter.of(ledger, "under-way", 1, 1, 4).open().propose(0, YES, 0);
    RoundWriter.of(ledger, "sealed-only", 1, 1, 4)
        .open()
        .propose(2, YES, 0)
        .seal(SealCause.DEADLINE);
    return ledger;
  }

  private static void semantic(LedgerWriter ledger) {
    RoundWriter round = RoundWriter.of(ledger, "semantic", 1, 1, 4).open();
    ledger.ignored(Cause.DUPLICATE, round.opened());
    round.propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0);
    ledger.ignored(Cause.DUPLICATE, round.proposed(1, YES, "reason of 1", round.near(1)));
    round.propose(3, NO, 3).seal(SealCause.COMPLETE);
    ledger.ignored(Cause.DUPLICATE, round.sealed(SealCause.DEADLINE));
    ledger.ignored(Cause.LATE, round.proposed(3, YES, "changed my mind", round.near(0)));
    round.decide();
    ledger.ignored(Cause.DUPLICATE, round.decided());
  }

  /** Vectors are near; what texts say parts two members, or three. */
  private static void compared(LedgerWriter ledger, String name, String differs) {
    RoundId id = new RoundId(name, 1);
    RoundSpec spec =
        new RoundSpec(
            id.bound(),
            1,
            RoundWriter.members(4),
            RoundWriter.ENCODING,
            0,
            true,
            RoundSpec.Agreement.CRITICAL);
    RoundWriter round = new RoundWriter(ledger, id, spec, 3).open();
    round.propose(0, YES, 0).propose(1, YES, 0).propose(2, YES, 0).propose(3, YES, 0);
    ledger.counts(round.sealed(SealCause.COMPLETE, differs));
    round.decide();
  }

  private static void abortThenVerdict(LedgerWriter ledger) {
    RoundWriter first = RoundWriter.of(ledger, "twice", 1, 1, 4).open();
    first.propose(0, YES, 0).propose(1, YES, 1).propose(2, NO, 2).propose(3, NO, 3);
    first.seal(SealCause.COMPLETE).decide();
    RoundWriter second = RoundWriter.of(ledger, "twice", 2, 1, 4).open();
    second.propose(0, YES, 0).propose(1, YES, 1).propose(2, YES, 2).propose(3, YES, 3);
    second.seal(SealCause.COMPLETE).decide();
    ledger.ignored(Cause.LATE, first.proposed(0, NO, "too late", first.near(0)));
  }

  private static void withoutEncoder(LedgerWriter ledger) {
    RoundId id = new RoundId("plain", 1);
    RoundWriter round =
        new RoundWriter(ledger, id, RoundWriter.spec(id, 0, 3, Encoding.none()), 1).open();
    for (int agent = 0; agent < 3; agent++) {
      ledger.counts(round.proposed(agent, YES, "reason of " + agent, Meaning.UNENCODED));
    }
    round.seal(SealCause.COMPLETE).decide();
  }

  private static void faults(LedgerWriter ledger) {
    RoundId id = new RoundId("faults", 1);
    RoundSpec spec =
        new RoundSpec(id.bound(), 2, RoundWriter.members(10), RoundWriter.ENCODING, 1, false);
    RoundWriter round = new RoundWriter(ledger, id, spec, 9).open();
    for (int agent : List.of(9, 0, 1, 2, 3, 4)) {
      round.propose(agent, YES, 0);
    }
    ledger.counts(round.proposed(5, YES, "no vector", Meaning.MALFORMED));
    ledger.counts(round.proposed(6, YES, "no encoder", Meaning.UNENCODED));
    round.propose(7, NO, 4);
    ledger.counts(round.proposed(7, YES, "both ways", round.near(0)));
    ledger.ignored(Cause.EQUIVOCATED, round.proposed(7, YES, "three ways", round.near(0)));
    ledger.ignored(Cause.ROUND_EXISTS, otherConstants(ledger, round));
    round.propose(8, YES, 0);
    round.seal(SealCause.DEADLINE).decide();
  }

  private static RoundEntry.Opened otherConstants(LedgerWriter ledger, RoundWriter round) {
    return new RoundWriter(
            ledger, round.id, RoundWriter.spec(round.id, 0, 3, RoundWriter.ENCODING), 1)
        .opened();
  }

  private static void expired(LedgerWriter ledger) {
    RoundWriter.of(ledger, "expired", 1, 1, 4).open().seal(SealCause.DEADLINE);
    RoundWriter.of(ledger, "expired", 2, 1, 3).open().seal(SealCause.DEADLINE);
    RoundWriter third = RoundWriter.of(ledger, "expired", 3, 0, 1).open();
    third.propose(0, YES, 1).seal(SealCause.COMPLETE).decide();
  }
}
