package dev.parlance.sim;

import java.util.List;

/**
 * What the study of false certification is to simulate.
 *
 * @param simulations certifications per row, 1 or more
 * @param seed everything random comes from it; the number of threads does not matter
 * @param tau the threshold, which is also the true rate of every simulated term: the worst case
 * @param delta the error probability asked for
 * @param sizes numbers of comparisons at which one look is taken
 * @param horizon for looks after every comparison: how many comparisons there are
 * @param threads how many to compute with, 1 or more
 */
public record StudyOptions(
    long simulations,
    long seed,
    double tau,
    double delta,
    List<Integer> sizes,
    int horizon,
    int threads) {
  /** Refuses what cannot be run; tau and delta are checked where they are used. */
  public StudyOptions {
    sizes = List.copyOf(sizes);
    if (simulations < 1 || horizon < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "expected one simulation, comparison and thread or more, got "
              + simulations
              + ", "
              + horizon
              + ", "
              + threads);
    }
    for (int size : sizes) {
      if (size < 1) {
        throw new IllegalArgumentException("expected one comparison or more, got " + size);
      }
    }
  }

  /** At the paper's constants: one look at 52, 59, 100, 200 and 400 comparisons, or 2,000 looks. */
  public static StudyOptions of(long simulations, long seed) {
    return new StudyOptions(
        simulations,
        seed,
        0.05,
        0.05,
        List.of(52, 59, 100, 200, 400),
        2_000,
        Runtime.getRuntime().availableProcessors());
  }
}
