package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Hcsc.RoundDigest;
import dev.parlance.policy.commit.ListedClaims.Claim;
import dev.parlance.policy.commit.ListedClaims.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a seal says of the texts of a round: what is critical between them, and what they list.
 *
 * @param differences between members; empty for none
 * @param listed claims of texts that list some in common; empty for none
 */
public record TextComparison(List<CriticalDifference> differences, ListedClaims listed) {
  /** Nothing was found, or nothing compared. */
  public static final TextComparison NONE = of(List.of());

  /** Copies the list. */
  public TextComparison {
    differences = List.copyOf(differences);
  }

  /** Differences only. */
  public static TextComparison of(List<CriticalDifference> differences) {
    return new TextComparison(differences, ListedClaims.NONE);
  }

  /** The same without what is no difference, {@link CriticalDifference#ENTAILED}. */
  TextComparison critical() {
    return new TextComparison(
        differences.stream().filter(CriticalDifference::isCritical).toList(), listed);
  }

  /** Puts together what was found between texts, two by two. */
  public static final class Pairs {
    private final List<CriticalDifference> differences = new ArrayList<>();
    private final Map<String, Claim> claims = new HashMap<>();
    private final List<Match> matches = new ArrayList<>();
    private boolean isListed;

    /** What was found between the texts of two members, in either order. */
    public void add(String one, String other, ListComparer.Found found) {
      if (one.compareTo(other) > 0) {
        add(other, one, found.turned());
        return;
      }
      found
          .kind()
          .map(kind -> new CriticalDifference(one, other, kind))
          .ifPresent(differences::add);
      for (ListComparer.Same same : found.same()) {
        name(one, same.first(), found.first());
        name(other, same.second(), found.second());
        matches.add(new Match(one, same.first() + 1, other, same.second() + 1));
      }
      isListed |= found.kind().equals(Optional.of(CriticalDifference.OTHER_ITEMS));
    }

    private void name(String agent, int at, List<String> items) {
      claims.computeIfAbsent(
          agent + " " + at, _ -> new Claim(agent, at + 1, RoundDigest.sha256(items.get(at))));
    }

    /**
     * All of it, in order. Lists are said only where two texts differ in nothing else: what all
     * texts say as wholes needs no claims.
     */
    public TextComparison all() {
      return new TextComparison(
          differences.stream()
              .sorted(
                  Comparator.comparing(CriticalDifference::first)
                      .thenComparing(CriticalDifference::second))
              .toList(),
          isListed ? ListedClaims.of(List.copyOf(claims.values()), matches) : ListedClaims.NONE);
    }
  }
}
