package dev.parlance.policy.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The members of the leading group that mean the same (step 5): of the largest size that has one,
 * the subset with the largest smallest cosine, then the largest sum of dot products, then the first
 * in lexicographic order.
 *
 * @param members by agent in byte order
 * @param minCos smallest cosine between two of them; 1 if there is one only
 * @param aggregate their direction (step 6)
 */
record SemanticCore(List<Proposal> members, double minCos, QuantVector aggregate) {
  /**
   * The core of a group, if it has one. A core whose vectors cancel out has no direction and is
   * none.
   *
   * @param leaders the leading group, by agent in byte order
   */
  static Optional<SemanticCore> find(List<Proposal> leaders, RoundSpec spec) {
    List<Proposal> members = new ArrayList<>();
    List<QuantVector> vectors = new ArrayList<>();
    for (Proposal leader : leaders) {
      if (leader.meaning() instanceof Meaning.Vector meaning) {
        members.add(leader);
        vectors.add(meaning.vector());
      }
    }
    // 2f+1 <= n <= 16 where the search begins, so that this is no overflow.
    int need = Math.max(2 * spec.faults() + 1, leaders.size() / 2 + 1);
    int cap = Math.max(need, leaders.size() - spec.faults());
    if (vectors.size() < need) {
      return Optional.empty();
    }
    CoreSearch search = CoreSearch.over(vectors, spec.encoding().cosMin());
    for (int size = Math.min(cap, vectors.size()); size >= need; size--) {
      Optional<CoreSearch.Subset> best = search.best(size);
      if (best.isPresent()) {
        List<Integer> chosen = best.get().indices();
        List<QuantVector> core = chosen.stream().map(vectors::get).toList();
        double minCos = best.get().minCos();
        return aggregate(core)
            .map(sum -> new SemanticCore(chosen.stream().map(members::get).toList(), minCos, sum));
      }
    }
    return Optional.empty();
  }

  /** The direction of a sum; every number on the way is whole and below 2^53, so exact. */
  private static Optional<QuantVector> aggregate(List<QuantVector> core) {
    int dim = core.getFirst().dim();
    double[] sum = new double[dim];
    for (QuantVector vector : core) {
      for (int i = 0; i < dim; i++) {
        sum[i] += vector.at(i);
      }
    }
    return QuantVector.of(sum, dim);
  }
}
