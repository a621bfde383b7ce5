package dev.parlance.policy.commit;

import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.text.Coded;
import java.util.HashSet;
import java.util.List;

/**
 * The constants of a round, fixed when it is opened.
 *
 * @param round name that the digest binds; see {@link RoundId#bound}
 * @param faults f: most members that may be faulty, at least 0. A round with n &lt; 3f+1 is valid
 *     and aborts
 * @param members ids of the 1 to 16 agents that may propose, distinct
 * @param encoding how texts become vectors
 * @param extraMargin what a verdict commit asks for beyond the margin of step 4, at least 0
 * @param verdictFallback whether a round without semantic core may end in a verdict commit
 * @param agreement what makes two members mean the same
 */
public record RoundSpec(
    String round,
    int faults,
    List<String> members,
    Encoding encoding,
    int extraMargin,
    boolean verdictFallback,
    Agreement agreement) {
  /** What makes two texts mean the same. The codes are stable. */
  public enum Agreement implements Coded {
    /** Their vectors are near: the paper's rule. */
    VECTORS,
    /** And there is no {@link CriticalDifference} between them. */
    CRITICAL
  }

  /** Most members. */
  public static final int MAX_MEMBERS = 16;

  /** Copies the list, refuses impossible values. */
  public RoundSpec {
    members = List.copyOf(members);
    if (!RoundNames.isName(round)) {
      throw new IllegalArgumentException("expected the name of a round, got \"" + round + "\"");
    }
    if (members.isEmpty()
        || members.size() > MAX_MEMBERS
        || !members.stream().allMatch(RoundNames::isName)
        || new HashSet<>(members).size() != members.size()) {
      throw new IllegalArgumentException(
          "expected 1 to " + MAX_MEMBERS + " distinct agents, got " + members);
    }
    if (faults < 0 || extraMargin < 0) {
      throw new IllegalArgumentException(
          "expected f and extraMargin of at least 0, got " + faults + ", " + extraMargin);
    }
  }

  /** A round of the paper, in which vectors alone decide who means the same. */
  public RoundSpec(
      String round,
      int faults,
      List<String> members,
      Encoding encoding,
      int extraMargin,
      boolean verdictFallback) {
    this(round, faults, members, encoding, extraMargin, verdictFallback, Agreement.VECTORS);
  }

  /** n. */
  public int size() {
    return members.size();
  }
}
