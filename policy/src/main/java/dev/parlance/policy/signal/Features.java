package dev.parlance.policy.signal;

/**
 * What an estimator saw in one draft (ASP paper, section 4.1), before any weight is applied.
 *
 * <p>Any double is allowed, so that a faulty estimator ends in {@link Signals#INVALID} and not in
 * an exception; {@link Signals#of} clamps finite values to [0,1].
 *
 * @param contextOverlap o_c: share of the answer's tokens that occur in the evidence
 * @param citationScore s_cite: score of its citations
 * @param novelRatio n: share of its tokens that occur neither in the evidence nor in the question
 * @param questionOverlap o_q: share of its tokens that occur in the question
 */
public record Features(
    double contextOverlap, double citationScore, double novelRatio, double questionOverlap) {

  /** True if all four are finite numbers. */
  public boolean isFinite() {
    return Double.isFinite(contextOverlap)
        && Double.isFinite(citationScore)
        && Double.isFinite(novelRatio)
        && Double.isFinite(questionOverlap);
  }

  /** The same, each clamped to [0,1]; minus zero becomes zero. */
  Features clamped() {
    return new Features(
        Signals.clamp(contextOverlap),
        Signals.clamp(citationScore),
        Signals.clamp(novelRatio),
        Signals.clamp(questionOverlap));
  }
}
