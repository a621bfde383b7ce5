package dev.parlance.policy.commit;

import dev.parlance.policy.commit.ListedClaims.Claim;
import dev.parlance.policy.commit.ListedClaims.Match;
import dev.parlance.policy.commit.Outcome.CommonClaim;
import dev.parlance.policy.commit.SemanticCore.CoreSearch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds members whose texts list different things and have claims in common. Of a size, the subset
 * with most common claims; then with the largest smallest cosine, the largest sum of dot products,
 * the first in lexicographic order.
 *
 * <p>The common claims of a subset: for each claim of its first member, by number, from each
 * further member in order the first claim that says the same as all those taken before it and is
 * not in a common claim already. A claim that one of them has no such claim for is not common. So
 * it takes the word of every member of the subset, of at least f+1 honest ones, to put a claim in.
 *
 * <p>Matches of a claim are bits, eight a member: the first eight members in one word, the others
 * in another. No more is looked at than 2^16 subsets.
 */
final class ClaimCore {
  private static final int SLOT_MASK = 0xFF;
  private static final int MEMBERS_OF_WORD = Long.SIZE / ListedClaims.MAX_OF_TEXT;

  private final CoreSearch vectors;

  /** By place: eight places a member, one a number. */
  private final Map<Integer, Claim> claims = new HashMap<>();

  /** By place of a claim, the places of those that say the same. */
  private final long[] low;

  private final long[] high;
  private final int size;
  private List<Chain> best = List.of();
  private int bestChosen;
  private double bestCos;
  private long bestSum;

  /**
   * What the subset has in common.
   *
   * @param subset its members, and the smallest cosine between two of them
   * @param claims at least one
   */
  record Found(CoreSearch.Subset subset, List<CommonClaim> claims) {}

  /** A claim so far: where each member carries it, and what says the same as all of these. */
  private record Chain(List<Integer> places, long low, long high) {
    /** Claims of a member that say the same as all so far, a bit each. */
    int of(int member) {
      long word = member < MEMBERS_OF_WORD ? low : high;
      return (int) (word >>> (member % MEMBERS_OF_WORD * ListedClaims.MAX_OF_TEXT)) & SLOT_MASK;
    }
  }

  private ClaimCore(List<Proposal> members, CoreSearch vectors, ListedClaims listed, int size) {
    this.vectors = vectors;
    this.size = size;
    int places = members.size() * ListedClaims.MAX_OF_TEXT;
    low = new long[places];
    high = new long[places];
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < members.size(); i++) {
      indices.put(members.get(i).agent(), i);
    }
    for (Claim claim : listed.claims()) {
      Integer member = indices.get(claim.agent());
      if (member != null) {
        claims.put(place(member, claim.number()), claim);
      }
    }
    for (Match match : listed.matches()) {
      Integer first = indices.get(match.first());
      Integer second = indices.get(match.second());
      if (first != null && second != null) {
        join(place(first, match.firstNumber()), place(second, match.secondNumber()));
        join(place(second, match.secondNumber()), place(first, match.firstNumber()));
      }
    }
  }

  private static int place(int member, int number) {
    return member * ListedClaims.MAX_OF_TEXT + number - 1;
  }

  private void join(int here, int there) {
    if (there < Long.SIZE) {
      low[here] |= 1L << there;
    } else {
      high[here] |= 1L << (there - Long.SIZE);
    }
  }

  /**
   * The best subset of a size that has a claim in common, if there is one.
   *
   * @param members by agent in byte order
   * @param vectors which of them may be in a subset together, and how near they are
   */
  static Optional<Found> best(
      List<Proposal> members, CoreSearch vectors, ListedClaims listed, int size) {
    ClaimCore search = new ClaimCore(members, vectors, listed, size);
    search.extend(0, 0, (1 << members.size()) - 1, Double.POSITIVE_INFINITY, 0L, new ArrayList<>());
    if (search.best.isEmpty()) {
      return Optional.empty();
    }
    List<CommonClaim> common =
        search.best.stream()
            .map(chain ->
                new CommonClaim(
                    chain.places.stream()
                        .map(place -> Optional.ofNullable(search.claims.get(place)).orElseThrow())
                        .toList()))
            .toList();
    return Optional.of(new Found(CoreSearch.Subset.of(search.bestChosen, search.bestCos), common));
  }

  /** Looks at all subsets that continue a choice; ends a branch without a common claim. */
  private void extend(
      int chosen, int count, int open, double minCos, long sum, List<Chain> chains) {
    if (count == size) {
      boolean isBetter =
          chains.size() > best.size()
              || (chains.size() == best.size()
                  && (minCos > bestCos || (minCos == bestCos && sum > bestSum)));
      if (isBetter) {
        best = chains;
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
      List<Chain> longer = count == 0 ? begun(next) : continued(chains, next);
      if (longer.isEmpty() || longer.size() < best.size()) {
        continue;
      }
      double least = minCos;
      long total = sum;
      for (int left = chosen; left != 0; left &= left - 1) {
        int one = Integer.numberOfTrailingZeros(left);
        least = Math.min(least, vectors.cos(one, next));
        total += vectors.dot(one, next);
      }
      extend(
          chosen | 1 << next, count + 1, rest & vectors.laterFriends(next), least, total, longer);
    }
  }

  private List<Chain> begun(int member) {
    List<Chain> chains = new ArrayList<>();
    for (int number = 1; number <= ListedClaims.MAX_OF_TEXT; number++) {
      int place = place(member, number);
      if (claims.containsKey(place)) {
        chains.add(new Chain(List.of(place), low[place], high[place]));
      }
    }
    return chains;
  }

  private List<Chain> continued(List<Chain> chains, int member) {
    List<Chain> longer = new ArrayList<>();
    int used = 0;
    for (Chain chain : chains) {
      int same = chain.of(member) & ~used;
      if (same != 0) {
        int number = Integer.numberOfTrailingZeros(same) + 1;
        used |= 1 << (number - 1);
        int place = place(member, number);
        List<Integer> places = new ArrayList<>(chain.places);
        places.add(place);
        longer.add(new Chain(places, chain.low & low[place], chain.high & high[place]));
      }
    }
    return longer;
  }
}
