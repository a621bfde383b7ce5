package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.text.Coded;
import dev.parlance.sim.finality.Referee.Ruling.Breach;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Knows who is honest, which the algorithm does not, and holds outcomes against what is promised.
 *
 * <p>Two bounds on a semantic core of s agents, of a that back its verdict, are checked, both on
 * straight distances between directions. The core's mean is at most f/s times the distance of its
 * two members furthest apart away from the mean of its own honest agents, since at most f others
 * are in it. And where the core has a-f agents, and so many honest ones could have been chosen, its
 * mean is at most 2f/(a-f) times the diameter of the honest agents away from their mean: a core of
 * smallest diameter is no wider than the honest agents are, all but f of its agents are honest, and
 * each of those f is within two diameters of the honest agent whose place it takes.
 */
final class Referee {
  private static final double ROUNDING = 1e-9;

  private Referee() {}

  /** What the honest agents mean that back this verdict in time, as the round sees it. */
  static List<double[]> honestOf(Scene scene, String verdict) {
    List<double[]> directions = new ArrayList<>();
    for (Scene.Honest one : scene.inTime()) {
      if (one.verdict().equals(verdict)
          && one.proposal().meaning() instanceof Meaning.Vector(QuantVector vector)) {
        directions.add(doubles(vector));
      }
    }
    return directions;
  }

  /** The direction of a quantised vector. */
  static double[] doubles(QuantVector vector) {
    double[] entries = new double[vector.dim()];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = vector.at(i);
    }
    return Sphere.unit(entries);
  }

  static Ruling rule(Scene scene, RoundPlay.Played played, RandomGenerator random) {
    Optional<Outcome> ended = played.outcome();
    if (ended.isEmpty()) {
      return Ruling.of(ended, List.of(Breach.NO_OUTCOME));
    }
    Outcome outcome = ended.get();
    List<Breach> breaches = new ArrayList<>();
    List<Proposal> otherOrder = new ArrayList<>(played.state().proposals());
    RoundPlay.shuffle(otherOrder, random);
    if (!isSame(outcome, Hcsc.decide(scene.spec(), otherOrder))) {
      breaches.add(Breach.ORDER_MATTERS);
    }
    return switch (outcome) {
      case Outcome.Abort _ -> {
        if (scene.mustCommit() || mustAgree(scene)) {
          breaches.add(Breach.DENIED);
        }
        yield Ruling.of(ended, breaches);
      }
      case Outcome.VerdictCommit commit -> {
        committed(scene, commit.verdict(), breaches);
        if (mustAgree(scene)) {
          breaches.add(Breach.DENIED);
        }
        yield Ruling.of(ended, breaches);
      }
      case Outcome.SemanticCommit commit -> {
        committed(scene, commit.verdict(), breaches);
        yield semantic(scene, played.state().proposals(), commit, breaches);
      }
    };
  }

  /** True if the honest agents agree, all arrive, and any two of them are near enough. */
  private static boolean mustAgree(Scene scene) {
    if (!scene.isHonestyUnited()) {
      return false;
    }
    List<QuantVector> vectors = new ArrayList<>();
    for (Scene.Honest one : scene.honest()) {
      if (one.proposal().meaning() instanceof Meaning.Vector(QuantVector vector)) {
        vectors.add(vector);
      }
    }
    return vectors.size() == scene.honest().size()
        && leastCos(vectors) >= scene.spec().encoding().cosMin();
  }

  private static double leastCos(List<QuantVector> vectors) {
    double least = 1.0;
    for (QuantVector one : vectors) {
      for (QuantVector other : vectors) {
        double norms = Math.sqrt((double) one.dot(one) * other.dot(other));
        least = Math.min(least, one.dot(other) / norms);
      }
    }
    return least;
  }

  private static void committed(Scene scene, String verdict, List<Breach> breaches) {
    if (!scene.isFeasible()) {
      breaches.add(Breach.INFEASIBLE_COMMIT);
    }
    if (!scene.plurality().equals(Optional.of(verdict))) {
      breaches.add(Breach.WRONG_VERDICT);
    }
  }

  private static Ruling semantic(
      Scene scene, List<Proposal> proposals, Outcome.SemanticCommit commit, List<Breach> breaches) {
    List<double[]> core = new ArrayList<>();
    List<double[]> honestInCore = new ArrayList<>();
    Set<String> faulty = new HashSet<>(scene.faulty());
    for (String agent : commit.core()) {
      double[] direction = directionOf(agent, proposals);
      core.add(direction);
      if (!faulty.contains(agent)) {
        honestInCore.add(direction);
      }
    }
    List<double[]> honest = honestOf(scene, commit.verdict());
    if (honestInCore.isEmpty() || honest.isEmpty()) {
      breaches.add(Breach.BOUND_EXCEEDED);
      return Ruling.of(Optional.of(commit), breaches);
    }
    int f = scene.spec().faults();
    int size = core.size();
    double[] mean = Sphere.mean(core);
    double share =
        share(
            Sphere.distance(mean, Sphere.mean(honestInCore)),
            (double) f / size * Sphere.distanceAt(commit.minCos()));
    int backing = commit.count().support();
    if (size == backing - f && honest.size() >= size) {
      share =
          Math.max(
              share,
              share(
                  Sphere.distance(mean, Sphere.mean(honest)),
                  2.0 * f / size * Sphere.diameter(honest)));
    }
    double[] aggregate = doubles(commit.aggregate());
    double quantisation = 2.0 * Math.sqrt(aggregate.length) / QuantVector.SCALE;
    if (share > 1.0 || Sphere.angle(aggregate, mean) > quantisation) {
      breaches.add(Breach.BOUND_EXCEEDED);
    }
    return new Ruling(
        Optional.of(commit),
        Set.copyOf(breaches),
        OptionalDouble.of(share),
        OptionalDouble.of(StrictMath.toDegrees(Sphere.angle(aggregate, Sphere.mean(honest)))));
  }

  /** How much of the bound an error takes up; what rounding alone can do counts as nothing. */
  private static double share(double error, double bound) {
    return error <= ROUNDING ? 0.0 : error / (bound + ROUNDING);
  }

  private static double[] directionOf(String agent, List<Proposal> proposals) {
    for (Proposal one : proposals) {
      if (one.agent().equals(agent)
          && one.meaning() instanceof Meaning.Vector(QuantVector vector)) {
        return doubles(vector);
      }
    }
    throw new IllegalStateException(agent + " is in the core and has no vector");
  }

  /** The same but for the order in which dropped proposals are listed. */
  private static boolean isSame(Outcome one, Outcome other) {
    return one.count().equals(other.count())
        && Set.copyOf(one.dropped()).equals(Set.copyOf(other.dropped()))
        && switch (one) {
          case Outcome.Abort abort ->
              other instanceof Outcome.Abort same && same.reason() == abort.reason();
          case Outcome.VerdictCommit commit ->
              other instanceof Outcome.VerdictCommit same && same.digest().equals(commit.digest());
          case Outcome.SemanticCommit commit ->
              other instanceof Outcome.SemanticCommit same
                  && same.digest().equals(commit.digest())
                  && same.minCos() == commit.minCos();
        };
  }

  /**
   * What is to be said about the end of a round.
   *
   * @param outcome how it ended; empty if it did not, which is a breach
   * @param breaches the promises that were broken
   * @param ofBound the error of a semantic commit as a share of the bound that holds for it; above
   *     1 it is a breach
   * @param degrees angle between a semantic commit and the honest agents that back its verdict
   */
  record Ruling(
      Optional<Outcome> outcome,
      Set<Breach> breaches,
      OptionalDouble ofBound,
      OptionalDouble degrees) {
    /** A promise that was broken. */
    enum Breach implements Coded {
      /** The round did not end in one of the typed outcomes. */
      NO_OUTCOME,
      /** A commit whose verdict is not that of more honest agents than any other. */
      WRONG_VERDICT,
      /** A commit of a round that is too small for its faults. */
      INFEASIBLE_COMMIT,
      /** A semantic commit further from the honest agents than the bound. */
      BOUND_EXCEEDED,
      /**
       * No commit although all honest agents agree and have delivered, or none to a meaning
       * although any two of them are near enough.
       */
      DENIED,
      /** The same proposals in another order have another outcome. */
      ORDER_MATTERS
    }

    Ruling {
      breaches = breaches.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(breaches));
    }

    static Ruling of(Optional<Outcome> outcome, List<Breach> breaches) {
      return new Ruling(
          outcome, Set.copyOf(breaches), OptionalDouble.empty(), OptionalDouble.empty());
    }
  }
}
