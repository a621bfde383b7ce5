package dev.parlance.wire.api;

import java.util.List;
import java.util.Map;

/**
 * The end that the sidecar gives a stream in place of what the agent would have said, so that the
 * protocol's clients see a valid stream.
 *
 * @param payloads payloads of the last events, in order; see {@link StreamFraming#frame}
 * @param trailers fields behind the body (gRPC status), usually empty
 */
public record StreamRefusal(List<byte[]> payloads, Map<String, String> trailers) {
  /** Takes copies of the collections. */
  public StreamRefusal {
    payloads = List.copyOf(payloads);
    trailers = Map.copyOf(trailers);
  }
}
