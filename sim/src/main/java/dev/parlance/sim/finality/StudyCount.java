package dev.parlance.sim.finality;

import dev.parlance.policy.commit.AbortReason;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundRefusal;
import dev.parlance.sim.finality.Ruling.Breach;
import java.util.EnumMap;
import java.util.Map;

/** Counts rounds of one attack. Mutable; one thread at a time. */
final class StudyCount {
  private final Map<AbortReason, Long> aborts = new EnumMap<>(AbortReason.class);
  private final Map<Breach, Long> breaches = new EnumMap<>(Breach.class);
  private final Map<RoundRefusal, Long> refused = new EnumMap<>(RoundRefusal.class);
  private long rounds;
  private long semantic;
  private long verdict;
  private long equivocations;
  private double largestOfBound;
  private double largestDegrees;

  void add(RoundPlay.Played played, Ruling ruling) {
    rounds++;
    if (ruling.outcome().isPresent()) {
      switch (ruling.outcome().get()) {
        case Outcome.SemanticCommit _ -> semantic++;
        case Outcome.VerdictCommit _ -> verdict++;
        case Outcome.Abort abort -> aborts.merge(abort.reason(), 1L, Long::sum);
      }
    }
    ruling.breaches().forEach(breach -> breaches.merge(breach, 1L, Long::sum));
    played.refused().forEach((reason, times) -> refused.merge(reason, (long) times, Long::sum));
    equivocations += played.equivocations();
    largestOfBound = Math.max(largestOfBound, ruling.ofBound().orElse(0.0));
    largestDegrees = Math.max(largestDegrees, ruling.degrees().orElse(0.0));
  }

  void add(StudyCount other) {
    rounds += other.rounds;
    semantic += other.semantic;
    verdict += other.verdict;
    equivocations += other.equivocations;
    other.aborts.forEach((reason, times) -> aborts.merge(reason, times, Long::sum));
    other.breaches.forEach((breach, times) -> breaches.merge(breach, times, Long::sum));
    other.refused.forEach((reason, times) -> refused.merge(reason, times, Long::sum));
    largestOfBound = Math.max(largestOfBound, other.largestOfBound);
    largestDegrees = Math.max(largestDegrees, other.largestDegrees);
  }

  Map<RoundRefusal, Long> refused() {
    return Map.copyOf(refused);
  }

  long equivocations() {
    return equivocations;
  }

  StudyRow row(Attack attack) {
    return new StudyRow(
        attack,
        rounds,
        semantic,
        verdict,
        aborts,
        new StudyRow.Breaches(
            count(Breach.NO_OUTCOME),
            count(Breach.WRONG_VERDICT),
            count(Breach.INFEASIBLE_COMMIT),
            count(Breach.BOUND_EXCEEDED),
            count(Breach.DENIED),
            count(Breach.ORDER_MATTERS)),
        largestOfBound,
        largestDegrees);
  }

  private long count(Breach breach) {
    return breaches.getOrDefault(breach, 0L);
  }
}
