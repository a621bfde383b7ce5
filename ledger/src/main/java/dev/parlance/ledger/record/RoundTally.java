package dev.parlance.ledger.record;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.record.RecomputationReport.Disagreement;
import dev.parlance.policy.commit.CertificateState;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Recomputes rounds while the entries go by, and counts. */
final class RoundTally {
  private final List<RecomputationReport.Overtaken> overtaken = new ArrayList<>();
  private final List<RecomputationReport.Contradicted> contradicted = new ArrayList<>();
  private long overtakenCount;
  private long opened;
  private long proposals;
  private long semanticCommits;
  private long verdictCommits;
  private long aborts;
  private long expired;
  private long equivocations;
  private long signatures;
  private long certified;

  /** Commits that are their members' word and were not signed by 2f+1 of them, in order. */
  private final Set<RoundId> notFinal = new LinkedHashSet<>();

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
      case RoundEntry.Proposed proposed -> {
        proposals++;
        contradicts(round, proposed);
        yield Optional.empty();
      }
      case RoundEntry.Signed _ -> {
        signatures++;
        if (round.signatures().lines().size()
            == CertificateState.quorum(round.opened().spec().faults())) {
          certified++;
          notFinal.remove(round.id());
        }
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
        if (!round.isFinal() && !(round.outcome().orElseThrow() instanceof Outcome.Abort)) {
          notFinal.add(round.id());
        }
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

  /** Notes who has signed both of two proposals that were taken of it. */
  private void contradicts(RoundRecord round, RoundEntry.Proposed proposed) {
    List<RoundEntry.Proposed> own =
        round.proposals().stream().filter(one -> one.agent().equals(proposed.agent())).toList();
    if (own.size() > 1
        && own.stream().allMatch(one -> one.signature().isPresent())
        && contradicted.size() < Recomputation.MAX_LISTED) {
      contradicted.add(new RecomputationReport.Contradicted(round.id().bound(), proposed.agent()));
    }
  }

  /** Takes an entry that another replica's entry has come before. */
  void overtaken(long index, Applied.Cause cause) {
    overtakenCount++;
    if (overtaken.size() < Recomputation.MAX_LISTED) {
      overtaken.add(new RecomputationReport.Overtaken(index, cause.code()));
    }
  }

  /** Commits that too few members have signed, whatever they say of that. */
  List<Disagreement> unsigned(LedgerState state, MemberKeys members) {
    List<Disagreement> unsigned = new ArrayList<>();
    for (RoundRecord round : state.rounds(Integer.MAX_VALUE)) {
      boolean isCommit =
          round.outcome().filter(outcome -> !(outcome instanceof Outcome.Abort)).isPresent();
      long quorum =
          CertificateState.quorum(Math.max(members.faults(), round.opened().spec().faults()));
      if (isCommit && round.signatures().lines().size() < quorum) {
        unsigned.add(
            new Disagreement(
                round.decidedAt().orElse(round.openedAt()),
                "outcome_not_signed",
                "round " + round.id() + ", signed by " + round.signatures().lines().size(),
                "signatures of " + quorum + " members whose keys are known"));
      }
    }
    return unsigned;
  }

  private static RecomputationReport.NotFinal withheld(RoundId id, LedgerState state) {
    return new RecomputationReport.NotFinal(
        id.bound(),
        state
            .round(id)
            .flatMap(round -> round.signatures().certificate())
            .map(CertificateState::withheld)
            .orElse(List.of()));
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
        contradicted,
        state.unfinishedRounds().stream().map(round -> round.id().bound()).toList(),
        overtaken,
        overtakenCount,
        signatures,
        certified,
        notFinal.stream().limit(Recomputation.MAX_LISTED).map(id -> withheld(id, state)).toList());
  }
}
