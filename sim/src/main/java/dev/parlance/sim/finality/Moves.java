package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundEvent;
import dev.parlance.policy.commit.RoundId;
import java.util.ArrayList;
import java.util.List;

/** What the adversary sends: before the round is sealed, in any order, and behind the seal. */
final class Moves {
  private final RoundId round;
  private final List<RoundEvent.Proposed> beforeSeal = new ArrayList<>();
  private final List<RoundEvent.Proposed> behindSeal = new ArrayList<>();

  Moves(RoundId round) {
    this.round = round;
  }

  void inTime(Proposal proposal) {
    beforeSeal.add(new RoundEvent.Proposed(round, proposal));
  }

  void late(Proposal proposal) {
    behindSeal.add(new RoundEvent.Proposed(round, proposal));
  }

  /** Sent to another epoch of the round, in time. */
  void toEpoch(long epoch, Proposal proposal) {
    beforeSeal.add(new RoundEvent.Proposed(new RoundId(round.round(), epoch), proposal));
  }

  List<RoundEvent.Proposed> beforeSeal() {
    return List.copyOf(beforeSeal);
  }

  List<RoundEvent.Proposed> behindSeal() {
    return List.copyOf(behindSeal);
  }
}
