package dev.parlance.relay.api;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Takes the body of an origin's answer piece by piece. All methods are called on the loop of the
 * call; {@link #end} or {@link #failed} is the last call and happens exactly once.
 */
public interface BodySink {
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
