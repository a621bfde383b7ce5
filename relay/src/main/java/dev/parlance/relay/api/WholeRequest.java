package dev.parlance.relay.api;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;

/**
 * A request that arrived whole and passed the strict guard.
 *
 * @param method the method
 * @param target origin-form target, the bytes as sent (absolute-form has been taken apart)
 * @param authority the Host (and, where it was absolute-form, the authority, which agrees with it)
 * @param absoluteForm true if the client spoke to us as a forward proxy
 * @param headers end-to-end fields only; hop-by-hop ones are gone
 * @param body the body as sent (still content-coded); ownership moves to whoever receives the
 *     record
 */
public record WholeRequest(
    HttpMethod method,
    String target,
    String authority,
    boolean absoluteForm,
    HttpHeaders headers,
    ByteBuf body) {
  private static final String GRPC = "application/grpc";
  private static final String GRPC_WEB = "application/grpc-web";

  /** True if it is a call of gRPC, which needs HTTP/2; gRPC-Web does not. */
  public boolean isGrpc() {
    return isGrpc(headers);
  }

  /** True if the content type is one of gRPC's. */
  public static boolean isGrpc(HttpHeaders headers) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    return type != null
        && type.regionMatches(true, 0, GRPC, 0, GRPC.length())
        && !type.regionMatches(true, 0, GRPC_WEB, 0, GRPC_WEB.length());
  }
}
