package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.sim.finality.Scene.Arrival;
import dev.parlance.sim.finality.Scene.Honest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Makes up rounds of all sizes: agents that agree, lean one way or are of two minds, mean nearly
 * the same or scatter, and whose proposals come, come late or never.
 */
final class SceneMaker {
  private static final double[] COS_MIN = {0.5, 0.8, 0.9, 0.95, 0.99};
  private static final double[] SPREAD_DEGREES = {0.5, 2.2, 6.0, 15.0, 40.0};
  private static final List<String> VERDICTS = List.of("supported", "refuted", "unclear");

  private final RandomGenerator random;

  SceneMaker(RandomGenerator random) {
    this.random = random;
  }

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
