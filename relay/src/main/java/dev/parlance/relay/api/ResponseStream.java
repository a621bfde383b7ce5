package dev.parlance.relay.api;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * A response whose body is written piece by piece. All methods are called on the loop of the
 * exchange; after {@link #end} or {@link #abort}, and once the client has gone, everything is a
 * no-op that releases what it is given.
 */
public interface ResponseStream {
  /** Sends a piece, which belongs to the stream from now on, without waiting for more. */
  void write(ByteBuf piece);

  /**
   * The body is whole.
   *
   * @param trailers fields behind the body; sent where the transport has a place for them
   */
  void end(HttpHeaders trailers);

  /**
   * Breaks the response off so that the client cannot take it for a whole one: HTTP/1.1 closes the
   * connection without the last chunk, HTTP/2 resets the stream.
   */
  void abort();

  /** False while more is unsent than the transport should hold; the writer then stops reading. */
  boolean isWritable();

  /** Called each time the stream becomes writable again; replaces an earlier action. */
  void onWritable(Runnable action);
}
