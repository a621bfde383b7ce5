package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Outcome.CommonClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The members of the leading group that mean the same (step 5): of the largest size that has one,
 * the subset with the largest smallest cosine, then the largest sum of dot products, then the first
 * in lexicographic order. Where no texts say the same as a whole, those that differ only in what
 * they list and have a claim in common ({@link ClaimCore}).
 *
 * @param members by agent in byte order
 * @param minCos smallest cosine between two of them; 1 if there is one only
 * @param aggregate their direction (step 6)
 * @param claims what they have in common, where they differ in what they list; else empty
 */
record SemanticCore(
    List<Proposal> members, double minCos, QuantVector aggregate, List<CommonClaim> claims) {
  /**
   * The core of a group, if it has one. A core whose vectors cancel out has no direction and is
   * none.
   *
   * @param leaders the leading group, by agent in byte order
   * @param compared what parts members, however near their vectors are, and what they list
   */
  static Optional<SemanticCore> find(
      List<Proposal> leaders, RoundSpec spec, TextComparison compared) {
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
    int most = Math.min(cap, vectors.size());
    CoreSearch whole = CoreSearch.over(vectors, spec.encoding().cosMin());
    compared.differences().forEach(apart -> part(whole, members, apart));
    for (int size = most; size >= need; size--) {
      Optional<CoreSearch.Subset> best = whole.best(size);
      if (best.isPresent()) {
        return core(members, vectors, best.get(), List.of());
      }
    }
    return ofClaims(members, vectors, spec, compared, most, need);
  }

  private static Optional<SemanticCore> ofClaims(
      List<Proposal> members,
      List<QuantVector> vectors,
      RoundSpec spec,
      TextComparison compared,
      int most,
      int need) {
    if (compared.listed().matches().isEmpty()) {
      return Optional.empty();
    }
    CoreSearch search = CoreSearch.over(vectors, spec.encoding().cosMin());
    compared.differences().stream()
        .filter(apart -> !apart.kind().equals(CriticalDifference.OTHER_ITEMS))
        .forEach(apart -> part(search, members, apart));
    for (int size = most; size >= need; size--) {
      Optional<ClaimCore.Found> best = ClaimCore.best(members, search, compared.listed(), size);
      if (best.isPresent()) {
        return core(members, vectors, best.get().subset(), best.get().claims());
      }
    }
    return Optional.empty();
  }

  private static Optional<SemanticCore> core(
      List<Proposal> members,
      List<QuantVector> vectors,
      CoreSearch.Subset subset,
      List<CommonClaim> claims) {
    List<Integer> chosen = subset.indices();
    return aggregate(chosen.stream().map(vectors::get).toList())
        .map(sum ->
            new SemanticCore(
                chosen.stream().map(members::get).toList(), subset.minCos(), sum, claims));
  }

  private static void part(CoreSearch search, List<Proposal> members, CriticalDifference apart) {
    search.part(indexOf(members, apart.first()), indexOf(members, apart.second()));
  }

  private static int indexOf(List<Proposal> members, String agent) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).agent().equals(agent)) {
        return i;
      }
    }
    return -1;
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

  /**
   * Finds the best subset of a given size among at most 16 vectors.
   *
   * <p>Depth-first in lexicographic order. A branch ends as soon as too few of the vectors that are
   * close to all chosen ones remain, or its smallest cosine falls below the best subset's; equal
   * ones go on, because the sum of dot products may still decide. So no subset is looked at twice,
   * and of two equal ones the first stays.
   */
  static final class CoreSearch {
    private final double[][] cos;
    private final long[][] dot;

    /** For each vector the later ones that are close enough to it, a bit each. */
    private final int[] laterFriends;

    private int size;
    private boolean isFound;
    private int bestChosen;
    private double bestCos;
    private long bestSum;

    /** A subset: indices ascending, smallest cosine between two of them (1 for a single one). */
    record Subset(List<Integer> indices, double minCos) {
      /** Of vectors, a bit each. */
      static Subset of(int chosen, double minCos) {
        List<Integer> indices = new ArrayList<>();
        for (int left = chosen; left != 0; left &= left - 1) {
          indices.add(Integer.numberOfTrailingZeros(left));
        }
        return new Subset(indices, indices.size() == 1 ? 1.0 : minCos);
      }
    }

    double cos(int first, int second) {
      return cos[first][second];
    }

    long dot(int first, int second) {
      return dot[first][second];
    }

    /** Those behind it that may be in a subset with it, a bit each. */
    int laterFriends(int one) {
      return laterFriends[one];
    }

    private CoreSearch(double[][] cos, long[][] dot, int[] laterFriends) {
      this.cos = cos;
      this.dot = dot;
      this.laterFriends = laterFriends;
    }

    /** Among these vectors, at most {@link RoundSpec#MAX_MEMBERS} and of one length. */
    static CoreSearch over(List<QuantVector> vectors, double cosMin) {
      int count = vectors.size();
      double[][] cos = new double[count][count];
      long[][] dot = new long[count][count];
      int[] laterFriends = new int[count];
      double[] squared = new double[count];
      for (int i = 0; i < count; i++) {
        squared[i] = vectors.get(i).dot(vectors.get(i));
      }
      for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
          dot[i][j] = vectors.get(i).dot(vectors.get(j));
          cos[i][j] = dot[i][j] / Math.sqrt(squared[i] * squared[j]);
          if (cos[i][j] >= cosMin) {
            laterFriends[i] |= 1 << j;
          }
        }
      }
      return new CoreSearch(cos, dot, laterFriends);
    }

    /** These two are in no subset together; the first before the second, -1 for none. */
    void part(int first, int second) {
      if (first >= 0 && second >= 0) {
        laterFriends[first] &= ~(1 << second);
      }
    }

    /** The best subset of so many vectors, at least 1, if there is one. */
    Optional<Subset> best(int size) {
      this.size = size;
      isFound = false;
      extend(0, 0, (1 << laterFriends.length) - 1, Double.POSITIVE_INFINITY, 0L);
      return isFound ? Optional.of(Subset.of(bestChosen, bestCos)) : Optional.empty();
    }

    /**
     * Looks at all subsets that continue a choice.
     *
     * @param chosen a bit for each vector chosen
     * @param count how many
     * @param open later vectors that are close to all chosen ones
     * @param minCos smallest cosine so far
     * @param sum of the dot products so far
     */
    private void extend(int chosen, int count, int open, double minCos, long sum) {
      if (count == size) {
        if (!isFound || minCos > bestCos || (minCos == bestCos && sum > bestSum)) {
          isFound = true;
          bestChosen = chosen;
          bestCos = minCos;
          bestSum = sum;
        }
        return;
      }
      int rest = open;
      while (count + Integer.bitCount(rest) >= size) {
        int next = Integer.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        double least = minCos;
        long total = sum;
        for (int left = chosen; left != 0; left &= left - 1) {
          int one = Integer.numberOfTrailingZeros(left);
          least = Math.min(least, cos[one][next]);
          total += dot[one][next];
        }
        if (!isFound || least >= bestCos) {
          extend(chosen | 1 << next, count + 1, rest & laterFriends[next], least, total);
        }
      }
    }
  }
}
