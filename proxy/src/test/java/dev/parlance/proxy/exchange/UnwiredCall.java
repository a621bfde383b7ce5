package dev.parlance.proxy.exchange;

import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ServerCall;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Consumer;

/** A call of HTTP/1.1 without a socket, whose caller stays and takes no streams. */
interface UnwiredCall extends ServerCall {
  @Override
  default String peer() {
    return "192.0.2.1";
  }

  @Override
  default boolean isOpen() {
    return true;
  }

  @Override
  default void onSent(Consumer<Boolean> action) {
    action.accept(true);
  }

  @Override
  default ResponseStream begin(int status, HttpHeaders headers) {
    throw new AssertionError("nothing is streamed here");
  }

  @Override
  default HttpProtocol protocol() {
    return HttpProtocol.HTTP1;
  }

  @Override
  default void onAbort(Runnable action) {}
}
