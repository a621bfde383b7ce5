package dev.parlance.relay.api;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.util.Optional;

/** One request that waits for its one response. All methods are called on {@link #loop()}. */
public interface ServerCall {
  /** The event loop that owns the client's connection; origin connections live on it too. */
  EventLoop loop();

  /** The address of the client, without its port; empty if it is gone. */
  String peer();

  /** True while the client is still there. */
  boolean isOpen();

  /**
   * Sends the response; exactly once. Takes ownership of the body, also if the client has gone.
   *
   * @param close true to close the connection after it
   */
  void respond(WholeResponse response, boolean close);

  /**
   * Begins a response whose body follows piece by piece; exactly once, instead of {@link #respond}.
   *
   * @param headers end-to-end fields only; framing is the relay's business
   */
  ResponseStream begin(int status, HttpHeaders headers);

  /** Where the client was going before the kernel redirected it; empty if it was not redirected. */
  default Optional<InetSocketAddress> originalDestination() {
    return Optional.empty();
  }

  /** The version of HTTP that the client speaks. */
  HttpProtocol protocol();

  /** Called once if the client goes away before the response has ended. */
  void onAbort(Runnable action);
}
