package dev.parlance.relay.client;

import dev.parlance.relay.api.WholeRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Set;

/** Which requests may be sent to an origin twice. */
final class OriginRequest {
  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

  private OriginRequest() {}

  /** True if it may be repeated when it is not known whether the first one arrived. */
  static boolean isRepeatable(WholeRequest request) {
    return IDEMPOTENT.contains(request.method());
  }
}
