package dev.parlance.proxy.wire;

/**
 * Turns bytes of one protocol into {@code AgentMessage} and nothing else. Stateless; called on
 * event loops, so it neither blocks nor logs. A streaming or binary transport brings its own
 * implementation of the same two views; nothing here presumes HTTP/1.1.
 */
public interface Codec {
  /** Name in the configuration: {@code a2a}, {@code openai}, {@code json}, {@code text}. */
  String name();

  /**
   * True if a request with this head looks like this codec's protocol, before its body is known
   * (used by {@code codec: auto}).
   */
  boolean claims(RequestHead head);

  /**
   * Reads a request. {@code body} is whole, decoded from any content coding, and kept by the view.
   */
  Reading<RequestView> readRequest(RequestHead head, byte[] body);
}
