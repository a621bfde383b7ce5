package dev.parlance.proxy.admin;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The review queue. May block. */
public interface ReviewPort {
  /** What came of a person's decision. */
  sealed interface Outcome {
    /**
     * It holds, and is on disk.
     *
     * @param item the item as it stands now
     */
    record Done(JsonNode item) implements Outcome {}

    /** There is no such item. */
    record NotFound() implements Outcome {}

    /**
     * Somebody was first; nothing changed.
     *
     * @param item the item with the decision that holds
     */
    record AlreadyDecided(JsonNode item) implements Outcome {}

    /**
     * Nothing was decided.
     *
     * @param code stable reason code
     * @param message for the person
     */
    record Failed(String code, String message) implements Outcome {}
  }

  /** The states that {@link #list} knows, for messages. */
  List<String> states();

  /**
   * Items, oldest first, without their messages.
   *
   * @param state only those in this state, one of {@link #states}
   * @param limit most of them, 1 or more
   */
  List<JsonNode> list(Optional<String> state, int limit);

  /** The item with this id, without its message. */
  Optional<JsonNode> find(String id);

  /** The held message, byte for byte; empty if there is no such item or its content is gone. */
  Optional<byte[]> message(String id);

  /** Lets the message pass. */
  Outcome release(String id, String who, String note);

  /** Refuses the message. */
  Outcome reject(String id, String who, String note);
}
