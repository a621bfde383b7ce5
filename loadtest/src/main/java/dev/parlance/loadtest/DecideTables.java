package dev.parlance.loadtest;

import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Proposals of rounds whose decision is measured. */
final class DecideTables {
  /** Most members that a round may have. */
  static final int MEMBERS = 16;

  private static final long SEED = 0x5eed_2026_1122L;
  private static final String TEXT_SHA256 = "0".repeat(64);

  private DecideTables() {}

  static List<String> members(int count) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add("agent-" + (char) ('a' + i));
    }
    return members;
  }

  /** One verdict, vectors near each other. */
  static List<Proposal> agreeing(int count, int dim) {
    Random random = new Random(SEED);
    List<Proposal> proposals = new ArrayList<>();
    for (String agent : members(count)) {
      double[] vector = new double[dim];
      vector[0] = 1;
      for (int i = 0; i < dim; i++) {
        vector[i] += random.nextGaussian() * 0.05 / Math.sqrt(dim);
      }
      proposals.add(proposal(agent, vector));
    }
    return proposals;
  }

  /**
   * One verdict, vectors in groups: the cosine of two of one group is below 0, that of two of
   * different groups is 0. With a smallest cosine of 0 a core has one of each group, all cores are
   * tied, and no branch of the search can be left out before its end.
   *
   * @param groups their sizes, {@link #MEMBERS} together
   */
  static List<Proposal> tied(List<Integer> groups, int dim) {
    List<Proposal> proposals = new ArrayList<>();
    int axis = 0;
    for (int size : groups) {
      for (int which = 0; which < size; which++) {
        double[] corner = new double[dim];
        for (int i = 0; i < size; i++) {
          corner[axis + i] = size == 1 ? 1 : (i == which ? size - 1.0 : -1.0);
        }
        proposals.add(proposal(members(MEMBERS).get(proposals.size()), corner));
      }
      axis += size;
    }
    return proposals;
  }

  /** Every way to part so many into groups, largest first. */
  static List<List<Integer>> arrangements(int count) {
    return arrangements(count, count);
  }

  private static List<List<Integer>> arrangements(int count, int largest) {
    if (count == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (int first = Math.min(count, largest); first > 0; first--) {
      for (List<Integer> rest : arrangements(count - first, first)) {
        List<Integer> groups = new ArrayList<>();
        groups.add(first);
        groups.addAll(rest);
        all.add(groups);
      }
    }
    return all;
  }

  private static Proposal proposal(String agent, double[] vector) {
    QuantVector quantised = QuantVector.of(vector, vector.length).orElseThrow();
    return new Proposal(agent, "yes", TEXT_SHA256, new Meaning.Vector(quantised));
  }
}
