package dev.parlance.policy.core;

import java.util.List;

/**
 * What two agents' verdicts on the same events come to (Algorithm 1, lines 3 to 16).
 *
 * @param audited n_aud: events on which at least one agent is decided
 * @param eligible k: events on which both are decided
 * @param contradictions c: eligible events on which they differ (contradictory divergence)
 */
public record Tally(int audited, int eligible, int contradictions) {
  /** Nothing tested yet. */
  public static final Tally NONE = new Tally(0, 0, 0);

  /** Refuses counts that cannot belong together: 0 <= c <= k <= n_aud. */
  public Tally {
    if (contradictions < 0 || eligible < contradictions || audited < eligible) {
      throw new IllegalArgumentException(
          "expected 0 <= contradictions <= eligible <= audited, got "
              + contradictions
              + ", "
              + eligible
              + ", "
              + audited);
    }
  }

  /** The tally of verdicts on the same events in the same order. */
  public static Tally of(List<TermVerdict> first, List<TermVerdict> second) {
    if (first.size() != second.size()) {
      throw new IllegalArgumentException(
          "expected as many verdicts of both agents, got " + first.size() + ", " + second.size());
    }
    Tally tally = NONE;
    for (int i = 0; i < first.size(); i++) {
      tally = tally.plus(first.get(i), second.get(i));
    }
    return tally;
  }

  /** This and one more event. */
  public Tally plus(TermVerdict first, TermVerdict second) {
    boolean both = first.isDecided() && second.isDecided();
    return new Tally(
        Math.addExact(audited, first.isDecided() || second.isDecided() ? 1 : 0),
        eligible + (both ? 1 : 0),
        contradictions + (both && first != second ? 1 : 0));
  }

  /** Both tallies together. */
  public Tally plus(Tally other) {
    return new Tally(
        Math.addExact(audited, other.audited),
        eligible + other.eligible,
        contradictions + other.contradictions);
  }

  /** Events on which exactly one agent is decided (contrary divergence, Definition 4). */
  public int contrary() {
    return audited - eligible;
  }

  /** s = k / max(n_aud, 1), in [0,1]. */
  public double coverage() {
    return (double) eligible / Math.max(audited, 1);
  }
}
