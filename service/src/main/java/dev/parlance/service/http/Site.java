package dev.parlance.service.http;

import io.netty.handler.codec.http.FullHttpRequest;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a {@link SmallServer} serves; knows nothing of sockets. */
public interface Site {
  /** What is to be done about a request. */
  sealed interface Entry {
    /** It is answered with that, and the connection ends. */
    record Refused(HttpReply reply) implements Entry {}

    /** It is answered on the connection's own thread: probes must not wait behind anything. */
    record Quick(Supplier<HttpReply> answer) implements Entry {}

    /** It is answered on a worker, where the answer may block. */
    record Slow(Supplier<HttpReply> answer) implements Entry {}

    /**
     * It is answered with this head at once, then with whatever is written to the stream, until
     * either side ends it; the connection ends with it.
     *
     * @param head status, type and fields; its body comes first
     * @param begin gets the stream, on the connection's own thread
     */
    record Streamed(HttpReply head, Consumer<ReplyStream> begin) implements Entry {}
  }

  /**
   * Looks at a request; must not block, and keeps nothing of it.
   *
   * @param ownPort the port of the listener
   */
  Entry enter(FullHttpRequest request, int ownPort);

  /** The answer where the real one could not be made. */
  HttpReply failed();

  /** The answer where no worker takes a request. */
  HttpReply busy();

  /** The answer to a body past the limit. */
  default HttpReply tooLarge(int maxBytes) {
    return HttpReply.text(413, "expected a body of at most " + maxBytes + " bytes");
  }
}
