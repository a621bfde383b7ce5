package dev.parlance.wire.api;

import java.util.Map;

/**
 * A typed answer that the sidecar gives in place of an agent's, in the caller's own protocol.
 *
 * @param status HTTP status code
 * @param contentType media type of the body
 * @param body the body
 * @param trailers fields behind the body (gRPC status), usually empty
 */
// A body is sent once, never compared; the array is not copied.
@SuppressWarnings("ArrayRecordComponent")
public record Refusal(int status, String contentType, byte[] body, Map<String, String> trailers) {
  /** Takes a copy of the trailers. */
  public Refusal {
    trailers = Map.copyOf(trailers);
  }

  /** A refusal without trailers. */
  public Refusal(int status, String contentType, byte[] body) {
    this(status, contentType, body, Map.of());
  }
}
