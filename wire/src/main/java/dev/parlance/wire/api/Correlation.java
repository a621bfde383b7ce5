package dev.parlance.wire.api;

import java.util.Optional;

/**
 * The ids by which a protocol ties messages together; all come from agents and are hints only.
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
}
