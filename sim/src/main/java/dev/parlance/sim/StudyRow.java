package dev.parlance.sim;

import dev.parlance.policy.core.Bound;

/**
 * How often a term of exactly the threshold rate was certified.
 *
 * @param bound how evidence was weighed
 * @param looks when it was looked at
 * @param comparisons eligible comparisons, at the one look or at the last
 * @param simulations how many certifications were simulated
 * @param certified how many of them certified the term
 */
public record StudyRow(
    Bound bound, Looks looks, int comparisons, long simulations, long certified) {
  /** When the evidence is looked at. */
  public enum Looks {
    /** Once, at the end. */
    ONE,
    /** After every comparison; certified at the first look that allows it. */
    EVERY
  }

  /** Share of the simulations that certified, in [0,1]. */
  public double rate() {
    return (double) certified / simulations;
  }

  /**
   * How far above delta the share may come out by chance where the true probability is delta: three
   * standard errors, exceeded with probability .0013.
   */
  public double margin(double delta) {
    return 3.0 * Math.sqrt(delta * (1.0 - delta) / simulations);
  }
}
