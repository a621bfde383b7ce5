package dev.parlance.wire.api;

/**
 * The tokens that a model says it took for an answer.
 *
 * @param input tokens of the prompt
 * @param output tokens of the answer
 * @param total what it gives as their sum
 */
public record TokenUsage(long input, long output, long total) {
  /** Nothing is known of any. */
  public static final TokenUsage NONE = new TokenUsage(0, 0, 0);

  private static final long MOST = Long.MAX_VALUE / 4;

  /** Refuses less than none, and numbers whose sums would be no number. */
  public TokenUsage {
    if (Math.min(input, Math.min(output, total)) < 0
        || Math.max(input, Math.max(output, total)) > MOST) {
      throw new IllegalArgumentException("expected numbers of tokens");
    }
  }

  /** Of both. */
  public TokenUsage plus(TokenUsage other) {
    return equals(NONE)
        ? other
        : new TokenUsage(input + other.input, output + other.output, total + other.total);
  }
}
