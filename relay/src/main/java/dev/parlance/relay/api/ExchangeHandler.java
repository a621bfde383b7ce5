package dev.parlance.relay.api;

import java.util.Optional;
import java.util.function.Consumer;

/** What a listener does with requests. Implementations never block. */
public interface ExchangeHandler {
  /**
   * A whole request; the handler owns its body and calls {@link ServerCall#respond} exactly once.
   */
  void onRequest(ServerCall exchange, WholeRequest request);

  /**
   * A request that the strict guard or a limit refused; nothing of it went anywhere. The relay
   * sends the response that this returns and closes the connection.
   */
  WholeResponse onRejected(Rejection rejection);

  /**
   * True if nothing is held back on any route: then odd heads are let through that everybody frames
   * alike (a body on GET, other paths than plain ones, bytes beyond ASCII in values, long targets).
   * Where one route enforces, an odd path might be taken for another route's.
   */
  default boolean isTap() {
    return false;
  }

  /**
   * True if requests whose body is over the limit may go on as they come: {@link #onPassage} says
   * of each whether it does.
   */
  default boolean mayPassLarge() {
    return isTap();
  }

  /** What becomes of what asks for a tunnel. */
  sealed interface Tunnel {
    /**
     * Bytes go there and back, unread.
     *
     * @param instead the request whose head goes on in place of the one that came, with the same
     *     body; empty where that goes on
     */
    record Open(Destination to, Optional<WholeRequest> instead) implements Tunnel {
      /** Everything goes on as it came. */
      public Open(Destination to) {
        this(to, Optional.empty());
      }
    }

    /** There is none. */
    record Refused(Rejection rejection) implements Tunnel {}
  }

  /**
   * A client asks for a tunnel over HTTP/1.1; only a listener that has somebody who connects asks.
   *
   * @param authority host and port, as the client wrote them
   */
  default Tunnel onConnect(String authority) {
    return new Tunnel.Refused(Rejection.CONNECT_DENIED);
  }

  /**
   * A request that cannot be taken whole: its body is over the limit, on a listener that {@link
   * #mayPassLarge}; it asks for another protocol, or is a call of gRPC whose caller may wait for
   * answers before it says more, on one that {@link #isTap}.
   *
   * @param reason why: {@code body}, {@code upgrade}, {@code grpc}
   * @param begun its body is what has come of it; it goes on with a tunnel, and else whoever
   *     refuses has not released it
   * @param then called once on the loop, unless the client has gone; then the body is released
   */
  default void onPassage(
      ServerCall call, String reason, WholeRequest begun, Consumer<Tunnel> then) {
    then.accept(new Tunnel.Refused(Rejection.BODY_TOO_LARGE));
  }

  /**
   * A request that was refused before any handler saw it.
   *
   * @param status status to answer with: 400, 403, 405, 408, 413, 414, 417, 431, 503, 505
   * @param layer metric label: http1, http2, size, time, connections, destination, interception
   * @param code stable reason code, e.g. {@code content_length_conflict}, {@code bare_lf}
   * @param detail for the peer: bad value and what was expected; short, ASCII, no body text
   */
  record Rejection(int status, String layer, String code, String detail) {
    /** The head was not whole in time. */
    public static final Rejection HEADER_TIMEOUT =
        new Rejection(408, "time", "header_timeout", "the head took too long");

    /** The body was not whole in time, or came too slowly. */
    public static final Rejection BODY_TIMEOUT =
        new Rejection(408, "time", "body_timeout", "the body took too long");

    /** There was no memory for the body. */
    public static final Rejection REQUEST_MEMORY =
        new Rejection(503, "size", "request_memory", "too many bytes of requests are under way");

    /** Nobody allows tunnels. */
    public static final Rejection CONNECT_DENIED =
        new Rejection(405, "http1", "connect_denied", "CONNECT opens a tunnel past the gate");

    /** The body is larger than a message may be. */
    public static final Rejection BODY_TOO_LARGE =
        new Rejection(413, "size", "body_too_large", "the body is over the limit");
  }
}
