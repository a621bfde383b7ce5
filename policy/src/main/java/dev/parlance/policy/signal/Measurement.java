package dev.parlance.policy.signal;

import java.util.Optional;

/**
 * What an estimator found in a message.
 *
 * @param counts what it counted
 * @param features what follows from it
 * @param claims what was found in the single claims; empty if the estimator looks at none
 */
public record Measurement(Counts counts, Features features, Optional<ClaimFindings> claims) {
  /** What an estimator found that looks at no single claims. */
  public Measurement(Counts counts, Features features) {
    this(counts, features, Optional.empty());
  }

  /** The counts with the features that follow from them under {@code weights}. */
  public static Measurement of(Counts counts, SignalWeights weights) {
    return new Measurement(counts, counts.features(weights));
  }

  /**
   * The same with the citation score that {@code weights} give it. Other features stay, and so do
   * features that are not finite, whose fault must stay visible.
   */
  public Measurement scoredBy(SignalWeights weights) {
    if (!features.isFinite()) {
      return this;
    }
    return new Measurement(
        counts,
        new Features(
            features.contextOverlap(),
            counts.features(weights).citationScore(),
            features.novelRatio(),
            features.questionOverlap()),
        claims);
  }
}
