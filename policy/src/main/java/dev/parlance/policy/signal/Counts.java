package dev.parlance.policy.signal;

import java.util.List;

/**
 * What was counted in one answer; tokens are distinct ones (convention {@code asp-text-1}, step 4).
 *
 * @param tokens |A|: tokens of the answer, without its citation markers
 * @param inContext |A∩C|: those that occur in a chunk
 * @param novel |A\(C∪Q)|: those that occur neither in a chunk nor in the question
 * @param inQuestion |A∩Q|: those that occur in the question
 * @param novelNumbers the novel ones that have a decimal digit in them
 * @param cited different ids cited; may exceed the number listed if there are very many
 * @param citedKnown those of them that are ids of chunks
 * @param citedIds the ids cited, in canonical form, in order of first appearance
 * @param validIds those of them that are ids of chunks
 */
public record Counts(
    int tokens,
    int inContext,
    int novel,
    int inQuestion,
    int novelNumbers,
    int cited,
    int citedKnown,
    List<String> citedIds,
    List<String> validIds) {

  /** Copies the lists and refuses counts that cannot belong together. */
  public Counts {
    citedIds = List.copyOf(citedIds);
    validIds = List.copyOf(validIds);
    boolean tokensFit =
        0 <= inContext
            && inContext <= tokens
            && 0 <= inQuestion
            && inQuestion <= tokens
            && 0 <= novelNumbers
            && novelNumbers <= novel
            && novel + Math.max(inContext, inQuestion) <= tokens
            && tokens <= novel + inContext + inQuestion;
    boolean citationsFit =
        citedKnown == validIds.size()
            && validIds.size() <= citedIds.size()
            && citedIds.size() <= cited;
    if (!tokensFit || !citationsFit) {
      throw new IllegalArgumentException(
          "counts do not fit: tokens %d, inContext %d, novel %d, inQuestion %d, novelNumbers %d, cited %d, citedKnown %d"
              .formatted(tokens, inContext, novel, inQuestion, novelNumbers, cited, citedKnown));
    }
  }

  /** Number of ids cited that are no chunk's. */
  public int citedUnknown() {
    return cited - citedKnown;
  }

  /**
   * Share of the tokens that come from the evidence and not from the question; 0 without tokens.
   */
  public double evidenceOnlyRatio() {
    return tokens == 0 ? 0.0 : (double) (tokens - novel - inQuestion) / tokens;
  }

  /**
   * The features of these counts. Without any token they are (0, 0, 1, 0) whatever was cited: an
   * answer that says nothing is held to be unsupported.
   */
  public Features features(SignalWeights weights) {
    if (tokens == 0) {
      return new Features(0.0, 0.0, 1.0, 0.0);
    }
    return new Features(
        (double) inContext / tokens,
        citationScore(weights),
        (double) novel / tokens,
        (double) inQuestion / tokens);
  }

  private double citationScore(SignalWeights weights) {
    if (citedKnown > 0) {
      return weights.citationKnownScore();
    }
    return cited > 0 ? weights.citationUnknownScore() : weights.citationNoneScore();
  }
}
