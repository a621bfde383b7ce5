package dev.parlance.policy.route;

import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.text.Coded;

/**
 * What kind of failure a failing draft is (ASP paper, section 4.3): the first two are worth another
 * attempt, the third usually is not. It is told to people and logs; Eq. 6 does not read it.
 *
 * <p>The paper classifies with the required terms of its benchmark, which nobody knows at run time.
 * In their place stands the share of the answer's distinct tokens that come from the evidence and
 * not from the question, {@code (tokens - novel - inQuestion) / tokens}: content that the answer
 * brought over from the source, which an echo of the question has none of.
 */
public enum Regime implements Coded {
  /** Cites a retrieved chunk and mostly uses its words, but fails all the same. */
  GROUNDED_PARTIAL,
  /** Uses the words of the evidence, but cites nothing or something else. */
  CITATION_GAP,
  /** Too little grounding for a refinement to start from. */
  UNGROUNDED,
  /** Not a failing draft, or not measured. */
  NONE;

  /** The regime of a failing draft whose claims were looked at. */
  static Regime ofFailing(ClaimFindings found, Counts counts) {
    if (found.notes().contains(ClaimFindings.ClaimNote.UNFOUNDED)) {
      return UNGROUNDED;
    }
    return counts.citedKnown() > 0 ? GROUNDED_PARTIAL : CITATION_GAP;
  }

  /** The regime of a failing draft. */
  static Regime ofFailing(Counts counts, double contextOverlap, RegimeLimits limits) {
    if (counts.citedKnown() > 0 && contextOverlap >= limits.partialOverlapMin()) {
      return GROUNDED_PARTIAL;
    }
    if (counts.citedKnown() == 0
        && contextOverlap >= limits.gapOverlapMin()
        && counts.evidenceOnlyRatio() >= limits.gapEvidenceOnlyMin()) {
      return CITATION_GAP;
    }
    return UNGROUNDED;
  }

  /**
   * Where the regimes of failing drafts begin (ASP paper, section 4.3). All lie in [0,1].
   *
   * @param gapOverlapMin least o_c of a citation gap (paper: 0.65)
   * @param gapEvidenceOnlyMin least share of tokens from the evidence alone in a citation gap
   *     (paper: 0.25 of the required terms, see {@link Regime})
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
}
