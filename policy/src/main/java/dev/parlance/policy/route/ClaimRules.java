package dev.parlance.policy.route;

/**
 * How the claims of an answer are judged one by one, beyond the paper.
 *
 * @param isOn true: the estimator is {@code claims}, which holds each claim against the evidence;
 *     false: {@code overlap}, the paper's, which counts words
 * @param supportWarnBelow support of the weakest claim below which the receiver is warned, in [0,1]
 * @param regenerateChanges true: a claim that departs from the evidence that it repeats, or has a
 *     value that the evidence does not have, sends the draft back by itself
 * @param citations what is asked of citations
 */
public record ClaimRules(
    boolean isOn, double supportWarnBelow, boolean regenerateChanges, CitationRule citations) {
  /** The paper's way: no claim is looked at. */
  public static final ClaimRules OFF = new ClaimRules(false, 0, false, CitationRule.PREFERRED);

  /** Refuses a threshold outside [0,1]. */
  public ClaimRules {
    Ranges.unit("supportWarnBelow", supportWarnBelow);
  }

  /** What is asked of citations. */
  public enum CitationRule implements dev.parlance.policy.text.Coded {
    /** An answer without any is asked for again. */
    REQUIRED,
    /** It is noted that there is none. */
    PREFERRED,
    /** Nothing; also unknown ones count for nothing. */
    IGNORED
  }
}
