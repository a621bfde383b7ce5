package dev.parlance.policy.route;

/**
 * Where the regimes of failing drafts begin (ASP paper, section 4.3). All lie in [0,1].
 *
 * @param gapOverlapMin least o_c of a citation gap (paper: 0.65)
 * @param gapEvidenceOnlyMin least share of tokens from the evidence alone in a citation gap (paper:
 *     0.25 of the required terms, see {@link Regime})
 * @param partialOverlapMin least o_c of a grounded partial answer (no number in the paper; half)
 */
public record RegimeLimits(
    double gapOverlapMin, double gapEvidenceOnlyMin, double partialOverlapMin) {
  /** The paper's limits. */
  public static final RegimeLimits PAPER = new RegimeLimits(0.65, 0.25, 0.50);

  /** Refuses limits outside [0,1]. */
  public RegimeLimits {
    Ranges.unit("regimeGapOverlapMin", gapOverlapMin);
    Ranges.unit("regimeGapEvidenceOnlyMin", gapEvidenceOnlyMin);
    Ranges.unit("regimePartialOverlapMin", partialOverlapMin);
  }
}
