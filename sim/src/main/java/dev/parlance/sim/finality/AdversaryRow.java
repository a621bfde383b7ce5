package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.text.Coded;
import java.util.Map;

/**
 * The rounds of one attack.
 *
 * @param attack what the faulty agents did
 * @param rounds how many there were
 * @param semantic those that ended in a semantic commit
 * @param verdict those that ended in a verdict commit
 * @param aborts those that ended in an abort, by reason; reasons that did not come are absent
 * @param breaches rounds in which a promise was broken
 * @param largestOfBound the largest error of a semantic commit, as a share of the bound for it; 0
 *     if there was none
 * @param largestDegrees the largest angle between a semantic commit and the honest agents behind
 *     it; 0 if there was none
 */
public record AdversaryRow(
    Attack attack,
    long rounds,
    long semantic,
    long verdict,
    Map<AbortReason, Long> aborts,
    Breaches breaches,
    double largestOfBound,
    double largestDegrees) {
  /** Copies the map. */
  public AdversaryRow {
    aborts = Map.copyOf(aborts);
  }

  /**
   * Rounds in which a promise was broken; all are 0 where the protocol is right.
   *
   * @param noOutcome did not end in a typed outcome
   * @param wrongVerdict commits whose verdict is not that of more honest agents than any other
   * @param infeasibleCommit commits of rounds with n less than 3f+1
   * @param boundExceeded semantic commits further from the honest agents than the bound
   * @param denied aborts although all honest agents agree and have delivered, or no semantic commit
   *     although any two of them are within cosMin
   * @param orderMatters other outcomes for the same proposals in another order
   */
  public record Breaches(
      long noOutcome,
      long wrongVerdict,
      long infeasibleCommit,
      long boundExceeded,
      long denied,
      long orderMatters) {
    /** All of them. */
    public long total() {
      return noOutcome + wrongVerdict + infeasibleCommit + boundExceeded + denied + orderMatters;
    }
  }

  /** All aborts. */
  public long aborted() {
    return aborts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The rounds that ended in one of the three. */
  public long ended() {
    return semantic + verdict + aborted();
  }

  /** What the faulty agents do. All of them see every honest proposal before they choose. */
  public enum Attack implements Coded {
    /** They say nothing, so that too few deliver or the margin gets thin. */
    WITHHOLD,
    /** They back the strongest other verdict with one voice, or one that nobody has. */
    FLIP,
    /** Some back the leading verdict and some another, where that makes a tie or a thin margin. */
    SPLIT,
    /**
     * They back the leading verdict with the texts that, of many tried, turn the aggregate furthest
     * away from the honest agents.
     */
    STEER,
    /** They back the leading verdict, all with the meaning of the honest outlier. */
    CROWD,
    /** They propose two or three different things each: other verdict, text or meaning. */
    EQUIVOCATE,
    /** They copy honest proposals and send those of other epochs and of strangers again. */
    REPLAY,
    /** They vote once the round is sealed. */
    LATE,
    /** They send what is no vector, no verdict, or has no meaning. */
    MALFORM,
    /** Each does something else. */
    MIXED
  }
}
