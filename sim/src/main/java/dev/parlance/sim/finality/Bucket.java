package dev.parlance.sim.finality;

import java.util.List;

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
