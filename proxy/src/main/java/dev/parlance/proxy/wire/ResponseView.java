package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import java.util.List;
import java.util.Optional;

/** A response that a codec could read. Immutable; keeps the body array it was read from. */
public interface ResponseView extends Annotatable {
  /**
   * What the answering agent says; empty if the response carries no agent text (a protocol error, a
   * card).
   */
  Optional<AgentMessage> message();

  /**
   * Stable codes of what the body holds besides the judged text and nobody read: {@code
   * binary_part} (files, URLs, data without text), {@code status_text}, {@code history_text}.
   * Usually empty.
   */
  default List<String> unread() {
    return List.of();
  }

  /** Ids in the response. */
  Correlation correlation();
}
