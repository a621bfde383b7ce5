package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import java.util.Arrays;

/**
 * The changes of one claim: units of the answer and the positions in their place. Where a side has
 * nothing its range of bytes is that of the neighbours.
 */
final class FoundChanges {
  private final Units claim;
  private final PairIndex evidence;

  private int count;
  private ChangeKind[] kinds = new ChangeKind[16];
  private int[] claimFrom = new int[16];
  private int[] claimTo = new int[16];
  private int[] evidenceFrom = new int[16];
  private int[] evidenceTo = new int[16];

  FoundChanges(Units claim, PairIndex evidence) {
    this.claim = claim;
    this.evidence = evidence;
  }

  int count() {
    return count;
  }

  ChangeKind kind(int change) {
    return kinds[change];
  }

  int start(int change) {
    boolean none = claimFrom[change] == claimTo[change];
    return claim.start(Math.max(0, claimFrom[change] - (none ? 1 : 0)));
  }

  int end(int change) {
    boolean none = claimFrom[change] == claimTo[change];
    return claim.end(Math.min(claim.count(), claimTo[change] + (none ? 1 : 0)) - 1);
  }

  int chunk(int change) {
    return evidence.chunk(Math.min(evidenceFrom[change], evidence.count() - 1));
  }

  int evidenceStart(int change) {
    boolean none = evidenceFrom[change] == evidenceTo[change];
    int first = evidenceFrom[change] - (none ? 1 : 0);
    return evidence.startByte(Math.max(evidence.start(chunk(change)), first));
  }

  int evidenceEnd(int change) {
    boolean none = evidenceFrom[change] == evidenceTo[change];
    int after = evidenceTo[change] + (none ? 1 : 0);
    return evidence.endByte(Math.min(evidence.end(chunk(change)), after) - 1);
  }

  /** A position of the evidence where a change is, or beside which it is. */
  int evidencePosition(int change) {
    return Math.max(
        evidence.start(chunk(change)),
        Math.min(evidenceFrom[change], evidence.end(chunk(change)) - 1));
  }

  int claimFrom(int change) {
    return claimFrom[change];
  }

  int claimTo(int change) {
    return claimTo[change];
  }

  int evidenceTo(int change) {
    return evidenceTo[change];
  }

  /** So many units of the claim depart because of a change; a character is in two pairs. */
  int changedUnits(int change) {
    int units = claimTo[change] - claimFrom[change];
    if (kinds[change] == ChangeKind.ROLES || units == 0) {
      return 0;
    }
    boolean grams = (claim.flags(claimFrom[change]) & Units.GRAM) != 0;
    return Math.min(grams ? 4 : 2, units);
  }

  /** Forgets all but the first ones. */
  void cutTo(int length) {
    count = length;
  }

  void add(ChangeKind kind, int c, int cEnd, int e, int eEnd) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      claimFrom = Arrays.copyOf(claimFrom, 2 * count);
      claimTo = Arrays.copyOf(claimTo, 2 * count);
      evidenceFrom = Arrays.copyOf(evidenceFrom, 2 * count);
      evidenceTo = Arrays.copyOf(evidenceTo, 2 * count);
    }
    kinds[count] = kind;
    claimFrom[count] = c;
    claimTo[count] = cEnd;
    evidenceFrom[count] = e;
    evidenceTo[count++] = eEnd;
  }
}
