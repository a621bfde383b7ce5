package dev.parlance.relay.api;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * A response that arrived whole, or that we made.
 *
 * @param status status code
 * @param headers end-to-end fields only; framing is the relay's business
 * @param body the body; ownership moves to whoever receives the record
 * @param trailers end-to-end fields behind the body, usually empty; dropped where the transport has
 *     no place for them
 */
public record WholeResponse(int status, HttpHeaders headers, ByteBuf body, HttpHeaders trailers) {
  /** A response without trailers. */
  public WholeResponse(int status, HttpHeaders headers, ByteBuf body) {
    this(status, headers, body, EmptyHttpHeaders.INSTANCE);
  }
}
