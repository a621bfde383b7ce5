package dev.parlance.ledger.record;

import dev.parlance.ledger.record.RecomputationReport.Disagreement;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Recomputes rounds while the entries go by, and counts. */
final class RoundTally {
  private final List<RecomputationReport.Overtaken> overtaken = new ArrayList<>();
  private long overtakenCount;
  private long opened;
  private long proposals;
  private long semanticCommits;
  private long verdictCommits;
  private long aborts;
  private long expired;
  private long equivocations;

  /**
   * Takes an entry that counts, after the state has taken it in.
   *
   * @return what is wrong with it, if anything is
   */
  Optional<Disagreement> counted(long index, RoundEntry entry, LedgerState state) {
    RoundRecord round =
        state
            .round(entry.id())
            .orElseThrow(() -> new IllegalStateException("counted without a round"));
    return switch (entry) {
      case RoundEntry.Opened _ -> {
        opened++;
        yield Optional.empty();
      }
      case RoundEntry.Proposed _ -> {
        proposals++;
        yield Optional.empty();
      }
      case RoundEntry.Sealed _ -> {
        if (round.state().status() == RoundState.Status.EXPIRED) {
          expired++;
          round.outcome().ifPresent(this::ended);
        }
        yield Optional.empty();
      }
      case RoundEntry.Decided stands -> {
        round.outcome().ifPresent(this::ended);
        RoundEntry.Decided follows = follows(round, stands);
        yield follows.equals(stands)
            ? Optional.empty()
            : Optional.of(differs(index, "round_decision_differs", stands, follows));
      }
    };
  }

  /** A decision that says something else than an earlier one, with what it should have said. */
  static Disagreement contradicts(
      long index, Applied.Cause cause, RoundEntry.Decided stands, LedgerState state) {
    RoundRecord round =
        state
            .round(stands.id())
            .orElseThrow(() -> new IllegalStateException("contradicts without a round"));
    return differs(index, cause.code(), stands, follows(round, stands));
  }

  private static RoundEntry.Decided follows(RoundRecord round, RoundEntry.Decided stands) {
    return RoundDecision.of(round, stands.atMs())
        .orElseThrow(() -> new IllegalStateException("decided and without outcome"));
  }

  private static Disagreement differs(
      long index, String code, RoundEntry.Decided stands, RoundEntry.Decided follows) {
    return new Disagreement(index, code, EntryCodec.line(stands), EntryCodec.line(follows));
  }

  private void ended(Outcome outcome) {
    switch (outcome) {
      case Outcome.SemanticCommit _ -> semanticCommits++;
      case Outcome.VerdictCommit _ -> verdictCommits++;
      case Outcome.Abort _ -> aborts++;
    }
    equivocations +=
        outcome.dropped().stream()
            .filter(drop -> drop.reason() == Outcome.DropReason.EQUIVOCATION)
            .count();
  }

  /** Takes an entry that another replica's entry has come before. */
  void overtaken(long index, Applied.Cause cause) {
    overtakenCount++;
    if (overtaken.size() < Recomputation.MAX_LISTED) {
      overtaken.add(new RecomputationReport.Overtaken(index, cause.code()));
    }
  }

  RecomputationReport.Rounds report(LedgerState state) {
    return new RecomputationReport.Rounds(
        opened,
        proposals,
        semanticCommits,
        verdictCommits,
        aborts,
        expired,
        equivocations,
        state.unfinishedRounds().stream().map(round -> round.id().bound()).toList(),
        overtaken,
        overtakenCount);
  }
}
