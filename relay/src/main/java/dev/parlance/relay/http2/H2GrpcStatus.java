package dev.parlance.relay.http2;

import dev.parlance.relay.api.Rejection;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/** Says a rejection the way a gRPC client understands it: a response of fields alone. */
public final class H2GrpcStatus {
  private static final int DEADLINE_EXCEEDED = 4;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int INTERNAL = 13;
  private static final int UNAVAILABLE = 14;

  private H2GrpcStatus() {}

  /**
   * The gRPC form of a response to a rejected request.
   *
   * @param plain what another client would get; its body is released, its other fields are kept
   */
  public static WholeResponse of(Rejection rejection, WholeResponse plain) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(plain.headers());
    headers.remove(HttpHeaderNames.CONTENT_LENGTH);
    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/grpc");
    headers.set("grpc-status", Integer.toString(code(rejection.status())));
    headers.set("grpc-message", rejection.code() + ": " + rejection.detail().replace('%', ' '));
    plain.body().release();
    return new WholeResponse(200, headers, Unpooled.EMPTY_BUFFER);
  }

  private static int code(int status) {
    return switch (status) {
      case 405 -> UNIMPLEMENTED;
      case 408 -> DEADLINE_EXCEEDED;
      case 413, 414, 431 -> RESOURCE_EXHAUSTED;
      case 503 -> UNAVAILABLE;
      default -> INTERNAL;
    };
  }
}
