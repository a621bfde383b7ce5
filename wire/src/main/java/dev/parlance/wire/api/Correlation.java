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

  private static final int MAX_ID_CHARS = 128;

  /** False for an id that is a sentence, which is not repeated in a refusal. */
  public static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_ID_CHARS
        && id.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
