package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient.CloseReason;
import dev.parlance.relay.http1.BodyReader;
import dev.parlance.relay.http1.FieldName.FieldKind;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.HeadReader;
import dev.parlance.relay.http1.HeaderFields;
import dev.parlance.relay.http1.MessageWriter;
import dev.parlance.relay.net.BodyCollector;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.FlushCoalescer;
import dev.parlance.relay.net.InboundBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 connection to an origin: idle in its pool, or busy with one request. A response
 * reaches the {@link H1OriginCall} only when it is whole and nothing lies behind it, unless the
 * call takes the body piece by piece; then the end does.
 */
final class H1OriginConnection extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(H1OriginConnection.class);

  /**
   * Idle connections are given up before common servers do it themselves (two well-known ones after
   * five seconds): a request that crosses with their close cannot always be repeated.
   */
  private static final long IDLE_MS = 4_000;

  private static final int MAX_INTERIM_RESPONSES = 8;

  private final SocketChannel channel;
  private final Destination destination;
  private final OriginPool pool;
  private final RelayEvents events;
  private final InboundBuffer incoming;
  private final HeadReader reader;
  private final BodyReader framing;
  private final Deadline deadline;

  private @Nullable H1OriginCall call;
  private @Nullable Head head;
  private @Nullable BodyCollector body;
  private boolean toHead;
  private boolean sawBytes;
  private boolean inPieces;
  private int interimResponses;

  /**
   * The head of the response that is coming.
   *
   * @param headers end-to-end fields
   * @param connection what its Connection names, in lower case
   * @param idleMs how long the connection may be kept for another request; 0 if not at all
   */
  private record Head(int status, HeaderFields headers, Set<String> connection, long idleMs) {}

  H1OriginConnection(
      SocketChannel channel,
      Destination destination,
      OriginPool pool,
      HttpMessageLimits limits,
      RelayEvents events) {
    this.channel = channel;
    this.destination = destination;
    this.pool = pool;
    this.events = events;
    this.incoming = new InboundBuffer(channel.alloc());
    this.reader = new HeadReader(HeadReader.Kind.RESPONSE, limits);
    this.framing = new BodyReader(HeadReader.Kind.RESPONSE, limits);
    this.deadline = new Deadline(channel.eventLoop(), this::timeOver);
  }

  Destination destination() {
    return destination;
  }

  boolean isUsable() {
    return call == null
        && channel.isActive()
        && !channel.isInputShutdown()
        && TlsPeer.of(channel).filter(TlsPeer::hasExpired).isEmpty();
  }

  boolean isActive() {
    return channel.isActive();
  }

  /** The time of whoever uses the connection; the call is told when it is over. */
  Deadline deadline() {
    return deadline;
  }

  private void timeOver() {
    if (call == null) {
      close();
    } else {
      call.timeOver();
    }
  }

  /** Sends a request and reports to the call what comes of it. */
  ChannelFuture send(H1OriginCall active, WholeRequest request, int maxBodyBytes) {
    begin(active, request, maxBodyBytes);
    return MessageWriter.request(channel, request, active.isTap());
  }

  /**
   * As {@link #send}, with a body that follows.
   *
   * @param length of it, if it is known; else -1, and it goes in chunks
   */
  void open(H1OriginCall active, WholeRequest request, int maxBodyBytes, long length) {
    begin(active, request, maxBodyBytes);
    ChannelFuture _ =
        MessageWriter.last(
            channel,
            MessageWriter.head(
                channel.alloc(),
                request,
                length < 0
                    ? Map.of("transfer-encoding", "chunked")
                    : Map.of("content-length", Long.toString(length))));
  }

  /**
   * Sends a piece of such a body, which it owns; done when the network has it.
   *
   * @param end what stands behind the last piece
   */
  ChannelFuture piece(ByteBuf piece, Optional<HttpHeaders> end, boolean inChunks) {
    if (!inChunks) {
      return MessageWriter.last(channel, piece);
    }
    boolean some = piece.isReadable();
    ChannelFuture sent = some ? MessageWriter.chunk(channel, piece) : channel.newSucceededFuture();
    if (!some) {
      piece.release();
    }
    if (end.isPresent()) {
      return MessageWriter.last(channel, MessageWriter.lastChunk(channel, end.get()));
    }
    FlushCoalescer.later(channel);
    return sent;
  }

  private void begin(H1OriginCall active, WholeRequest request, int maxBodyBytes) {
    call = active;
    head = null;
    inPieces = false;
    body = new BodyCollector(channel.alloc(), maxBodyBytes);
    interimResponses = 0;
    toHead = request.method().equals(HttpMethod.HEAD);
    sawBytes = false;
    reader.reset();
    reader.exact(active.isTap());
  }

  /** Ends the connection; a call that still waits on it is not told. */
  void close() {
    detach();
    deadline.cancel();
    incoming.drop();
    dropBody();
    EventLoops.close(channel);
  }

  /** Before anything is closed: a write that fails by our own closing is no news to the call. */
  private void detach() {
    if (call != null) {
      call.detach();
      call = null;
    }
  }

  /** Ends the connection and tells the call that waits on it, if any. */
  void abandon(CloseReason why) {
    fail(why.code(), why.detail());
  }

  /** What was written is given to the socket now. */
  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (call != null && channel.isActive()) {
      call.sending();
    }
    ctx.flush();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    pool.opened(this);
    events.originConnectionOpened();
    ctx.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (call == null || !(message instanceof ByteBuf bytes)) {
      // Bytes that no request asked for: the next answer would be in doubt.
      ReferenceCountUtil.release(message);
      close();
      return;
    }
    if (!call.accepts()) {
      bytes.release();
      lost("bytes from the origin before it was asked");
      return;
    }
    FlushCoalescer.makeWay(bytes.readableBytes());
    if (call == null) {
      // The client of this very answer turned out to be gone.
      bytes.release();
      return;
    }
    sawBytes = true;
    incoming.add(bytes);
    boolean more = true;
    while (more && call != null) {
      more = head == null ? readHead(call) : readBody(call, head);
    }
  }

  /** Reads a head; false if more has to come, or nothing will. */
  private boolean readHead(H1OriginCall active) {
    Optional<HeadFault> fault = reader.read(incoming.bytes());
    if (fault.isPresent()) {
      fail(codeOf(fault.get()), fault.get().code());
      return false;
    }
    if (!reader.ended()) {
      incoming.settle();
      return false;
    }
    int status = reader.status();
    if (status < 200) {
      interimResponses++;
      HeaderFields early = passed(active);
      reader.reset();
      if (status == 101) {
        fail("response_malformed", "a switch of protocols that nobody asked for");
      } else if (interimResponses > MAX_INTERIM_RESPONSES) {
        fail("response_malformed", "too many interim responses");
      } else if (status > 100) {
        early.keepEndToEnd(FieldRules.connectionTokens(early));
        active.interim(status, early);
      }
      return true;
    }
    HeaderFields fields = passed(active);
    Set<String> connection = FieldRules.connectionTokens(fields);
    for (String name : connection) {
      if (FieldRules.isEndToEnd(name)) {
        fail("response_malformed", "Connection names an end-to-end field");
        return false;
      }
    }
    long declared = reader.contentLength();
    if (status == FieldRules.NO_CONTENT && declared > 0) {
      fail("response_malformed", "a length on 204");
      return false;
    }
    long idleMs = isKeepAlive(connection) ? Math.min(IDLE_MS, idleHintMs(fields)) : 0;
    boolean bodyless = toHead || FieldRules.isBodyless(status);
    expectBody(bodyless, declared);
    Head begun = new Head(status, endToEnd(fields, connection, status), connection, idleMs);
    head = begun;
    inPieces = active.offer(status, begun.headers(), declared);
    if (call == active && !inPieces && !bodyless && declared > maxBodyBytes()) {
      fail("response_too_large", "declared " + declared + " bytes");
    }
    return true;
  }

  /** The fields of the head that was read. */
  private HeaderFields passed(H1OriginCall active) {
    HeaderFields fields = reader.fields();
    if (active.isTap()) {
      fields.passOn(reader.statusLine());
    }
    return fields;
  }

  private void expectBody(boolean bodyless, long declared) {
    if (bodyless) {
      framing.expectLength(0);
    } else if (reader.chunked()) {
      framing.expectChunks(reader.fieldBytes());
    } else if (declared >= 0) {
      framing.expectLength(declared);
      if (body != null) {
        body.expect(declared);
      }
    } else {
      framing.expectTheEnd();
    }
  }

  private boolean isKeepAlive(Set<String> connection) {
    return reader.http10() ? connection.contains("keep-alive") : !connection.contains("close");
  }

  private int maxBodyBytes() {
    return body == null ? 0 : body.maxBytes();
  }

  /** Reads what there is of a body; false if more has to come, or nothing will. */
  private boolean readBody(H1OriginCall active, Head answer) {
    return switch (framing.ahead(incoming.bytes())) {
      case MORE -> {
        incoming.settle();
        yield false;
      }
      case BODY -> {
        take(active, incoming.take(framing.length()));
        yield true;
      }
      case FAULT -> {
        HeadFault fault = framing.fault().orElseThrow();
        fail(codeOf(fault), fault.code());
        yield false;
      }
      case END -> {
        ended(active, answer);
        yield false;
      }
    };
  }

  private void take(H1OriginCall active, ByteBuf piece) {
    BodyCollector collector = body;
    if (inPieces) {
      active.piece(piece);
    } else if (collector == null) {
      piece.release();
    } else if (!collector.add(piece)) {
      fail("response_too_large", "more than " + collector.maxBytes() + " bytes");
    }
  }

  private void ended(H1OriginCall active, Head answer) {
    BodyCollector collector = body;
    if (collector == null) {
      throw new IllegalStateException("the end of a response that nobody gathers");
    }
    if (incoming.size() > 0) {
      fail("response_malformed", "bytes behind the response");
      return;
    }
    incoming.settle();
    // The receiver's own: a verdict may be added to them.
    HttpHeaders trailers = FieldRules.trailersOfOrigin(framing.trailers(), answer.connection());
    boolean whole = !inPieces;
    ByteBuf gathered = collector.take();
    release(answer, active.isWritten());
    FlushCoalescer.makeWay(gathered.readableBytes());
    if (whole) {
      active.answered(new WholeResponse(answer.status(), answer.headers(), gathered, trailers));
    } else {
      active.ended(trailers);
    }
  }

  /** The response is over: the connection waits for the next request, if it can. */
  private void release(Head answer, boolean written) {
    boolean reusable = written && channel.isActive();
    detach();
    head = null;
    body = null;
    if (reusable && answer.idleMs() > 0 && pool.keep(this)) {
      deadline.set(answer.idleMs());
      channel.config().setAutoRead(true);
    } else {
      close();
    }
  }

  /** Takes no more from the socket; what was taken already still comes. */
  void pauseReading() {
    channel.config().setAutoRead(false);
  }

  void resumeReading() {
    channel.config().setAutoRead(true);
  }

  private HeaderFields endToEnd(HeaderFields fields, Set<String> connection, int status) {
    String declared = fields.first(FieldKind.CONTENT_LENGTH);
    fields.keepEndToEnd(connection);
    if (declared != null && (toHead || status == FieldRules.NOT_MODIFIED)) {
      fields.set("content-length", declared);
    }
    return fields;
  }

  /** One second less than the origin says it will wait, in Keep-Alive: timeout=5. */
  private static long idleHintMs(HeaderFields fields) {
    for (String value : fields.all(FieldKind.KEEP_ALIVE)) {
      for (String part : value.split(",", -1)) {
        String text = part.strip();
        if (text.regionMatches(true, 0, "timeout=", 0, 8)
            && text.length() > 8
            && text.length() <= 14
            && text.substring(8).chars().allMatch(c -> c >= '0' && c <= '9')) {
          return Integer.parseInt(text, 8, text.length(), 10) * 1000L - 1000L;
        }
      }
    }
    return IDLE_MS;
  }

  private static String codeOf(HeadFault fault) {
    return fault.status() == 431 ? "response_too_large" : "response_malformed";
  }

  private void fail(String code, String detail) {
    H1OriginCall active = call;
    close();
    if (active != null) {
      active.failed(code, detail);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.closed(this);
    events.originConnectionClosed();
    H1OriginCall active = call;
    Head answer = head;
    if (active != null && answer != null && framing.endsWithConnection()) {
      ended(active, answer);
    } else {
      lost("closed by the origin");
    }
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.error("a connection to an origin failed", cause);
    }
    lost(String.valueOf(cause.getMessage()));
  }

  private void lost(String detail) {
    H1OriginCall active = call;
    boolean began = sawBytes;
    close();
    if (active != null) {
      active.lost(began, detail);
    }
  }

  private void dropBody() {
    if (body != null) {
      body.release();
      body = null;
    }
  }
}
