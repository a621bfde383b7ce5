package dev.parlance.wire.api;

import java.util.Optional;

/**
 * A request about one task. A held answer is a task that the sidecar keeps in the agent's place, so
 * that a client follows it as it follows any other.
 *
 * @param verb what is to happen with it
 * @param taskId the task; from its client, and a hint only
 */
public record TaskCall(Verb verb, String taskId) {
  /** What the ids of tasks begin with that a sidecar keeps. */
  public static final String OF_SIDECAR = "parlance-task-";

  /** What is to happen with a task. */
  public enum Verb {
    /** It is shown, or something is said to it. */
    READ,
    /** The same, as a stream that shows its changes, too. */
    FOLLOW,
    /** It is to end. */
    CANCEL,
    /** Its changes are to be pushed, or something about that is asked. */
    NOTIFY
  }

  /** The id in the review queue of a held answer, by the task that it is. */
  public Optional<String> reviewId() {
    return taskId.startsWith(OF_SIDECAR)
        ? Optional.of(taskId.substring(OF_SIDECAR.length()))
        : Optional.empty();
  }
}
