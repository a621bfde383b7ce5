package dev.parlance.policy.signal;

/**
 * How likely it is to a classifier that a text follows from another, has nothing to do with it, or
 * contradicts it. Each lies in [0,1].
 */
public record EntailmentScores(double entailment, double neutral, double contradiction) {
  /** Refuses what is no likelihood, NaN before all. */
  public EntailmentScores {
    if (!isLikelihood(entailment) || !isLikelihood(neutral) || !isLikelihood(contradiction)) {
      throw new IllegalArgumentException(
          "expected three numbers in [0,1], got "
              + entailment
              + ", "
              + neutral
              + ", "
              + contradiction);
    }
  }

  private static boolean isLikelihood(double value) {
    return value >= 0 && value <= 1;
  }
}
