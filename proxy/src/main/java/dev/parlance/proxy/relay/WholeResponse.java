package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * A response that arrived whole, or that we made.
 *
 * @param status status code
 * @param headers end-to-end fields only; framing is the relay's business
 * @param body the body; ownership moves to whoever receives the record
 */
public record WholeResponse(int status, HttpHeaders headers, ByteBuf body) {}
