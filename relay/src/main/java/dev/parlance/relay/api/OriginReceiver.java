package dev.parlance.relay.api;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/** Who takes an origin's answer. All methods are called on the loop of the call. */
@FunctionalInterface
public interface OriginReceiver {
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
}
