package dev.parlance.sim.finality;

import dev.parlance.sim.finality.DiagnosticRow.Bucket;
import dev.parlance.sim.finality.DiagnosticRow.Poison;

/**
 * What is to be simulated.
 *
 * @param episodes of the diagnostic, 12 or more, a multiple of 12: as many of each size and poison
 * @param rounds of the study of adversaries, 1 or more
 * @param seed everything random comes from it; the number of threads does not matter
 * @param threads how many to compute with, 1 or more
 */
public record FinalityOptions(int episodes, long rounds, long seed, int threads) {
  /** As many as the paper has. */
  public static final int PAPER_EPISODES = 120;

  /** Episodes come in so many kinds. */
  public static final int KINDS = Bucket.ALL.size() * Poison.values().length;

  private static final int MAX_EPISODES = 1_200_000;
  private static final long MAX_ROUNDS = 100_000_000;

  /** Refuses what cannot be run. */
  public FinalityOptions {
    if (episodes < KINDS || episodes > MAX_EPISODES || episodes % KINDS != 0) {
      throw new IllegalArgumentException(
          "expected a multiple of "
              + KINDS
              + " episodes up to "
              + MAX_EPISODES
              + ", got "
              + episodes);
    }
    if (rounds < 1 || rounds > MAX_ROUNDS || threads < 1) {
      throw new IllegalArgumentException(
          "expected 1 to "
              + MAX_ROUNDS
              + " rounds and one thread or more, got "
              + rounds
              + ", "
              + threads);
    }
  }

  /** On all processors. */
  public static FinalityOptions of(int episodes, long rounds, long seed) {
    return new FinalityOptions(episodes, rounds, seed, Runtime.getRuntime().availableProcessors());
  }
}
