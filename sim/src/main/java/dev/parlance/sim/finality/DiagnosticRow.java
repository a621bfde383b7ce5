package dev.parlance.sim.finality;

import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;

/**
 * The episodes of one size and kind of poison.
 *
 * @param bucket size and faults
 * @param poison what the faulty agents did
 * @param episodes how many there were
 * @param semantic those that ended in a semantic commit
 * @param verdict those that ended in a verdict commit
 * @param aborts those that ended in an abort
 * @param deviation how far aggregates were off; empty without semantic commits
 */
public record DiagnosticRow(
    Bucket bucket,
    Poison poison,
    int episodes,
    int semantic,
    int verdict,
    int aborts,
    Optional<Deviation> deviation) {
  /**
   * Angles of aggregates, in degrees.
   *
   * @param meanToClaim to the direction that all honest agents mean, on average
   * @param maxToClaim the largest of them
   * @param meanToHonest to the mean of the honest agents, on average
   * @param maxToHonest the largest of them
   */
  public record Deviation(
      double meanToClaim, double maxToClaim, double meanToHonest, double maxToHonest) {}

  /**
   * Rounds of one size in the diagnostic.
   *
   * @param size n, agents
   * @param faults f, of which all are faulty
   */
  public record Bucket(int size, int faults) {
    /** Rounds that the protocol is for, n = 3f+1 with f = 1 to 4, and two of n = 3f. */
    public static final List<Bucket> ALL =
        List.of(
            new Bucket(4, 1),
            new Bucket(7, 2),
            new Bucket(10, 3),
            new Bucket(13, 4),
            new Bucket(6, 2),
            new Bucket(9, 3));

    /** True if n is at least 3f+1. */
    public boolean isFeasible() {
      return size >= 3 * faults + 1;
    }

    /** The stable name: {@code feasible} or {@code beyond-bft}. */
    public String kind() {
      return isFeasible() ? "feasible" : "beyond-bft";
    }
  }

  /** How the faulty agents of the diagnostic poison. */
  public enum Poison implements Coded {
    /** The same poisoned text whatever the others say, 35 degrees from the claim. */
    STATIC,
    /** They see the honest proposals first and take the meaning that turns the aggregate most. */
    RUSHING
  }
}
