package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.Parallel;
import dev.parlance.sim.SimulationProgress;
import dev.parlance.sim.finality.AdversaryRow.Attack;
import dev.parlance.sim.finality.Referee.Ruling;
import dev.parlance.sim.finality.Referee.Ruling.Breach;
import dev.parlance.sim.finality.Scene.Arrival;
import dev.parlance.sim.finality.Scene.Honest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

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

  /**
   * Makes up rounds of all sizes: agents that agree, lean one way or are of two minds, mean nearly
   * the same or scatter, and whose proposals come, come late or never.
   */
  record SceneMaker(RandomGenerator random) {
    private static final double[] COS_MIN = {0.5, 0.8, 0.9, 0.95, 0.99};
    private static final double[] SPREAD_DEGREES = {0.5, 2.2, 6.0, 15.0, 40.0};
    private static final List<String> VERDICTS = List.of("supported", "refuted", "unclear");

    /**
     * A round.
     *
     * @param number gives it its name
     * @param excess how many agents more than f are faulty: 0 is what the protocol assumes
     */
    Scene make(long number, int excess) {
      boolean feasible = excess > 0 || random.nextInt(20) > 0;
      int faults = pick(1, 1, 1, 2, 2, 2, 3, 3, 4, 5);
      int size =
          feasible
              ? Math.min(RoundSpec.MAX_MEMBERS, 3 * faults + 1 + random.nextInt(3))
              : Math.max(2, 3 * faults - random.nextInt(2));
      int faulty =
          excess > 0 ? faults + excess : random.nextInt(5) == 0 ? random.nextInt(faults) : faults;
      List<String> members = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        members.add("agent-" + (char) ('a' + i));
      }
      List<String> shuffled = new ArrayList<>(members);
      RoundPlay.shuffle(shuffled, random);
      int dim = 8 + random.nextInt(17);
      RoundId id = new RoundId("study-" + number, 1 + random.nextInt(3));
      RoundSpec spec =
          new RoundSpec(
              id.bound(),
              faults,
              members,
              new Encoding("simulated", dim, COS_MIN[random.nextInt(COS_MIN.length)]),
              random.nextInt(8) == 0 ? 1 + random.nextInt(2) : 0,
              random.nextInt(8) > 0);
      return new Scene(
          id, spec, honest(shuffled.subList(faulty, size), dim), shuffled.subList(0, faulty));
    }

    private List<Honest> honest(List<String> agents, int dim) {
      double[] claim = Sphere.any(random, dim);
      double[] otherClaim = Sphere.any(random, dim);
      double spread = StrictMath.toRadians(SPREAD_DEGREES[random.nextInt(SPREAD_DEGREES.length)]);
      // How likely an honest agent is to have the first verdict: all do, most do, or half of them.
      double agreement = new double[] {1.0, 1.0, 0.85, 0.6}[random.nextInt(4)];
      boolean reliable = random.nextInt(2) == 0;
      boolean encoderFails = random.nextInt(30) == 0;
      List<Honest> honest = new ArrayList<>();
      for (String agent : agents) {
        String verdict =
            random.nextDouble() < agreement
                ? VERDICTS.getFirst()
                : VERDICTS.get(1 + (random.nextInt(4) == 0 ? 1 : 0));
        double[] of = verdict.equals(VERDICTS.getFirst()) ? claim : otherClaim;
        boolean outlier = random.nextInt(12) == 0;
        double[] direction =
            outlier ? Sphere.tilted(of, 3.0 * spread, random) : Sphere.blurred(of, spread, random);
        boolean unencoded = encoderFails && random.nextBoolean();
        honest.add(
            new Honest(
                agent,
                verdict,
                agent + " thinks",
                unencoded ? Optional.empty() : Optional.of(direction),
                reliable ? Arrival.IN_TIME : arrival()));
      }
      return honest;
    }

    private Arrival arrival() {
      int drawn = random.nextInt(100);
      return drawn < 88 ? Arrival.IN_TIME : drawn < 95 ? Arrival.LATE : Arrival.NEVER;
    }

    private int pick(int... values) {
      return values[random.nextInt(values.length)];
    }
  }
}
