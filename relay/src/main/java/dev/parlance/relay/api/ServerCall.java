package dev.parlance.relay.api;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;

/** One request that waits for its one response. All methods are called on {@link #loop()}. */
public interface ServerCall {
  /** The event loop that owns the client's connection; origin connections live on it too. */
  EventLoop loop();

  /** The address of the client, without its port; empty if it is gone. */
  String peer();

  /** Names the connection of the client, as no other is named; empty where there is none. */
  default Optional<String> connection() {
    return Optional.empty();
  }

  /** True while the client is still there. */
  boolean isOpen();

  /**
   * Sends the response; exactly once. Takes ownership of the body, also if the client has gone.
   *
   * @param close true to close the connection after it
   */
  void respond(WholeResponse response, boolean close);

  /**
   * Told once what becomes of the response that {@link #respond} sends: true when the network has
   * taken its last byte, false if the client has gone before that. Set before it.
   */
  void onSent(Consumer<Boolean> action);

  /**
   * Begins a response whose body follows piece by piece; exactly once, instead of {@link #respond}.
   *
   * @param headers end-to-end fields only; framing is the relay's business, but that a {@code
   *     Content-Length} is the length of all that will be written
   */
  ResponseStream begin(int status, HttpHeaders headers);

  /** Sends a head before the final one, 102 to 199, if the client has a version that knows them. */
  default void interim(int status, HttpHeaders headers) {}

  /** Where the client was going before the kernel redirected it; empty if it was not redirected. */
  default Optional<InetSocketAddress> originalDestination() {
    return Optional.empty();
  }

  /** Our port on the connection; -1 where there is none. */
  default int localPort() {
    return -1;
  }

  /** Who the client is, if its connection is encrypted. */
  default Optional<TlsPeer> tls() {
    return Optional.empty();
  }

  /** The version of HTTP that the client speaks. */
  HttpProtocol protocol();

  /** Called once if the client goes away before the response has ended. */
  void onAbort(Runnable action);

  /**
   * A response whose body is written piece by piece. All methods are called on the loop of the
   * exchange; after {@link #end} or {@link #abort}, and once the client has gone, everything is a
   * no-op that releases what it is given.
   */
  interface ResponseStream {
    /** Sends a piece, which belongs to the stream from now on, without waiting for more. */
    void write(ByteBuf piece);

    /**
     * The body is whole.
     *
     * @param trailers fields behind the body; sent where the transport has a place for them
     */
    void end(HttpHeaders trailers);

    /**
     * Breaks the response off so that the client cannot take it for a whole one: HTTP/1.1 closes
     * the connection without the last chunk, HTTP/2 resets the stream.
     */
    void abort();

    /** False while more is unsent than the transport should hold; the writer then stops reading. */
    boolean isWritable();

    /** Called each time the stream becomes writable again; replaces an earlier action. */
    void onWritable(Runnable action);
  }
}
