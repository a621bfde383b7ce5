package dev.parlance.demo.agent;

import java.util.Map;
import java.util.Optional;

/** What came back for a message. */
public sealed interface AgentReply {
  /**
   * An answer.
   *
   * @param text what it says
   * @param taskState the task's state, or {@code message} if the answer is no task
   * @param verdict what a sidecar wrote about it
   * @param metadata all metadata of the answer
   */
  record Answered(
      String text, String taskState, ReceivedVerdict verdict, Map<String, Object> metadata)
      implements AgentReply {
    /** Copies the map. */
    public Answered {
      metadata = Map.copyOf(metadata);
    }
  }

  /**
   * A task that did not complete, or a message that a sidecar sent back to its author.
   *
   * @param why what its status says, or what the sidecar wants changed
   * @param taskState the state, e.g. {@code rejected}; {@code error} if there is no task
   * @param verdict what a sidecar wrote about it
   * @param repair what a sidecar wants changed, if a better message may be sent
   */
  record Withheld(String why, String taskState, ReceivedVerdict verdict, Optional<String> repair)
      implements AgentReply {
    /** Nothing is said about what to change. */
    public Withheld(String why, String taskState, ReceivedVerdict verdict) {
      this(why, taskState, verdict, Optional.empty());
    }
  }

  /**
   * No answer at all: a protocol error, a broken connection, no answer in time.
   *
   * @param why what the client says
   */
  record Failed(String why) implements AgentReply {}
}
