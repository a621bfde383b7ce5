package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.text.Sha256;
import dev.parlance.sim.finality.AdversaryRow.Attack;
import dev.parlance.sim.finality.RoundPlay.Moves;
import dev.parlance.sim.finality.Scene.Honest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * All faulty agents of a round as one mind that has seen every honest proposal, those that come
 * late or never as well.
 */
final class Adversary {
  private static final String NOBODYS_VERDICT = "poisoned";
  private static final String NO_NAME = "no name";
  private static final Attack[] SINGLE = singleAttacks();

  private final Scene scene;
  private final RandomGenerator random;
  private final Moves moves;
  private final int dim;

  private Adversary(Scene scene, RandomGenerator random) {
    this.scene = scene;
    this.random = random;
    this.moves = new Moves(scene.id());
    this.dim = scene.spec().encoding().dim();
  }

  /** What the faulty agents of this round send. */
  static Moves moves(Scene scene, Attack attack, RandomGenerator random) {
    Adversary adversary = new Adversary(scene, random);
    adversary.play(attack, scene.faulty());
    return adversary.moves;
  }

  private static Attack[] singleAttacks() {
    return Arrays.stream(Attack.values()).filter(one -> one != Attack.MIXED).toArray(Attack[]::new);
  }

  private void play(Attack attack, List<String> agents) {
    switch (attack) {
      case WITHHOLD -> withhold(agents);
      case FLIP -> flip(agents);
      case SPLIT -> split(agents);
      case STEER -> steer(agents);
      case CROWD -> crowd(agents);
      case EQUIVOCATE -> agents.forEach(this::equivocate);
      case REPLAY -> agents.forEach(this::replay);
      case LATE -> late(agents);
      case MALFORM -> agents.forEach(this::malform);
      case MIXED -> {
        for (String agent : agents) {
          play(SINGLE[random.nextInt(SINGLE.length)], List.of(agent));
        }
      }
    }
  }

  private void withhold(List<String> agents) {
    // Some of them only; the rest votes against the honest agents, for the thinnest margin.
    int silent = random.nextInt(agents.size() + 1);
    flip(agents.subList(silent, agents.size()));
  }

  private void flip(List<String> agents) {
    String verdict = runnerUp();
    double[] meaning = meaningOf(verdict);
    for (String agent : agents) {
      moves.inTime(proposal(agent, verdict, meaning));
    }
  }

  private void split(List<String> agents) {
    int leading = random.nextInt(agents.size() + 1);
    String first = leader();
    String second = runnerUp();
    double[] near = meaningOf(first);
    double[] poison = meaningOf(second);
    for (int i = 0; i < agents.size(); i++) {
      moves.inTime(
          i < leading
              ? proposal(agents.get(i), first, near)
              : proposal(agents.get(i), second, poison));
    }
  }

  private void steer(List<String> agents) {
    String verdict = leader();
    double farthest = 1.5 * StrictMath.acos(scene.spec().encoding().cosMin());
    boolean hasGroup = !Referee.honestOf(scene, verdict).isEmpty();
    double[] point =
        hasGroup ? Steering.QUICK.choose(scene, verdict, farthest) : Sphere.any(random, dim);
    for (String agent : agents) {
      moves.inTime(proposal(agent, verdict, point));
    }
  }

  private void crowd(List<String> agents) {
    String verdict = leader();
    List<double[]> group = Referee.honestOf(scene, verdict);
    double[] outlier = Sphere.any(random, dim);
    double farthest = -1.0;
    for (double[] one : group) {
      double distance = Sphere.distance(one, Sphere.mean(group));
      if (distance > farthest) {
        farthest = distance;
        outlier = one;
      }
    }
    for (String agent : agents) {
      // A hair's breadth aside, so that it is no copy.
      moves.inTime(proposal(agent, verdict, Sphere.tilted(outlier, 1e-3, random)));
    }
  }

  private void equivocate(String agent) {
    String verdict = leader();
    double[] meaning = meaningOf(verdict);
    moves.inTime(proposal(agent, verdict, meaning));
    switch (random.nextInt(4)) {
      case 0 -> moves.inTime(proposal(agent, runnerUp(), meaning));
      case 1 ->
          moves.inTime(Scene.proposal(agent, verdict, "in other words", Optional.of(meaning)));
      case 2 -> moves.inTime(proposal(agent, verdict, Sphere.any(random, dim)));
      default -> {
        moves.inTime(proposal(agent, runnerUp(), meaningOf(runnerUp())));
        moves.inTime(proposal(agent, NOBODYS_VERDICT, Sphere.any(random, dim)));
        moves.inTime(proposal(agent, verdict, meaning)); // and the first once more
      }
    }
  }

  private void replay(String agent) {
    Honest victim = scene.honest().get(random.nextInt(scene.honest().size()));
    Proposal copied = victim.proposal();
    // An old proposal of an honest agent, one of the next epoch, one by a stranger: none may count.
    moves.toEpoch(
        scene.id().epoch() + 1, Scene.proposal(victim.agent(), runnerUp(), "", Optional.empty()));
    moves.toEpoch(
        scene.id().epoch() + 1 + random.nextInt(9), proposal(agent, runnerUp(), anyMeaning()));
    moves.inTime(new Proposal("stranger", copied.verdict(), copied.textSha256(), copied.meaning()));
    // What others may hear again: the honest agent's own proposal, word for word.
    if (victim.arrival() == Scene.Arrival.IN_TIME) {
      moves.inTime(copied);
    }
    moves.inTime(new Proposal(agent, copied.verdict(), copied.textSha256(), copied.meaning()));
  }

  private void late(List<String> agents) {
    String verdict = runnerUp();
    for (String agent : agents) {
      moves.late(proposal(agent, verdict, meaningOf(verdict)));
    }
  }

  private void malform(String agent) {
    String verdict = random.nextBoolean() ? leader() : runnerUp();
    double[] broken =
        switch (random.nextInt(4)) {
          case 0 -> new double[dim];
          case 1 -> filled(Double.NaN);
          case 2 -> filled(Double.MAX_VALUE);
          default -> filled(1e-12);
        };
    switch (random.nextInt(3)) {
      case 0 -> moves.inTime(proposal(agent, verdict, broken));
      case 1 -> moves.inTime(proposal(agent, NO_NAME, anyMeaning()));
      default -> moves.inTime(new Proposal(agent, verdict, Sha256.hex(""), Meaning.UNENCODED));
    }
  }

  private double[] filled(double value) {
    double[] vector = new double[dim];
    Arrays.fill(vector, value);
    return vector;
  }

  private static Proposal proposal(String agent, String verdict, double[] meaning) {
    return Scene.proposal(agent, verdict, agent + " says", Optional.of(meaning));
  }

  /** The verdict that most honest agents arrive with, or think. */
  private String leader() {
    return scene.verdicts().getFirst().getKey();
  }

  /** The strongest other verdict; if there is none, one that nobody honest has. */
  private String runnerUp() {
    List<Map.Entry<String, Integer>> verdicts = scene.verdicts();
    return verdicts.size() > 1 ? verdicts.get(1).getKey() : NOBODYS_VERDICT;
  }

  /** Near what the honest agents of a verdict mean, or anything if there are none. */
  private double[] meaningOf(String verdict) {
    List<double[]> group = Referee.honestOf(scene, verdict);
    return group.isEmpty()
        ? anyMeaning()
        : Sphere.tilted(group.get(random.nextInt(group.size())), 0.02, random);
  }

  private double[] anyMeaning() {
    return Sphere.any(random, dim);
  }
}
