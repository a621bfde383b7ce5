package dev.parlance.policy.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** One round: who is honest, what they say, and the worst that the others found. */
final class RushingTable {
  final int dim;
  final RoundSpec spec;
  private final Random random;
  private final boolean wantsNoCommit;
  private final Set<String> honest = new TreeSet<>();
  private final Map<String, String> honestVerdicts = new HashMap<>();
  private final List<Proposal> arrived = new ArrayList<>();
  private final int lost;
  private List<Proposal> attack = List.of();

  RushingTable(Random random) {
    this.random = random;
    wantsNoCommit = random.nextInt(3) == 0;
    int f = random.nextInt(4);
    int n = 3 * f + 1 + random.nextInt(4);
    dim = 2 + random.nextInt(7);
    double cosMin = Math.cos(Math.toRadians(5 + random.nextInt(40)));
    spec = Rounds.spec(HcscGuaranteeTest.ID, n, f, dim, cosMin);
    List<String> members = new ArrayList<>(spec.members());
    Collections.shuffle(members, random);
    int faulty = random.nextInt(4) == 0 ? random.nextInt(f + 1) : f;
    List<String> bad = members.subList(0, faulty);
    honest.addAll(members.subList(faulty, n));
    honestTalk();
    lost = n - faulty - arrived.size();
    attack = worst(bad);
  }

  private void honestTalk() {
    boolean isUnanimous = random.nextInt(4) > 0;
    double noise = Math.toRadians(random.nextInt(3) == 0 ? 30 : 4);
    double[] centre = direction();
    for (String agent : honest) {
      String verdict = isUnanimous || random.nextInt(5) > 0 ? "yes" : "no";
      honestVerdicts.put(agent, verdict);
      if (random.nextInt(30) > 0) {
        arrived.add(Rounds.proposal(agent, verdict, moved(centre, noise * random.nextDouble())));
      }
    }
  }

  /** Tries what the faulty may do and keeps what bends the outcome most. */
  private List<Proposal> worst(List<String> bad) {
    List<Proposal> best = List.of();
    double bestHarm = -1;
    for (int attempt = 0; attempt < 12; attempt++) {
      List<Proposal> tried = new ArrayList<>();
      double[] way = direction();
      double far = random.nextDouble() * Math.toRadians(40);
      int manner = random.nextInt(8);
      for (String agent : bad) {
        tried.addAll(misbehave(agent, manner, way, far));
      }
      attack = tried;
      double harm = harm(Hcsc.decide(spec, proposals()));
      if (harm > bestHarm) {
        bestHarm = harm;
        best = tried;
      }
    }
    return best;
  }

  private List<Proposal> misbehave(String agent, int manner, double[] way, double far) {
    Proposal someone = arrived.get(random.nextInt(arrived.size()));
    double[] theirs = Directions.units(((Meaning.Vector) someone.meaning()).vector());
    return switch (manner) {
      case 0 -> List.of();
      case 1 -> List.of(Rounds.proposal(agent, "no", way));
      case 2 ->
          List.of(Rounds.proposal(agent, "yes", theirs), Rounds.proposal(agent, "no", theirs));
      case 3 -> List.of(Rounds.proposal(agent, "yes", way));
      case 4 -> List.of(Rounds.proposal(agent, "yes", new double[dim]));
      default -> List.of(Rounds.proposal(agent, "yes", towards(theirs, way, far)));
    };
  }

  private double harm(Outcome outcome) {
    return switch (outcome) {
      case Outcome.SemanticCommit commit ->
          2
              + Directions.angle(
                  Directions.units(commit.aggregate()),
                  Directions.mean(honestUnits(commit.verdict())));
      case Outcome.VerdictCommit commit -> 1;
      case Outcome.Abort abort -> mustCommit() || wantsNoCommit ? 10 : 0;
    };
  }

  List<Proposal> proposals() {
    List<Proposal> all = new ArrayList<>(attack);
    all.addAll(arrived);
    return all;
  }

  boolean isHonest(String agent) {
    return honest.contains(agent);
  }

  /** All honest members, heard or not. */
  Map<String, Integer> honestVotes() {
    Map<String, Integer> votes = new HashMap<>();
    honestVerdicts.values().forEach(verdict -> votes.merge(verdict, 1, Integer::sum));
    return votes;
  }

  /** All honest members were heard and say the same: the faulty must not prevent a commit. */
  boolean mustCommit() {
    return lost == 0 && new HashSet<>(honestVerdicts.values()).size() == 1;
  }

  /** The honest mean the same as well. */
  boolean isTight() {
    for (Proposal one : arrived) {
      for (Proposal other : arrived) {
        if (cos(one, other) < spec.encoding().cosMin()) {
          return false;
        }
      }
    }
    return true;
  }

  private static double cos(Proposal one, Proposal other) {
    QuantVector u = ((Meaning.Vector) one.meaning()).vector();
    QuantVector v = ((Meaning.Vector) other.meaning()).vector();
    return u.dot(v) / Math.sqrt((double) u.dot(u) * v.dot(v));
  }

  /** Unit vectors of the delivered members with a verdict. */
  Map<String, double[]> units(String verdict) {
    Map<String, double[]> units = new HashMap<>();
    for (Proposal one : proposals()) {
      if (one.verdict().equals(verdict)
          && one.meaning() instanceof Meaning.Vector(QuantVector vector)) {
        units.put(one.agent(), Directions.units(vector));
      }
    }
    return units;
  }

  private List<double[]> honestUnits(String verdict) {
    return arrived.stream()
        .filter(one -> one.verdict().equals(verdict))
        .map(one -> Directions.units(((Meaning.Vector) one.meaning()).vector()))
        .toList();
  }

  private double[] direction() {
    double[] vector = new double[dim];
    for (int i = 0; i < dim; i++) {
      vector[i] = random.nextGaussian();
    }
    return Directions.scaled(vector, 1 / Directions.norm(vector));
  }

  private double[] moved(double[] from, double angle) {
    return towards(from, direction(), angle);
  }

  /** A unit vector turned by an angle towards another. */
  private static double[] towards(double[] from, double[] to, double angle) {
    double along = 0;
    for (int i = 0; i < from.length; i++) {
      along += from[i] * to[i];
    }
    double[] side = new double[from.length];
    for (int i = 0; i < from.length; i++) {
      side[i] = to[i] - along * from[i];
    }
    double length = Directions.norm(side);
    double[] turned = new double[from.length];
    for (int i = 0; i < from.length; i++) {
      turned[i] =
          Math.cos(angle) * from[i] + (length < 1e-9 ? 0 : Math.sin(angle) * side[i] / length);
    }
    return turned;
  }
}
