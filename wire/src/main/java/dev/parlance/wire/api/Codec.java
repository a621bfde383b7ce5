package dev.parlance.wire.api;

import dev.parlance.wire.Codecs;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonDocument;
import java.util.Optional;

/**
 * Turns bytes of one protocol into {@code AgentMessage} and nothing else. Stateless; called on
 * event loops, so it neither blocks nor logs. A streaming or binary transport brings its own
 * implementation of the same two views; nothing here presumes HTTP/1.1.
 */
public interface Codec {
  /** Name in the configuration; codecs for the bindings of one protocol share it. */
  String name();

  /**
   * True if a request with this head is surely of this codec's protocol, whatever its body. Codecs
   * are asked in the order of {@link Codecs}; the first that claims the request reads it.
   */
  boolean claims(RequestHead head);

  /**
   * True if this JSON body makes a request one of this codec's protocol. Asked only if {@link
   * #claims(RequestHead)} was not enough.
   */
  default boolean claims(RequestHead head, JsonDocument body) {
    return false;
  }

  /**
   * The code under which a request is unjudged that no codec claims and this one knows by its name:
   * something of its protocol that it does not read.
   */
  default Optional<String> unread(RequestHead head) {
    return Optional.empty();
  }

  /**
   * The protocol of what it reads, in one of its versions; {@code NONE} where it has no members.
   */
  default AgentProtocol protocol() {
    return AgentProtocol.NONE;
  }

  /** True if it claims a form of body that is no other protocol's, so that it is asked first. */
  default boolean isAskedFirst() {
    return false;
  }

  /** True if a request has a place for the outcome of a round. */
  default boolean hasPlaceForOutcome() {
    return false;
  }

  /** True if this is the codec of its name that reads what no codec of that name claims. */
  default boolean readsUnclaimed() {
    return true;
  }

  /**
   * True if a field of the head, or a body that is broken, shows that the requester understands
   * refusals of this protocol, even if no codec claims the request.
   */
  default boolean isUnderstoodBy(RequestHead head, PlainBody body) {
    return false;
  }

  /**
   * Reads a request. {@code body} is whole, decoded from any content coding, and kept by the view,
   * which lives no longer than the memory of it.
   */
  Reading<RequestView> readRequest(RequestHead head, PlainBody body);

  /** As above, of a body that has been scanned. */
  default Reading<RequestView> readRequest(RequestHead head, JsonDocument body) {
    return readRequest(head, body.body());
  }

  /**
   * The view of a request whose body nobody reads, by which its answer is read.
   *
   * @return empty if an answer of this protocol cannot be read without its request
   */
  default Optional<RequestView> unreadRequest(RequestHead head) {
    return Optional.empty();
  }

  /**
   * The refusal of a request of which there is no view, in this codec's protocol.
   *
   * @param body the body if it is JSON, else empty; only there if the notice is about a message
   *     nobody can judge
   * @return empty if head and body do not show that the requester speaks this protocol
   */
  default Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    return Optional.empty();
  }
}
