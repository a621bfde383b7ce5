package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.Parallel;
import dev.parlance.sim.SimulationProgress;
import dev.parlance.sim.finality.AdversaryRow.Attack;
import dev.parlance.sim.finality.Referee.Ruling;
import dev.parlance.sim.finality.Referee.Ruling.Breach;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Plays many rounds of all sizes against adversaries and counts where a promise was broken. Attacks
 * take turns, so each has its share of the rounds.
 */
final class AdversaryStudy {
  private static final int CHUNK = 500;

  private AdversaryStudy() {}

  /**
   * The rounds of a study.
   *
   * @param rows one an attack
   * @param refused proposals that the round machine did not take, by reason
   * @param equivocations proposals kept as evidence against their senders
   */
  record Counted(List<AdversaryRow> rows, Map<RoundRefusal, Long> refused, long equivocations) {}

  /**
   * Plays them.
   *
   * @param excess how many agents more than f are faulty: 0 is what the protocol assumes
   */
  static Counted run(
      String stage, long rounds, int excess, long seed, int threads, SimulationProgress progress) {
    int chunks = Math.toIntExact((rounds + CHUNK - 1) / CHUNK);
    SplittableRandom root = new SplittableRandom(seed);
    SplittableRandom[] randoms = new SplittableRandom[chunks];
    for (int chunk = 0; chunk < chunks; chunk++) {
      randoms[chunk] = root.split();
    }
    Map<Attack, StudyCount> counts = counts();
    Parallel.<Map<Attack, StudyCount>, RuntimeException>inOrder(
        chunks,
        threads,
        chunk ->
            play(
                (long) chunk * CHUNK,
                Math.min(rounds, (chunk + 1L) * CHUNK),
                excess,
                randoms[chunk]),
        (chunk, more) -> {
          more.forEach((attack, count) -> count(counts, attack).add(count));
          progress.advanced(stage, Math.min(rounds, (chunk + 1L) * CHUNK), rounds);
        });
    List<AdversaryRow> rows = new ArrayList<>();
    StudyCount all = new StudyCount();
    counts.forEach((attack, count) -> {
      rows.add(count.row(attack));
      all.add(count);
    });
    return new Counted(rows, all.refused(), all.equivocations());
  }

  private static Map<Attack, StudyCount> play(
      long from, long to, int excess, SplittableRandom random) {
    Map<Attack, StudyCount> counts = counts();
    Attack[] attacks = Attack.values();
    SceneMaker maker = new SceneMaker(random);
    for (long number = from; number < to; number++) {
      Attack attack = attacks[(int) (number % attacks.length)];
      Scene scene = maker.make(number, excess);
      RoundPlay.Played played =
          RoundPlay.play(scene, Adversary.moves(scene, attack, random), random);
      count(counts, attack).add(played, Referee.rule(scene, played, random));
    }
    return counts;
  }

  private static Map<Attack, StudyCount> counts() {
    Map<Attack, StudyCount> counts = new EnumMap<>(Attack.class);
    for (Attack attack : Attack.values()) {
      counts.put(attack, new StudyCount());
    }
    return counts;
  }

  private static StudyCount count(Map<Attack, StudyCount> counts, Attack attack) {
    return counts.computeIfAbsent(attack, _ -> new StudyCount());
  }

  /** Counts rounds of one attack. Mutable; one thread at a time. */
  static final class StudyCount {
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

    AdversaryRow row(Attack attack) {
      return new AdversaryRow(
          attack,
          rounds,
          semantic,
          verdict,
          aborts,
          new AdversaryRow.Breaches(
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
}
