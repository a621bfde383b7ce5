package dev.parlance.wire.api;

import java.util.Optional;

/**
 * The correlation ids of a message; all come from agents and are hints only.
 *
 * @param contextId conversation, if the protocol has one
 * @param taskId task, if there is one
 * @param messageId message, if it has an id
 */
public record Correlation(
    Optional<String> contextId, Optional<String> taskId, Optional<String> messageId) {
  /** No ids. */
  public static final Correlation NONE =
      new Correlation(Optional.empty(), Optional.empty(), Optional.empty());

  /** What the ids begin with that a sidecar makes up for a refusal; agents know none of them. */
  public static final String MADE_UP = "parlance-";

  private static final int MAX_ID_CHARS = 128;

  /** The conversation, unless a sidecar made it up. */
  public static Optional<String> known(Optional<String> contextId) {
    return contextId.filter(id -> !id.isEmpty() && !id.startsWith(MADE_UP));
  }

  /** False for an id that is a sentence, which is not repeated in a refusal. */
  public static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_ID_CHARS
        && id.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
