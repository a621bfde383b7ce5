package dev.parlance.relay.server;

import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.OpenCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.server.HttpListener.Setup;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request over HTTP/2 that goes on while it comes, and its answer likewise, both unread. What the
 * origin has not taken is not asked for again from the client, and the other way round.
 */
final class H2Passage implements OriginReceiver, OriginReceiver.BodySink {
  private static final int BAD_GATEWAY = 502;

  private final H2ServerCall call;
  private final H2ServerConnection connection;
  private final String reason;
  private final long length;
  private final Deque<Piece> early = new ArrayDeque<>();
  private @Nullable OpenCall origin;
  private @Nullable ResponseStream answer;
  private boolean over;

  /**
   * What has come while there is no origin yet.
   *
   * @param credit how much the client may send again once it is taken
   */
  private record Piece(ByteBuf bytes, int credit, boolean last) {}

  /**
   * @param reason as in {@link ExchangeHandler#onPassage}
   * @param length that the request has declared; -1 if it has none
   */
  H2Passage(H2ServerCall call, H2ServerConnection connection, String reason, long length) {
    this.call = call;
    this.connection = connection;
    this.reason = reason;
    this.length = length;
  }

  /** Begins with what has come of a request, which it owns. */
  void start(WholeRequest begun) {
    call.onAbort(this::gone);
    connection.setup().handler().onPassage(call, reason, begun, found -> found(begun, found));
  }

  private void found(WholeRequest begun, ExchangeHandler.Tunnel found) {
    Optional<OriginClient> origins = connection.origins();
    switch (found) {
      case ExchangeHandler.Tunnel.Open open when !over && origins.isPresent() -> {
        Setup setup = connection.setup();
        setup.events().opaqueConnection(reason, open.to().toString());
        WholeRequest head = open.instead().orElse(begun);
        WholeRequest bare =
            new WholeRequest(
                head.method(),
                head.target(),
                head.authority(),
                head.absoluteForm(),
                head.headers(),
                Unpooled.EMPTY_BUFFER);
        OpenCall asked =
            origins
                .get()
                .open(call.loop(), open.to(), bare, length, setup.limits(), setup.timeouts(), this);
        origin = asked;
        asked.send(begun.body(), false, () -> {});
        for (Piece next = early.poll(); next != null; next = early.poll()) {
          send(asked, next);
        }
      }
      case ExchangeHandler.Tunnel.Open _ -> begun.body().release();
      case ExchangeHandler.Tunnel.Refused(Rejection rejection) -> {
        begun.body().release();
        refuse(rejection);
      }
    }
  }

  /** The next piece of the request, which it owns. */
  void piece(ByteBuf bytes, int credit, boolean last) {
    OpenCall asked = origin;
    Piece next = new Piece(bytes, credit, last);
    if (over) {
      drop(next);
    } else if (asked == null) {
      early.add(next);
    } else {
      send(asked, next);
    }
  }

  private void send(OpenCall to, Piece piece) {
    to.send(piece.bytes(), piece.last(), () -> taken(piece.credit()));
  }

  private void taken(int credit) {
    connection.consumed(call.stream().id(), credit);
  }

  private void drop(Piece piece) {
    piece.bytes().release();
    taken(piece.credit());
  }

  private void refuse(Rejection rejection) {
    if (!over) {
      finish();
      call.reject(rejection);
    }
  }

  /** The client has left. */
  private void gone() {
    finish();
    OpenCall asked = origin;
    if (asked != null) {
      asked.cancel();
    }
  }

  private void finish() {
    over = true;
    for (Piece next = early.poll(); next != null; next = early.poll()) {
      drop(next);
    }
  }

  @Override
  public boolean isTap() {
    return connection.setup().handler().isTap();
  }

  @Override
  public void onInterim(int status, HttpHeaders headers) {
    call.interim(status, headers);
  }

  @Override
  public Optional<BodySink> onHead(int status, HttpHeaders headers, long declared) {
    if (declared >= 0) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(declared));
    }
    ResponseStream begun = call.begin(status, headers);
    begun.onWritable(this::writable);
    answer = begun;
    return Optional.of(this);
  }

  private void writable() {
    OpenCall asked = origin;
    if (asked != null) {
      asked.resumeReading();
    }
  }

  @Override
  public void piece(ByteBuf piece) {
    ResponseStream to = answer;
    if (to == null || over) {
      piece.release();
      return;
    }
    to.write(piece);
    OpenCall asked = origin;
    if (!to.isWritable() && asked != null) {
      asked.pauseReading();
    }
  }

  @Override
  public void end(HttpHeaders trailers) {
    ResponseStream to = answer;
    if (to != null && !over) {
      finish();
      to.end(trailers);
    }
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    ResponseStream to = answer;
    if (to != null && !over) {
      finish();
      to.abort();
    }
  }

  @Override
  public void done(OriginResult result) {
    switch (result) {
      case OriginResult.Answered answered when over -> answered.response().body().release();
      case OriginResult.Answered answered -> {
        finish();
        call.respond(answered.response(), false);
      }
      case OriginResult.Failed failed ->
          refuse(new Rejection(BAD_GATEWAY, "destination", failed.code(), "no way on"));
    }
  }
}
