package dev.parlance.console.source;

import dev.parlance.service.Result;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * What sidecars know: themselves, their decisions, the messages that they hold. Answers are as
 * openapi.yaml has them; every call may block for a bounded time.
 */
public interface AgentSource {
  /** What there is. */
  Set<Feature> features();

  /** All sidecars. */
  Result<ObjectNode> sidecars();

  /** The configuration of one. */
  Result<ObjectNode> config(String sidecar);

  /**
   * A page of decisions.
   *
   * @param filter the parameters of the call, checked
   */
  Result<ObjectNode> decisions(Map<String, String> filter);

  /** One decision, with words where there are some. */
  Result<ObjectNode> decision(String sidecar, String id);

  /**
   * A page of held messages.
   *
   * @param who whose eyes see it
   * @param filter the body of the call, checked
   */
  Result<ObjectNode> search(String who, ObjectNode filter);

  /** How the queues stand. */
  Result<ObjectNode> figures();

  /** One held message with its words, as this person may see it. */
  Result<ObjectNode> item(String who, ItemRef ref);

  /**
   * Does something about a held message.
   *
   * @param as the roles and groups of the person
   * @param act a segment of the path: claim, release ...
   * @param note why; may be empty
   * @return the item as it stands; a refusal carries the same where there is one
   */
  ActResult act(String who, Set<String> as, ItemRef ref, String act, String note);

  /** What came of an act. */
  sealed interface ActResult {
    /** It was done. */
    record Done(ObjectNode item) implements ActResult {}

    /** It was not. */
    record Refused(Result.Kind kind, String code, String message, Optional<ObjectNode> item)
        implements ActResult {}
  }

  /**
   * A signed link to one item.
   *
   * @return its {@code token} and {@code expiresAtMs}
   */
  Result<ObjectNode> link(String who, ItemRef ref, String role, long forMs);

  /** What a link's token is for; refused if it is none, or has expired. */
  Result<Linked> linked(String token);

  /**
   * What a signed link opens.
   *
   * @param decides true if it allows more than reading
   */
  record Linked(ItemRef item, boolean decides, long expiresAtMs) {}

  /** Judges other words; the body of the call, checked. */
  Result<ObjectNode> judge(String who, ObjectNode body);

  /**
   * Looks what has happened since the last call, which at first is nothing. Only one thread calls
   * it.
   */
  void poll(EventSink sink);

  /** Takes what has happened. */
  interface EventSink {
    /** Something of a kind that openapi.yaml names happened. */
    void happened(String kind, ObjectNode data);

    /** More has happened than can be told. */
    void lost(String why);
  }
}
