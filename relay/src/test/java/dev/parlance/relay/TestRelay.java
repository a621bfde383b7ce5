package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.RequestMemory;
import dev.parlance.relay.server.HttpListener;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A listener, a client and their loops, with a handler that remembers. */
public final class TestRelay implements AutoCloseable, ExchangeHandler, RelayEvents {
  /** A request as the handler saw it, without the buffer. */
  record Seen(String method, String target, String authority, HttpHeaders headers, String body) {}

  /** Long enough never to be reached by a test that does not want it. */
  public static final Timeouts PATIENT = new Timeouts(8000, 8000, 8000, 2000, 8000, 8000, 8000);

  public static final HttpMessageLimits LIMITS =
      new HttpMessageLimits(1024, 2048, 100_000, 100, 64);

  final List<Seen> seen = new CopyOnWriteArrayList<>();
  final List<Rejection> rejections = new CopyOnWriteArrayList<>();
  List<OriginResult> results = List.of();
  final AtomicInteger aborted = new AtomicInteger();
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger originOpened = new AtomicInteger();
  final AtomicInteger originReused = new AtomicInteger();
  final AtomicInteger originClosed = new AtomicInteger();

  private final EventLoops loops;
  private final OriginClient client;
  private final HttpListener listener;
  private final int port;
  private final BiConsumer<ServerCall, WholeRequest> behaviour;
  private final Optional<Destination> passage;
  private volatile Consumer<String> cuts = _ -> {};

  private TestRelay(
      HttpMessageLimits limits,
      Timeouts timeouts,
      Function<OriginClient, BiConsumer<ServerCall, WholeRequest>> behaviour)
      throws IOException {
    this(limits, RequestMemory.ofHeap(), timeouts, behaviour, Optional.empty());
  }

  private TestRelay(
      HttpMessageLimits limits,
      RequestMemory memory,
      Timeouts timeouts,
      Function<OriginClient, BiConsumer<ServerCall, WholeRequest>> behaviour,
      Optional<Destination> passage)
      throws IOException {
    this.passage = passage;
    this.loops = EventLoops.start(1);
    this.client = new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), this);
    this.behaviour = behaviour.apply(client);
    this.listener = new HttpListener(loops, limits, memory, timeouts, this, this);
    if (passage.isPresent()) {
      listener.tunnel(client);
    }
    this.port = listener.bind("127.0.0.1", 0);
  }

  public static TestRelay to(FakeOrigin origin) throws IOException {
    return to(origin.destination(), LIMITS, PATIENT);
  }

  public static TestRelay to(Destination destination, HttpMessageLimits limits, Timeouts timeouts)
      throws IOException {
    List<OriginResult> results = new CopyOnWriteArrayList<>();
    TestRelay relay =
        new TestRelay(
            limits,
            timeouts,
            client ->
                (exchange, request) ->
                    forward(client, exchange, request, destination, limits, timeouts, results));
    relay.results = results;
    return relay;
  }

  /** Passes on to this destination what cannot be taken whole; answers what can. */
  static TestRelay tap(Destination destination) throws IOException {
    return new TestRelay(
        LIMITS, RequestMemory.ofHeap(), PATIENT, _ -> TestRelay::echo, Optional.of(destination));
  }

  @Override
  public boolean isTap() {
    return passage.isPresent();
  }

  @Override
  public void onPassage(ServerCall call, String reason, WholeRequest begun, Consumer<Tunnel> then) {
    then.accept(new Tunnel.Open(passage.orElseThrow()));
  }

  /** Passes the answers of an origin on piece by piece. */
  static TestRelay streaming(
      StreamRelay streams, Destination destination, HttpMessageLimits limits, Timeouts timeouts)
      throws IOException {
    return new TestRelay(
        limits,
        timeouts,
        client ->
            (exchange, request) ->
                streams.handle(
                    exchange,
                    request,
                    (asker, asked, receiver) ->
                        client.ask(asker.loop(), destination, asked, limits, timeouts, receiver)));
  }

  static TestRelay answering(BiConsumer<ServerCall, WholeRequest> behaviour) throws IOException {
    return answering(LIMITS, PATIENT, behaviour);
  }

  static TestRelay answering(
      HttpMessageLimits limits, Timeouts timeouts, BiConsumer<ServerCall, WholeRequest> behaviour)
      throws IOException {
    return new TestRelay(limits, timeouts, _ -> behaviour);
  }

  /** With so much memory for the bodies of requests. */
  static TestRelay answering(
      RequestMemory memory, Timeouts timeouts, BiConsumer<ServerCall, WholeRequest> behaviour)
      throws IOException {
    return new TestRelay(LIMITS, memory, timeouts, _ -> behaviour, Optional.empty());
  }

  /** As above, within other limits. */
  static TestRelay answering(
      HttpMessageLimits limits,
      RequestMemory memory,
      BiConsumer<ServerCall, WholeRequest> behaviour)
      throws IOException {
    return new TestRelay(limits, memory, PATIENT, _ -> behaviour, Optional.empty());
  }

  /**
   * @param cuts told why a connection was cut
   */
  static TestRelay answering(
      HttpMessageLimits limits,
      Timeouts timeouts,
      BiConsumer<ServerCall, WholeRequest> behaviour,
      Consumer<String> cuts)
      throws IOException {
    TestRelay relay = answering(limits, timeouts, behaviour);
    relay.cuts = cuts;
    return relay;
  }

  /** Answers at once with the target and the length of the body. */
  static void echo(ServerCall exchange, WholeRequest request) {
    String text = request.target() + " " + request.body().readableBytes();
    request.body().release();
    exchange.respond(text(200, text), false);
  }

  static WholeResponse text(int status, String text) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", "text/plain");
    return new WholeResponse(status, headers, buffer(text));
  }

  public static ByteBuf buffer(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return bytes.length == 0
        ? Unpooled.EMPTY_BUFFER
        : ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  private static void forward(
      OriginClient client,
      ServerCall exchange,
      WholeRequest request,
      Destination destination,
      HttpMessageLimits limits,
      Timeouts timeouts,
      List<OriginResult> results) {
    OriginCall call =
        client.ask(
            exchange.loop(),
            destination,
            request,
            limits,
            timeouts,
            result -> {
              results.add(result);
              exchange.respond(
                  switch (result) {
                    case OriginResult.Answered(WholeResponse response) -> response;
                    case OriginResult.Failed failed -> text(502, failed.code());
                  },
                  false);
            });
    exchange.onAbort(call::cancel);
  }

  @Override
  public void onRequest(ServerCall exchange, WholeRequest request) {
    seen.add(
        new Seen(
            request.method().name(),
            request.target(),
            request.authority(),
            request.headers(),
            request.body().toString(UTF_8)));
    exchange.onAbort(aborted::incrementAndGet);
    behaviour.accept(exchange, request);
  }

  @Override
  public WholeResponse onRejected(Rejection rejection) {
    rejections.add(rejection);
    return new WholeResponse(
        rejection.status(), EmptyHttpHeaders.INSTANCE, buffer(rejection.code()));
  }

  @Override
  public void http2Cut(String reason) {
    cuts.accept(reason);
  }

  @Override
  public void connectionOpened() {
    opened.incrementAndGet();
  }

  @Override
  public void connectionClosed() {
    closed.incrementAndGet();
  }

  @Override
  public void originConnectionOpened() {
    originOpened.incrementAndGet();
  }

  @Override
  public void originConnectionReused() {
    originReused.incrementAndGet();
  }

  @Override
  public void originConnectionClosed() {
    originClosed.incrementAndGet();
  }

  int port() {
    return port;
  }

  public RawClient connect() throws IOException {
    return new RawClient(port);
  }

  /** The only loop there is. */
  EventLoop loop() {
    return loops.next();
  }

  HttpListener listener() {
    return listener;
  }

  @Override
  public void close() {
    listener.close();
    client.close();
    loops.close();
  }
}
