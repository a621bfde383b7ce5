package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Outcome.Count;
import java.util.List;
import java.util.Optional;

/** Algorithm {@code hcsc-mda-1}. */
public final class Hcsc {
  private Hcsc() {}

  /**
   * The outcome of a round with these proposals. Their order decides nothing but the order in which
   * the dropped ones are listed.
   */
  public static Outcome decide(RoundSpec spec, List<Proposal> proposals) {
    if (spec.size() < 3L * spec.faults() + 1) {
      return new Outcome.Abort(AbortReason.BFT_INFEASIBLE, Count.NONE, List.of());
    }
    Delivery delivery = Delivery.of(spec, proposals);
    int delivered = delivery.size();
    if (delivered < spec.size() - spec.faults() || delivered == 0) {
      Count count = new Count(delivered, 0, 0);
      return new Outcome.Abort(AbortReason.INSUFFICIENT_DELIVERY, count, delivery.dropped());
    }
    Standing standing = Standing.of(delivery.counted());
    Count count = new Count(delivered, standing.leaders().size(), standing.runnerUp());
    Optional<AbortReason> obstacle = obstacle(spec, count);
    return obstacle.isPresent()
        ? new Outcome.Abort(obstacle.get(), count, delivery.dropped())
        : finish(spec, standing, count, delivery.dropped());
  }

  /**
   * The verdict that more members gave than any other, whether or not it is enough for a commit;
   * empty if none leads or the round does not come so far (steps 1 and 3). For reports: an abort
   * binds nobody to it.
   */
  public static Optional<String> leading(RoundSpec spec, List<Proposal> proposals) {
    return switch (decide(spec, proposals)) {
      case Outcome.SemanticCommit commit -> Optional.of(commit.verdict());
      case Outcome.VerdictCommit commit -> Optional.of(commit.verdict());
      case Outcome.Abort abort when abort.count().margin() > 0 ->
          Optional.of(Standing.of(Delivery.of(spec, proposals).counted()).verdict());
      case Outcome.Abort abort -> Optional.empty();
    };
  }

  /** What keeps the leading verdict from a commit (step 4). */
  private static Optional<AbortReason> obstacle(RoundSpec spec, Count count) {
    if (count.margin() == 0) {
      return Optional.of(AbortReason.VERDICT_TIE);
    }
    if (count.support() < 2L * spec.faults() + 1) {
      return Optional.of(AbortReason.NO_VERDICT_QUORUM);
    }
    return count.margin() < leastMargin(spec, count)
        ? Optional.of(AbortReason.WEAK_VERDICT_MARGIN)
        : Optional.empty();
  }

  private static long leastMargin(RoundSpec spec, Count count) {
    return spec.faults() + 1L + (spec.size() - count.delivered());
  }

  /** Steps 5 to 7. */
  private static Outcome finish(
      RoundSpec spec, Standing standing, Count count, List<Outcome.Drop> dropped) {
    String verdict = standing.verdict();
    List<Proposal> leaders = standing.leaders();
    Optional<SemanticCore> found = SemanticCore.find(leaders, spec);
    if (found.isPresent()) {
      SemanticCore core = found.get();
      String digest =
          RoundDigest.of(spec, verdict, count, core.members(), Optional.of(core.aggregate()));
      return new Outcome.SemanticCommit(
          verdict, count, agents(core.members()), core.minCos(), core.aggregate(), digest, dropped);
    }
    if (spec.verdictFallback() && count.margin() >= leastMargin(spec, count) + spec.extraMargin()) {
      String digest = RoundDigest.of(spec, verdict, count, leaders, Optional.empty());
      return new Outcome.VerdictCommit(verdict, count, agents(leaders), digest, dropped);
    }
    return new Outcome.Abort(AbortReason.SEMANTIC_DISPERSED, count, dropped);
  }

  private static List<String> agents(List<Proposal> members) {
    return members.stream().map(Proposal::agent).toList();
  }
}
