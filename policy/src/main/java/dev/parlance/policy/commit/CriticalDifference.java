package dev.parlance.policy.commit;

import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Something critical between the texts of two members: one says something else than the other,
 * however near they are. Such two are in no semantic core together.
 *
 * @param first id of a member
 * @param second id of another one, behind it in byte order
 * @param kind what it is: the code of a {@link dev.parlance.policy.signal.ClaimFindings.Departure},
 *     {@link #UNREAD} or {@link #OTHER_ITEMS}; {@link #ENTAILED} is the one kind that is none
 */
public record CriticalDifference(String first, String second, String kind) {
  /** Kind where a text was not there to be compared: nobody knows that there is no difference. */
  public static final String UNREAD = "unread";

  /**
   * Kind where two texts differ in nothing but what they list: they are in no core as wholes, and
   * may be in one of the claims that they have in common.
   */
  public static final String OTHER_ITEMS = "other_items";

  /**
   * Kind where the wordings cannot be compared, and a reader of pairs holds that each follows from
   * the other: no difference, and noted because it is the reader's word.
   */
  public static final String ENTAILED = "entailed";

  private static final Pattern KIND = Pattern.compile("[a-z][a-z_]{0,63}");
  private static final Comparator<CriticalDifference> ORDER =
      Comparator.comparing(CriticalDifference::first).thenComparing(CriticalDifference::second);

  /** Refuses names and kinds that are none, and an order of its own. */
  public CriticalDifference {
    if (!RoundNames.isName(first) || !RoundNames.isName(second) || first.compareTo(second) >= 0) {
      throw new IllegalArgumentException(
          "expected two names in byte order, got " + first + ", " + second);
    }
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException("expected the code of a kind, got \"" + kind + "\"");
    }
  }

  /** Whether such two are in no semantic core together. */
  public boolean isCritical() {
    return !kind.equals(ENTAILED);
  }

  /** Between two members, in either order. */
  public static CriticalDifference between(String one, String other, String kind) {
    return one.compareTo(other) < 0
        ? new CriticalDifference(one, other, kind)
        : new CriticalDifference(other, one, kind);
  }

  /**
   * Many of them as one text: {@code FIRST SECOND KIND}, parted by semicolons, in order; empty for
   * none. Names hold neither blanks nor semicolons.
   */
  public static String text(List<CriticalDifference> differences) {
    return differences.stream()
        .sorted(ORDER)
        .map(one -> one.first + " " + one.second + " " + one.kind)
        .collect(Collectors.joining(";"));
  }

  /**
   * Reads {@link #text}.
   *
   * @throws IllegalArgumentException for a text that it does not write, or one of two for one pair
   */
  public static List<CriticalDifference> parse(String text) {
    List<CriticalDifference> differences = new ArrayList<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(";", -1)) {
      String[] parts = one.split(" ", -1);
      if (parts.length != 3) {
        throw new IllegalArgumentException("expected FIRST SECOND KIND, got \"" + one + "\"");
      }
      CriticalDifference next = new CriticalDifference(parts[0], parts[1], parts[2]);
      if (!differences.isEmpty() && ORDER.compare(differences.getLast(), next) >= 0) {
        throw new IllegalArgumentException("expected each pair once and in order, got " + text);
      }
      differences.add(next);
    }
    return List.copyOf(differences);
  }
}
