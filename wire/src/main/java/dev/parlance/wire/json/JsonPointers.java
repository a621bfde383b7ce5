package dev.parlance.wire.json;

import java.util.Optional;

/**
 * The configuration of codec {@code json}: JSON Pointers (RFC 6901) into a request and into a
 * response.
 *
 * @param request into requests
 * @param response into responses
 */
public record JsonPointers(Side request, Side response) {
  /** No pointers: nothing can be read. */
  public static final JsonPointers NONE = new JsonPointers(Side.NONE, Side.NONE);

  /** Whether there is no pointer at all. */
  public boolean isNone() {
    return request.isNone() && response.isNone();
  }

  /**
   * Pointers into one body.
   *
   * @param text the message
   * @param context an array of {@code {id,text}} or of strings
   * @param citations an array of strings
   * @param confidence a number in [0,1]
   * @param question what was asked
   * @param round an object that says something of a round, a proposal, a claim or a status
   */
  public record Side(
      Optional<String> text,
      Optional<String> context,
      Optional<String> citations,
      Optional<String> confidence,
      Optional<String> question,
      Optional<String> round) {
    /** No pointers. */
    public static final Side NONE =
        new Side(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    boolean isNone() {
      return text.isEmpty()
          && context.isEmpty()
          && citations.isEmpty()
          && confidence.isEmpty()
          && question.isEmpty()
          && round.isEmpty();
    }
  }
}
