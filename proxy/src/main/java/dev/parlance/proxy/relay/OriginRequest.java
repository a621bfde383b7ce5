package dev.parlance.proxy.relay;

import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Set;

/** Puts a request on the wire to an origin, and knows which requests may be put there twice. */
final class OriginRequest {
  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

  private static final Set<HttpMethod> BODY_EXPECTED =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  private OriginRequest() {}

  /** True if it may be repeated when it is not known whether the first one arrived. */
  static boolean isRepeatable(WholeRequest request) {
    return IDEMPOTENT.contains(request.method());
  }

  /** The request as HTTP/1.1, with a reference to the body of its own. */
  static FullHttpRequest frame(WholeRequest request) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(HttpHeaderNames.HOST, request.authority());
    HttpHeaders kept =
        FieldRules.endToEnd(request.headers(), FieldRules.connectionTokens(request.headers()));
    kept.remove(HttpHeaderNames.HOST);
    kept.remove(HttpHeaderNames.EXPECT);
    headers.add(kept);
    if (request.body().isReadable() || BODY_EXPECTED.contains(request.method())) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(request.body().readableBytes()));
    }
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        request.method(),
        request.target(),
        request.body().retainedDuplicate(),
        headers,
        EmptyHttpHeaders.INSTANCE);
  }
}
