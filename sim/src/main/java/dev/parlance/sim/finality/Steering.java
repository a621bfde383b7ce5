package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The best meaning for faulty agents that want to turn the aggregate of a verdict away from its
 * honest agents. A core that they are in consists of honest agents near each other and of
 * themselves, so they try, for one honest agent after the other, the middle of its neighbours and
 * points from there outwards, run the algorithm on each and take the point that turns it most.
 *
 * @param seeds honest agents whose neighbours are tried
 * @param steps points tried for each
 */
record Steering(int seeds, int steps) {
  /** For episodes, where there are few rounds and much time. */
  static final Steering THOROUGH = new Steering(16, 24);

  /** For a study of many rounds. */
  static final Steering QUICK = new Steering(3, 6);

  /**
   * The point that all faulty agents should mean.
   *
   * @param scene who says what
   * @param verdict the verdict that they back
   * @param farthest how far from the middle of the neighbours points are tried, radians
   */
  double[] choose(Scene scene, String verdict, double farthest) {
    List<Proposal> known = scene.inTime().stream().map(Scene.Honest::proposal).toList();
    List<double[]> group = Referee.honestOf(scene, verdict);
    double[] honest = Sphere.mean(group);
    double[] best = Sphere.unit(honest);
    double turned = -1.0;
    int near = Math.max(1, group.size() - scene.spec().faults());
    for (double[] seed : group.subList(0, Math.min(seeds, group.size()))) {
      List<double[]> byDistance = new ArrayList<>(group);
      byDistance.sort(Comparator.comparingDouble(one -> Sphere.distance(one, seed)));
      double[] middle = Sphere.unit(Sphere.mean(byDistance.subList(0, near)));
      // Outwards: away from the honest agents that are to be left out, or over the seed.
      double[] outwards =
          near < group.size()
              ? Sphere.opposite(Sphere.mean(byDistance.subList(near, byDistance.size())))
              : seed;
      for (int step = 1; step <= steps; step++) {
        double[] point = Sphere.towards(middle, outwards, farthest * step / steps);
        double angle = turned(scene, known, verdict, point, honest);
        if (angle > turned) {
          turned = angle;
          best = point;
        }
      }
    }
    return best;
  }

  private static double turned(
      Scene scene, List<Proposal> known, String verdict, double[] point, double[] honest) {
    List<Proposal> all = new ArrayList<>(known);
    for (String agent : scene.faulty()) {
      all.add(Scene.proposal(agent, verdict, "steered", Optional.of(point)));
    }
    return switch (Hcsc.decide(scene.spec(), all)) {
      case Outcome.SemanticCommit commit ->
          Sphere.angle(Referee.doubles(commit.aggregate()), honest);
      case Outcome.VerdictCommit commit -> -1.0;
      case Outcome.Abort abort -> -1.0;
    };
  }
}
