package dev.parlance.ledger.record;

import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the ledger says of one epoch of a round. Immutable.
 *
 * @param opened its opening
 * @param openedAt index of that entry
 * @param state where it stands
 * @param proposals the entries that were taken (counted, or kept as evidence of an equivocation);
 *     those of rounds that ended long ago are not kept, nor are the state's ({@link #isWhole})
 * @param sealed the first seal
 * @param decided the first decision, which an expired round has none of
 * @param decidedAt its index
 */
public record RoundRecord(
    RoundEntry.Opened opened,
    long openedAt,
    RoundState state,
    List<RoundEntry.Proposed> proposals,
    Optional<RoundEntry.Sealed> sealed,
    Optional<RoundEntry.Decided> decided,
    Optional<Long> decidedAt) {
  /** Copies the list. */
  public RoundRecord {
    proposals = List.copyOf(proposals);
  }

  /** Which round and epoch. */
  public RoundId id() {
    return opened.id();
  }

  /** The outcome, once it is on the ledger (an expired round's: once it is sealed). */
  public Optional<Outcome> outcome() {
    return state.outcome();
  }

  /** When it ended, milliseconds since the epoch: when it was decided, or sealed if it expired. */
  public Optional<Long> endedAtMs() {
    return state.status() == RoundState.Status.EXPIRED
        ? sealed.map(RoundEntry.Sealed::atMs)
        : decided.map(RoundEntry.Decided::atMs);
  }

  /** False if the proposals are no longer kept; they stand on the ledger behind the opening. */
  public boolean isWhole() {
    return switch (state.status()) {
      case OPEN, COLLECTING, SEALED, EXPIRED -> true;
      case DECIDED -> !proposals.isEmpty();
    };
  }

  RoundRecord taken(RoundState next, RoundEntry.Proposed proposed) {
    List<RoundEntry.Proposed> more = new ArrayList<>(proposals);
    more.add(proposed);
    return new RoundRecord(opened, openedAt, next, more, sealed, decided, decidedAt);
  }

  RoundRecord sealed(RoundState next, RoundEntry.Sealed seal) {
    return new RoundRecord(
        opened, openedAt, next, proposals, Optional.of(seal), decided, decidedAt);
  }

  RoundRecord decided(RoundState next, long index, RoundEntry.Decided decision) {
    return new RoundRecord(
        opened, openedAt, next, proposals, sealed, Optional.of(decision), Optional.of(index));
  }

  RoundRecord withoutProposals() {
    RoundState bare =
        new RoundState(
            state.id(),
            state.spec(),
            state.status(),
            List.of(),
            state.differences(),
            state.outcome());
    return new RoundRecord(opened, openedAt, bare, List.of(), sealed, decided, decidedAt);
  }
}
