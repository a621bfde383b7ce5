package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables laid out so that the search for a core finds out as late as possible. */
class HcscWorstCaseTest {
  private static final RoundId ID = new RoundId("worst", 1);

  /** Far above what any machine needs, far below what a search without bounds would take. */
  private static final long LIMIT_NS = 1_000_000_000L;

  @Test
  void sixteenMembers_inEveryArrangementOfCliques_areDecidedAtOnce() {
    for (List<Integer> sizes : partitions(16, 16)) {
      List<Proposal> proposals = table(sizes);
      for (int faults = 0; faults <= 5; faults++) {
        RoundSpec spec = Rounds.spec(ID, 16, faults, 16, 0.0);
        long began = System.nanoTime();
        Outcome outcome = Hcsc.decide(spec, proposals);
        long tookNs = System.nanoTime() - began;
        assertThat(tookNs).as("parts " + sizes + ", f=" + faults).isLessThan(LIMIT_NS);
        // One of each part is the largest core there can be.
        int need = Math.max(2 * faults + 1, 9);
        assertThat(outcome.kind())
            .isEqualTo(sizes.size() >= need ? "semantic_commit" : "verdict_commit");
        if (outcome instanceof Outcome.SemanticCommit commit) {
          int cap = Math.max(need, 16 - faults);
          assertThat(commit.core()).hasSize(Math.min(cap, sizes.size()));
        }
      }
    }
  }

  /**
   * Sixteen vectors in groups: two of one group are never near each other (cosine below 0), two of
   * different groups always are (exactly 0), so that everything is tied and nothing can be left
   * out.
   */
  static List<Proposal> table(List<Integer> sizes) {
    List<Proposal> proposals = new ArrayList<>();
    int axis = 0;
    for (int size : sizes) {
      for (int i = 0; i < size; i++) {
        proposals.add(
            Rounds.proposal(
                Rounds.agent(proposals.size()), "yes", corner(axis, Math.max(size, 1), i)));
      }
      axis += size;
    }
    return proposals;
  }

  /** Corner of a simplex about the origin; a single one is an axis. */
  private static double[] corner(int axis, int size, int which) {
    double[] corner = new double[16];
    for (int i = 0; i < size; i++) {
      corner[axis + i] = size == 1 ? 1 : (i == which ? size - 1.0 : -1.0);
    }
    return corner;
  }

  static List<List<Integer>> partitions(int total, int largest) {
    if (total == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (int first = Math.min(total, largest); first > 0; first--) {
      for (List<Integer> rest : partitions(total - first, first)) {
        List<Integer> parts = new ArrayList<>(List.of(first));
        parts.addAll(rest);
        all.add(parts);
      }
    }
    return all;
  }
}
