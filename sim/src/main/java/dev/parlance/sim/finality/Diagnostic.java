package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.sim.Parallel;
import dev.parlance.sim.SimulationProgress;
import dev.parlance.sim.finality.DiagnosticRow.Bucket;
import dev.parlance.sim.finality.DiagnosticRow.Poison;
import dev.parlance.sim.finality.RoundPlay.Moves;
import dev.parlance.sim.finality.Scene.Arrival;
import dev.parlance.sim.finality.Scene.Honest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The semantic-poisoning diagnostic: in every episode the honest agents say the same thing in other
 * words, which is a direction with a little noise, and f agents back the same verdict with a
 * poisoned meaning. What is measured is how far the aggregate is turned away.
 *
 * <p>The paper gives the sizes of its deviations and that every round beyond the fault bound
 * aborts; it does not give its buckets, its encoder or its poison. So those here are ours, made to
 * be no easier: the rushing poison runs the algorithm itself to find the worst place.
 */
public final class Diagnostic {
  /** Dimension of common sentence encoders. */
  public static final int DIM = 384;

  /** Angle between an honest agent and the claim, root mean square, degrees. */
  public static final double NOISE_DEGREES = 2.2;

  /** Angle that two members of a core may be apart, degrees. */
  public static final double CORE_DEGREES = 25.0;

  /** Angle between the claim and a static poison, degrees. */
  public static final double POISON_DEGREES = 35.0;

  private static final String VERDICT = "supported";

  private Diagnostic() {}

  private record Episode(Outcome outcome, double toClaim, double toHonest) {}

  /** The rows, bucket by bucket; {@code perRow} episodes each. */
  static List<DiagnosticRow> run(int perRow, long seed, int threads, SimulationProgress progress) {
    SplittableRandom root = new SplittableRandom(seed);
    List<Bucket> buckets = new ArrayList<>();
    List<Poison> poisons = new ArrayList<>();
    List<SplittableRandom> randoms = new ArrayList<>();
    for (Bucket bucket : Bucket.ALL) {
      for (Poison poison : Poison.values()) {
        for (int i = 0; i < perRow; i++) {
          buckets.add(bucket);
          poisons.add(poison);
          randoms.add(root.split());
        }
      }
    }
    List<DiagnosticRow> rows = new ArrayList<>();
    List<Episode> episodes = new ArrayList<>();
    Parallel.<Episode, RuntimeException>inOrder(
        buckets.size(),
        threads,
        number -> episode(number, buckets.get(number), poisons.get(number), randoms.get(number)),
        (number, episode) -> {
          episodes.add(episode);
          progress.advanced("diagnostic", number + 1L, buckets.size());
          if (episodes.size() == perRow) {
            rows.add(row(buckets.get(number), poisons.get(number), episodes));
            episodes.clear();
          }
        });
    return rows;
  }

  private static Episode episode(
      int number, Bucket bucket, Poison poison, SplittableRandom random) {
    double[] claim = Sphere.any(random, DIM);
    List<String> members = new ArrayList<>();
    List<Honest> honest = new ArrayList<>();
    List<String> faulty = new ArrayList<>();
    for (int i = 0; i < bucket.size(); i++) {
      String agent = "agent-" + (char) ('a' + i);
      members.add(agent);
      if (i < bucket.faults()) {
        faulty.add(agent);
      } else {
        double[] says = Sphere.blurred(claim, StrictMath.toRadians(NOISE_DEGREES), random);
        honest.add(new Honest(agent, VERDICT, agent, Optional.of(says), Arrival.IN_TIME));
      }
    }
    RoundId id = new RoundId("episode-" + number, 1);
    double cosMin = StrictMath.cos(StrictMath.toRadians(CORE_DEGREES));
    RoundSpec spec =
        new RoundSpec(
            id.bound(), bucket.faults(), members, new Encoding("simulated", DIM, cosMin), 0, true);
    Scene scene = new Scene(id, spec, honest, faulty);
    double[] poisoned =
        switch (poison) {
          case STATIC -> Sphere.tilted(claim, StrictMath.toRadians(POISON_DEGREES), random);
          // Beyond the bound there is no aggregate to turn.
          case RUSHING ->
              bucket.isFeasible()
                  ? Steering.THOROUGH.choose(scene, VERDICT, StrictMath.toRadians(CORE_DEGREES))
                  : claim;
        };
    Moves moves = new Moves(id);
    for (String agent : faulty) {
      moves.inTime(Scene.proposal(agent, VERDICT, "poison", Optional.of(poisoned)));
    }
    Outcome outcome = RoundPlay.play(scene, moves, random).outcome().orElseThrow();
    return switch (outcome) {
      case Outcome.SemanticCommit commit -> {
        double[] aggregate = Referee.doubles(commit.aggregate());
        yield new Episode(
            outcome,
            degrees(aggregate, claim),
            degrees(aggregate, Sphere.mean(Referee.honestOf(scene, VERDICT))));
      }
      case Outcome.VerdictCommit _, Outcome.Abort _ -> new Episode(outcome, 0.0, 0.0);
    };
  }

  private static double degrees(double[] a, double[] b) {
    return StrictMath.toDegrees(Sphere.angle(a, b));
  }

  private static DiagnosticRow row(Bucket bucket, Poison poison, List<Episode> episodes) {
    List<Episode> semantic =
        episodes.stream().filter(one -> one.outcome() instanceof Outcome.SemanticCommit).toList();
    int verdict =
        (int)
            episodes.stream().filter(one -> one.outcome() instanceof Outcome.VerdictCommit).count();
    return new DiagnosticRow(
        bucket,
        poison,
        episodes.size(),
        semantic.size(),
        verdict,
        episodes.size() - semantic.size() - verdict,
        semantic.isEmpty() ? Optional.empty() : Optional.of(deviation(semantic)));
  }

  private static DiagnosticRow.Deviation deviation(List<Episode> semantic) {
    var toClaim = semantic.stream().mapToDouble(Episode::toClaim).summaryStatistics();
    var toHonest = semantic.stream().mapToDouble(Episode::toHonest).summaryStatistics();
    return new DiagnosticRow.Deviation(
        toClaim.getAverage(), toClaim.getMax(), toHonest.getAverage(), toHonest.getMax());
  }
}
