package dev.parlance.ledger.record;

import dev.parlance.policy.commit.AbortReason;
import dev.parlance.policy.commit.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import java.util.List;
import java.util.Optional;

/** What every outcome of a round has, on the ledger and in a note. */
final class RoundChecks {
  static final String SEMANTIC_COMMIT = "semantic_commit";
  static final String VERDICT_COMMIT = "verdict_commit";
  static final String ABORT = "abort";

  private RoundChecks() {}

  /** Refuses commits without verdict, core or digest, and aborts with them or without reason. */
  static void outcome(
      String kind,
      Optional<String> reason,
      Optional<String> verdict,
      List<String> core,
      Optional<String> digest) {
    boolean commit =
        switch (kind) {
          case SEMANTIC_COMMIT, VERDICT_COMMIT -> true;
          case ABORT -> false;
          default -> throw new IllegalArgumentException("expected an outcome, got " + kind);
        };
    if (reason.isPresent() == commit
        || verdict.isPresent() != commit
        || digest.isPresent() != commit
        || core.isEmpty() == commit) {
      throw new IllegalArgumentException(
          "expected verdict, core and digest exactly for a commit, a reason exactly for an abort");
    }
    if (reason.isPresent() && AbortReason.ofCode(reason.get()).isEmpty()) {
      throw new IllegalArgumentException("expected a reason of an abort, got " + reason.get());
    }
    if (verdict.isPresent() && !RoundNames.isName(verdict.get())) {
      throw new IllegalArgumentException("expected a verdict, got " + verdict.get());
    }
    digest.ifPresent(Digest::checked);
    if (core.size() > RoundSpec.MAX_MEMBERS
        || !core.stream().allMatch(RoundNames::isName)
        || !Checks.isAscending(core)) {
      throw new IllegalArgumentException("expected a core in byte order, got " + core);
    }
  }

  /** Refuses counts that no round of so many members has. */
  static void counts(int members, int delivered, int support, int runnerUp) {
    if (runnerUp < 0
        || support < runnerUp
        || delivered - support < runnerUp
        || members < delivered) {
      throw new IllegalArgumentException(
          "expected counts of "
              + members
              + " members, got "
              + delivered
              + ", "
              + support
              + ", "
              + runnerUp);
    }
  }
}
