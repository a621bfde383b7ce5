package dev.parlance.relay.api;

import dev.parlance.relay.api.OriginReceiver.OriginResult;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/** Who takes an origin's answer. All methods are called on the loop of the call. */
@FunctionalInterface
public interface OriginReceiver {
  /**
   * True if the request is not to go over a connection that was used before: who has just answered
   * on it may be about to close it. Over HTTP/2 one that was used does where there are as many as
   * there may be.
   */
  default boolean needsNewConnection() {
    return false;
  }

  /**
   * True if request and answer go on as they came, as far as that is not a matter of one connection
   * only: with the phrase behind the status that the origin has sent, without a date of ours, and
   * with a length where one was declared.
   */
  default boolean isTap() {
    return false;
  }

  /**
   * The answer, or why there is none; called exactly once, unless {@link #onHead} gave a sink,
   * which then gets the rest.
   */
  void done(OriginResult result);

  /**
   * The head of the final answer has arrived.
   *
   * @param headers end-to-end fields
   * @return who takes the body piece by piece; empty to have it gathered whole within the limits
   */
  default Optional<BodySink> onHead(int status, HttpHeaders headers) {
    return Optional.empty();
  }

  /**
   * As {@link #onHead(int, HttpHeaders)}.
   *
   * @param length of the body as the origin has declared it; -1 if it has not
   */
  default Optional<BodySink> onHead(int status, HttpHeaders headers, long length) {
    return onHead(status, headers);
  }

  /** A head before the final one, but for 100 and 101. */
  default void onInterim(int status, HttpHeaders headers) {}

  /** What came of asking an origin. */
  sealed interface OriginResult {
    /**
     * A whole response.
     *
     * @param response the response; its body belongs to the receiver
     */
    record Answered(WholeResponse response) implements OriginResult {}

    /**
     * No whole response.
     *
     * @param code stable reason code: {@code connect_refused}, {@code connect_timeout}, {@code
     *     unknown_host}, {@code response_timeout}, {@code response_incomplete}, {@code
     *     response_malformed}, {@code response_too_large}, {@code origin_closed}, {@code
     *     origin_limit}, {@code origin_streams} (its connections let nothing more be asked), {@code
     *     destination_denied}, {@code origin_protocol} (it does not speak HTTP/2), {@code tls_...}
     *     (no encrypted connection; behind it a code as in {@link RelayEvents#handshake}), {@code
     *     shutting_down} (the sidecar stops), {@code cancelled}
     * @param requestSent true if any byte of the request may have reached the origin (then it is
     *     not safe to repeat)
     * @param detail for the log
     */
    record Failed(String code, boolean requestSent, String detail) implements OriginResult {}
  }

  /**
   * Takes the body of an origin's answer piece by piece. All methods are called on the loop of the
   * call; {@link #end} or {@link #failed} is the last call and happens exactly once.
   */
  interface BodySink {
    /** A piece of the body, never empty; the sink owns it from now on. */
    void piece(ByteBuf piece);

    /**
     * The body is whole.
     *
     * @param trailers end-to-end trailers, usually empty; the sink may change them
     */
    void end(HttpHeaders trailers);

    /** The body broke off; what was given so far is not whole. */
    void failed(OriginResult.Failed failure);
  }
}
