package dev.parlance.sim.finality;

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
}
