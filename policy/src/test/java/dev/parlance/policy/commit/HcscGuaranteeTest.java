package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What {@link Hcsc} promises, against faulty members that see every other proposal first, agree
 * among themselves, and choose verdict, text and vector, send two, or stay away.
 */
class HcscGuaranteeTest {
  private static final int ROUNDS = 2_000 * Math.max(1, Integer.getInteger("soak", 5) / 50);
  static final RoundId ID = new RoundId("guarantee", 1);

  /** Cosines are compared as doubles: a chord may be misjudged by the root of their rounding. */
  private static final double ROUNDING = 1e-7;

  @Test
  void commit_isTheHonestPlurality_andItsDirectionStaysNearTheHonest() {
    int semantic = 0;
    int byVerdict = 0;
    int aborts = 0;
    double closest = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      RushingTable table = new RushingTable(new Random(seed));
      Outcome outcome = Hcsc.decide(table.spec, table.proposals());
      String which = "seed " + seed;
      switch (outcome) {
        case Outcome.SemanticCommit commit -> {
          semantic++;
          assertPlurality(table, commit.verdict(), which);
          closest = Math.max(closest, assertDirection(table, commit, which));
        }
        case Outcome.VerdictCommit commit -> {
          byVerdict++;
          assertPlurality(table, commit.verdict(), which);
        }
        case Outcome.Abort abort -> {
          aborts++;
          assertThat(table.mustCommit()).as(which).isFalse();
        }
      }
      if (table.mustCommit() && table.isTight()) {
        assertThat(outcome).as(which).isInstanceOf(Outcome.SemanticCommit.class);
      }
    }
    assertThat(semantic).isGreaterThan(ROUNDS / 4);
    assertThat(byVerdict).isGreaterThan(ROUNDS / 50);
    assertThat(aborts).isGreaterThan(ROUNDS / 20);
    // The adversary gets somewhere: the bound is not met only because nobody tries.
    assertThat(closest).isBetween(0.3, 1.0);
  }

  private static void assertPlurality(RushingTable table, String verdict, String which) {
    Map<String, Integer> votes = table.honestVotes();
    int own = votes.getOrDefault(verdict, 0);
    votes.remove(verdict);
    assertThat(votes.values()).as(which).allMatch(other -> other < own);
  }

  /** How much of the allowed angle the adversary used. */
  private static double assertDirection(
      RushingTable table, Outcome.SemanticCommit commit, String which) {
    int f = table.spec.faults();
    int a = commit.count().support();
    int s = commit.core().size();
    Map<String, double[]> leaders = table.units(commit.verdict());
    List<double[]> core = commit.core().stream().map(leaders::get).toList();
    List<double[]> honestLeaders = new ArrayList<>();
    List<double[]> honestCore = new ArrayList<>();
    leaders.forEach((agent, unit) -> {
      if (table.isHonest(agent)) {
        honestLeaders.add(unit);
        if (commit.core().contains(agent)) {
          honestCore.add(unit);
        }
      }
    });
    assertThat(honestCore.size()).as(which).isGreaterThanOrEqualTo(f + 1);

    double diameter = Directions.diameter(honestLeaders);
    double coreDiameter = Math.sqrt(Math.max(0, 2 - 2 * commit.minCos()));
    double length = Directions.norm(Directions.mean(core));
    assertThat(length)
        .as(which)
        .isGreaterThanOrEqualTo(
            Math.sqrt(Math.max(0, (1 + (s - 1) * commit.minCos()) / s)) - ROUNDING);
    double grid = Math.sqrt(table.dim) / (2 * QuantVector.SCALE);
    double slack = Math.asin(grid / length) + Math.asin(grid);

    // Off its own honest members by (f/s) times its diameter.
    double own = (double) f / s * (coreDiameter + ROUNDING);
    assertThat(Directions.distance(Directions.mean(core), Directions.mean(honestCore)))
        .as(which)
        .isLessThanOrEqualTo(own + 1e-12);
    assertThat(Directions.angle(Directions.units(commit.aggregate()), Directions.mean(honestCore)))
        .as(which)
        .isLessThanOrEqualTo(bend(own, length) + slack);

    // Off all honest members with this verdict, whatever size the core has.
    int h = honestLeaders.size();
    double any =
        (double) f / s * (coreDiameter + diameter) + Math.max(0, 1 - (double) s / h) * diameter;
    assertThat(Directions.distance(Directions.mean(core), Directions.mean(honestLeaders)))
        .as(which)
        .isLessThanOrEqualTo(any + ROUNDING);
    if (s != a - f) {
      return 0;
    }
    // The bound of minimum-diameter averaging.
    double bound = 2.0 * f / (a - f) * diameter + ROUNDING;
    double error = Directions.distance(Directions.mean(core), Directions.mean(honestLeaders));
    assertThat(error).as(which).isLessThanOrEqualTo(bound);
    assertThat(
            Directions.angle(Directions.units(commit.aggregate()), Directions.mean(honestLeaders)))
        .as(which)
        .isLessThanOrEqualTo(bend(bound, length) + slack);
    return f == 0 ? 0 : error / bound;
  }

  private static double bend(double error, double length) {
    return error >= length ? Math.PI : Math.asin(error / length);
  }

  @Test
  void oneFaultMoreThanAllowed_canBreakThePlurality_soTheBoundIsNotLoose() {
    RoundSpec spec = Rounds.spec(ID, 7, 2, 2, 0.9);
    List<Proposal> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      // Two honest say yes, two no; three are faulty, one more than f.
      all.add(Rounds.proposal(Rounds.agent(i), i < 2 || i > 3 ? "yes" : "no", 1, 0));
    }
    Outcome outcome = Hcsc.decide(spec, all);
    assertThat(outcome).isInstanceOf(Outcome.SemanticCommit.class);
    assertThat(Optional.of(outcome).map(Outcome::count).orElseThrow().margin()).isEqualTo(3);
  }
}
