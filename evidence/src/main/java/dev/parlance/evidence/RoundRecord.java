package dev.parlance.evidence;

import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import java.util.List;
import java.util.Optional;

/**
 * What the ledger says of one epoch of a round. Immutable.
 *
 * @param opened its opening
 * @param openedAt index of that entry
 * @param state where it stands
 * @param proposals the entries that were taken (counted, or kept as evidence of an equivocation)
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
}
