package dev.parlance.relay.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.FakeOrigin;
import dev.parlance.relay.RawClient;
import dev.parlance.relay.TestRelay;
import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
@SuppressWarnings(
    "StringConcatToTextBlock") // A text block cannot show CRLF, which is the point here.
class OriginClientTest {
  private static final Timeouts QUICK = new Timeouts(5000, 5000, 5000, 300, 400, 400, 5000);

  private static final AddressGuard OPEN = new AddressGuard(true, Set.of(), Set.of());

  /** A client on one loop, with names that point where the test says. */
  private static final class Asker implements AutoCloseable, RelayEvents {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger reused = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final EventLoops loops = EventLoops.start(1);
    final OriginClient client;

    Asker(AddressGuard guard) {
      client = new OriginClient(loops, guard, this, new Names());
    }

    Asker() {
      this(OPEN);
    }

    OriginResult ask(Destination to, HttpMethod method, String body) {
      return ask(to, method, body, TestRelay.PATIENT);
    }

    OriginResult ask(Destination to, HttpMethod method, String body, Timeouts timeouts) {
      CompletableFuture<OriginResult> result = new CompletableFuture<>();
      begin(to, method, TestRelay.buffer(body), timeouts, result::complete);
      assertThat(result).succeedsWithin(Duration.ofSeconds(60));
      OriginResult got = result.join();
      if (got instanceof OriginResult.Answered(WholeResponse response)) {
        // Given back here, so that a test that only looks at the kind leaks nothing.
        response.body().release();
      }
      return got;
    }

    OriginCall begin(
        Destination to,
        HttpMethod method,
        ByteBuf body,
        Timeouts timeouts,
        Consumer<OriginResult> receiver) {
      WholeRequest request =
          new WholeRequest(method, "/t", "agent", false, new DefaultHttpHeaders(), body);
      return client.ask(loops.next(), to, request, TestRelay.LIMITS, timeouts, receiver::accept);
    }

    @Override
    public void originConnectionOpened() {
      opened.incrementAndGet();
    }

    @Override
    public void originConnectionReused() {
      reused.incrementAndGet();
    }

    @Override
    public void originConnectionClosed() {
      closed.incrementAndGet();
    }

    @Override
    public void close() {
      client.close();
      loops.close();
    }
  }

  private static final class Names extends AddressResolverGroup<InetSocketAddress> {
    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
      return new InetNameResolver(executor) {
        @Override
        protected void doResolve(String name, Promise<InetAddress> promise) throws Exception {
          doResolveOne(name, promise::setSuccess, promise::setFailure);
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> promise)
            throws Exception {
          doResolveOne(name, a -> promise.setSuccess(List.of(a)), promise::setFailure);
        }
      }.asAddressResolver();
    }

    private static void doResolveOne(
        String name, Consumer<InetAddress> found, Consumer<Throwable> missing)
        throws UnknownHostException {
      switch (name) {
        case "rebound.example" -> found.accept(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        case "metadata.example" ->
            found.accept(
                InetAddress.getByAddress(
                    new byte[] {(byte) 169, (byte) 254, (byte) 169, (byte) 254}));
        case "slow.example" -> {}
        default -> missing.accept(new UnknownHostException(name));
      }
    }
  }

  private static void assertFailed(OriginResult result, String code, boolean sent) {
    assertThat(result)
        .isInstanceOfSatisfying(
            OriginResult.Failed.class,
            failed -> {
              assertThat(failed.code()).as(failed.toString()).isEqualTo(code);
              assertThat(failed.requestSent()).isEqualTo(sent);
            });
  }

  private static void assertAnswered(OriginResult result, int status) {
    assertThat(result)
        .isInstanceOfSatisfying(
            OriginResult.Answered.class,
            answered -> assertThat(answered.response().status()).isEqualTo(status));
  }

  static Stream<Arguments> malformed() {
    String ok = "HTTP/1.1 200 OK\r\n";
    return Stream.of(
        Arguments.of(
            "CL and TE", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Arguments.of("two CL", ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
        Arguments.of("CL list", ok + "Content-Length: 1, 1\r\n\r\na"),
        Arguments.of("CL negative", ok + "Content-Length: -1\r\n\r\n"),
        Arguments.of("CL plus", ok + "Content-Length: +1\r\n\r\na"),
        Arguments.of("TE gzip", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        Arguments.of("TE identity", ok + "Transfer-Encoding: identity\r\n\r\na"),
        Arguments.of("TE in 1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Arguments.of("bad chunk", ok + "Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n"),
        Arguments.of("bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        Arguments.of("bare CR", ok + "X: a\rb\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("NUL", ok + "X: a\u0000b\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("fold", ok + "X: a\r\n b\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("blank before colon", ok + "Content-Length : 0\r\n\r\n"),
        Arguments.of("no colon", ok + "X\r\n\r\n"),
        Arguments.of("status 99", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("status 600", "HTTP/1.1 600 High\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("status 2000", "HTTP/1.1 2000 Long\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("status word", "HTTP/1.1 abc Word\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("version", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Arguments.of("not HTTP", "SSH-2.0-OpenSSH_9.9 somewhere\r\n\r\n"),
        Arguments.of("switch", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
        Arguments.of("1xx flood", "HTTP/1.1 103 Hints\r\n\r\n".repeat(9) + FakeOrigin.ok("")),
        Arguments.of("204 with length", "HTTP/1.1 204 None\r\nContent-Length: 2\r\n\r\nab"),
        Arguments.of("204 with body", "HTTP/1.1 204 None\r\n\r\nab"),
        Arguments.of("304 with body", "HTTP/1.1 304 Same\r\n\r\nab"),
        Arguments.of("second response", FakeOrigin.ok("a") + FakeOrigin.ok("b")),
        Arguments.of(
            "Connection: content-type",
            ok + "Connection: content-type\r\nContent-Length: 0\r\n\r\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformed")
  void H16_badResponse_isMalformed_andTheConnectionIsNotKept(String name, String response)
      throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(response);
        Asker asker = new Asker()) {
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.POST, "q"), "response_malformed", true);
      await().until(() -> asker.closed.get() == 1);
    }
  }

  @Test
  void H16_bodyOnHead_isMalformed_andALengthIsNot() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("body"));
        Asker asker = new Asker()) {
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.HEAD, ""), "response_malformed", true);
    }
    try (FakeOrigin origin = FakeOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
        Asker asker = new Asker()) {
      for (int i = 0; i < 2; i++) {
        assertThat(asker.ask(origin.destination(), HttpMethod.HEAD, ""))
            .isInstanceOfSatisfying(
                OriginResult.Answered.class,
                a -> assertThat(a.response().headers().get("content-length")).isEqualTo("4"));
      }
      assertThat(asker.reused.get()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a1\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: "
      })
  void B1_responseOverTheLimit_isTooLarge(String head) throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(head + "x".repeat(100_001));
        Asker asker = new Asker()) {
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.POST, "q"), "response_too_large", true);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
      })
  void H16_W09_fieldsOverTheLimit_areTooLarge_andTheConnectionIsNotKept(String head)
      throws IOException {
    for (String fields : List.of("X: " + "a".repeat(1 << 20), "X: aaaaaaaa\r\n".repeat(2000))) {
      try (FakeOrigin origin = FakeOrigin.always(head + fields + "\r\n\r\n");
          Asker asker = new Asker()) {
        assertFailed(
            asker.ask(origin.destination(), HttpMethod.POST, "q"), "response_too_large", true);
        await().until(() -> asker.closed.get() == 1);
      }
    }
  }

  @Test
  void interimResponses_areSkipped_andClosingDelimitedBodiesAreWhole() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(
                  socket,
                  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
                      + "HTTP/1.0 200 OK\r\n\r\nto the end");
            });
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.reply().body()).isEqualTo("to the end");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      })
  void N3_responseCutAtAnyByte_isNeverAnAnswer(String whole) throws IOException {
    AtomicInteger length = new AtomicInteger();
    AtomicInteger byReset = new AtomicInteger();
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, whole.substring(0, length.get()));
              if (byReset.get() == 1) {
                FakeOrigin.reset(socket);
              }
            });
        TestRelay relay = TestRelay.to(origin)) {
      for (int reset = 0; reset < 2; reset++) {
        byReset.set(reset);
        for (int i = 0; i < whole.length(); i++) {
          length.set(i);
          try (RawClient client = relay.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nq");
            RawClient.Reply reply = client.reply();
            assertThat(reply.status()).as("cut after %d of %s", i, whole).isEqualTo(502);
            // A reset may overtake the bytes before it.
            assertThat(reply.body())
                .isIn(
                    i == 0
                        ? List.of("origin_closed")
                        : reset == 0
                            ? List.of("response_incomplete")
                            : List.of("response_incomplete", "origin_closed"));
          }
        }
      }
      assertThat(origin.connections()).isEqualTo(2 * whole.length());
      byReset.set(0);
      length.set(whole.length());
      try (RawClient client = relay.connect()) {
        assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").reply().body())
            .isEqualTo("hello");
      }
    }
  }

  @Test
  void N3_closeDelimitedResponse_endedByAReset_isIncomplete() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              // The request stays unread, so that the close is a reset.
              FakeOrigin.say(socket, "HTTP/1.1 200 OK\r\n\r\nhalf an ans");
              await().pollDelay(Duration.ofMillis(100)).until(() -> true);
              FakeOrigin.reset(socket);
            });
        Asker asker = new Asker()) {
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.GET, ""), "response_incomplete", true);
    }
  }

  @Test
  void N2_refusedConnection_isSaid_andNothingWasSent() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    try (Asker asker = new Asker()) {
      assertFailed(
          asker.ask(new Destination("127.0.0.1", free), HttpMethod.POST, "q"),
          "connect_refused",
          false);
    }
  }

  /** A loop that is busy for longer than a connection may take sees only then that it is there. */
  @Test
  void aConnectionThatIsThere_afterTheLoopWasBusyForItsTime_isASuccess() throws Exception {
    try (FakeOrigin origin = FakeOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        EventLoops loops = EventLoops.start(1);
        OriginClient client = new OriginClient(loops, OPEN, RelayEvents.NOOP, new Names())) {
      BlockingQueue<OriginResult> results = new LinkedBlockingQueue<>();
      EventLoop loop = loops.next();
      loop.submit(
              () -> {
                for (int i = 0; i < 12; i++) {
                  OriginCall _ =
                      client.ask(
                          loop,
                          new Destination("127.0.0.1", origin.port()),
                          new WholeRequest(
                              HttpMethod.GET,
                              "/t",
                              "a",
                              false,
                              new DefaultHttpHeaders(),
                              Unpooled.EMPTY_BUFFER),
                          TestRelay.LIMITS,
                          QUICK,
                          results::add);
                }
                Thread.sleep(QUICK.connectMs() + 300);
                return "busy";
              })
          .sync();
      for (int i = 0; i < 12; i++) {
        assertThat(results.poll(30, TimeUnit.SECONDS)).isInstanceOf(OriginResult.Answered.class);
      }
    }
  }

  @Test
  void N2_blackHole_timesOut() throws Exception {
    // A listener that never accepts, with its queue full: further SYNs are dropped.
    try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Asker asker = new Asker()) {
      Destination to = new Destination("127.0.0.1", hole.getLocalPort());
      List<RawClient> filling = List.of(new RawClient(to.port()), new RawClient(to.port()));
      assertFailed(asker.ask(to, HttpMethod.POST, "q", QUICK), "connect_timeout", false);
      for (RawClient client : filling) {
        client.close();
      }
    }
  }

  @Test
  void N5_unknownName_andSlowName_failTheSameWay() {
    try (Asker asker = new Asker()) {
      assertFailed(
          asker.ask(new Destination("missing.example", 80), HttpMethod.POST, "q"),
          "unknown_host",
          false);
      assertFailed(
          asker.ask(new Destination("slow.example", 80), HttpMethod.POST, "q", QUICK),
          "unknown_host",
          false);
    }
  }

  @Test
  void N5_nameThatPointsToLoopbackOrMetadata_isDenied_afterResolution() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("secret"));
        Asker asker = new Asker(new AddressGuard(false, Set.of(), Set.of()))) {
      assertFailed(
          asker.ask(new Destination("rebound.example", origin.port()), HttpMethod.GET, ""),
          "destination_denied",
          false);
      assertFailed(
          asker.ask(new Destination("metadata.example", 80), HttpMethod.GET, ""),
          "destination_denied",
          false);
      asker.client.guardWith(new AddressGuard(true, Set.of(origin.port()), Set.of()));
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.GET, ""), "destination_denied", false);
      asker.client.guardWith(OPEN);
      assertAnswered(
          asker.ask(new Destination("rebound.example", origin.port()), HttpMethod.GET, ""), 200);
      assertThat(origin.connections()).isEqualTo(1);
    }
  }

  @Test
  void silentOrigin_timesOut_andSlowTrickleDoesNotHelp() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
              for (int i = 0; i < 1000; i++) {
                FakeOrigin.say(socket, "x");
                await().pollDelay(Duration.ofMillis(20)).until(() -> true);
              }
            });
        Asker asker = new Asker()) {
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.GET, "", QUICK), "response_timeout", true);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 1\r\n\r\na",
        "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-End: z\r\n\r\n"
      })
  void trailers_areTheReceiversOwn_toAddAVerdictTo(String rest) throws IOException {
    try (FakeOrigin origin = FakeOrigin.always("HTTP/1.1 200 OK\r\n" + rest);
        Asker asker = new Asker()) {
      assertThat(asker.ask(origin.destination(), HttpMethod.POST, "q"))
          .isInstanceOfSatisfying(
              OriginResult.Answered.class,
              answered ->
                  assertThat(answered.response().trailers().set("x-more", "y").contains("x-more"))
                      .isTrue());
    }
  }

  @Test
  void trailersWithoutEnd_areTooMany() throws IOException {
    String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n";
    try (FakeOrigin most = FakeOrigin.always(chunked + "a:\r\n".repeat(1000) + "\r\n");
        FakeOrigin more = FakeOrigin.always(chunked + "a:\r\n".repeat(1001) + "\r\n");
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(most.destination(), HttpMethod.GET, ""), 200);
      assertFailed(
          asker.ask(more.destination(), HttpMethod.GET, "", QUICK), "response_too_large", true);
    }
  }

  @Test
  void connection_isUsedAgain_forTheSameDestination() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("a"));
        Asker asker = new Asker()) {
      for (int i = 0; i < 5; i++) {
        assertAnswered(asker.ask(origin.destination(), HttpMethod.POST, "q"), 200);
      }
      assertThat(origin.connections()).isEqualTo(1);
      assertThat(asker.opened.get()).isEqualTo(1);
      assertThat(asker.reused.get()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Connection: close", "Keep-Alive: timeout=1"})
  void connection_isNotKept_whereTheOriginSaysSo(String field) throws IOException {
    try (FakeOrigin origin =
            FakeOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + field + "\r\n\r\n");
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(origin.destination(), HttpMethod.POST, "q"), 200);
      assertAnswered(asker.ask(origin.destination(), HttpMethod.POST, "q"), 200);
      assertThat(origin.connections()).isEqualTo(2);
    }
  }

  @Test
  void keptConnection_thatTheOriginCloses_isForgottenAtOnce() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("a"));
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(origin.destination(), HttpMethod.POST, "q"), 200);
      origin.dropConnections();
      await().until(() -> asker.closed.get() == 1);
      assertAnswered(asker.ask(origin.destination(), HttpMethod.POST, "q"), 200);
      assertThat(asker.reused.get()).isZero();
    }
  }

  @Test
  void unsolicitedBytes_onAKeptConnection_endIt() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, FakeOrigin.ok("a"));
              await().pollDelay(Duration.ofMillis(100)).until(() -> true);
              FakeOrigin.say(socket, FakeOrigin.ok("poison"));
              socket.getInputStream().read();
            });
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(origin.destination(), HttpMethod.GET, ""), 200);
      await().until(() -> asker.closed.get() == 1);
    }
  }

  /** Answers the first request of a connection and closes it on the second, unanswered. */
  private static FakeOrigin closesOnSecond() throws IOException {
    return new FakeOrigin((self, socket) -> {
      self.read(socket);
      FakeOrigin.say(socket, FakeOrigin.ok("a"));
      self.read(socket);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
  void staleConnection_isRetriedOnce_forIdempotentMethods(String method) throws IOException {
    try (FakeOrigin origin = closesOnSecond();
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(origin.destination(), HttpMethod.GET, ""), 200);
      OriginResult second =
          asker.ask(
              origin.destination(), HttpMethod.valueOf(method), method.equals("PUT") ? "body" : "");
      if (method.equals("HEAD")) {
        // The fake answers with a body, which proves that the retry arrived.
        assertFailed(second, "response_malformed", true);
      } else {
        assertAnswered(second, 200);
      }
      assertThat(origin.requests()).hasSize(3);
      assertThat(origin.requests().get(2)).isEqualTo(origin.requests().get(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH"})
  void staleConnection_isNeverRetried_whereARepeatCouldActTwice(String method) throws IOException {
    try (FakeOrigin origin = closesOnSecond();
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(origin.destination(), HttpMethod.GET, ""), 200);
      assertFailed(
          asker.ask(origin.destination(), HttpMethod.valueOf(method), "q"), "origin_closed", true);
      assertThat(origin.requests()).hasSize(2);
    }
  }

  @Test
  void freshConnection_thatIsClosedUnanswered_isNotRetried() throws IOException {
    try (FakeOrigin origin = new FakeOrigin((self, socket) -> self.read(socket));
        Asker asker = new Asker()) {
      assertFailed(asker.ask(origin.destination(), HttpMethod.GET, ""), "origin_closed", true);
      assertThat(origin.connections()).isEqualTo(1);
    }
  }

  @Test
  void N6_answerBeforeTheRequestIsRead_isDelivered_andTheConnectionDropped() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              FakeOrigin.say(socket, "HTTP/1.1 413 Large\r\nContent-Length: 0\r\n\r\n");
              socket.getInputStream().skipNBytes(40_000_000);
            });
        Asker asker = new Asker()) {
      assertAnswered(asker.ask(origin.destination(), HttpMethod.POST, "x".repeat(30_000_000)), 413);
      await().until(() -> asker.closed.get() == 1);
    }
  }

  @Test
  void cancel_tellsTheReceiverOnce_andClosesTheConnection() throws IOException {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              end.complete(socket.getInputStream().read());
            });
        Asker asker = new Asker()) {
      AtomicInteger told = new AtomicInteger();
      CompletableFuture<OriginResult> result = new CompletableFuture<>();
      OriginCall call =
          asker.begin(
              origin.destination(),
              HttpMethod.POST,
              TestRelay.buffer("q"),
              TestRelay.PATIENT,
              r -> {
                told.incrementAndGet();
                result.complete(r);
              });
      await().until(() -> origin.requests().size() == 1);
      call.cancel();
      call.cancel();
      assertThat(result).succeedsWithin(Duration.ofSeconds(60));
      assertFailed(result.join(), "cancelled", true);
      assertThat(end).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(-1);
      assertThat(told.get()).isEqualTo(1);
    }
  }

  @Test
  void close_failsWhatIsStillAsked() throws IOException {
    CompletableFuture<OriginResult> result = new CompletableFuture<>();
    try (FakeOrigin origin =
        new FakeOrigin((self, socket) -> {
          self.read(socket);
          socket.getInputStream().read();
        })) {
      try (Asker asker = new Asker()) {
        asker.begin(
            origin.destination(),
            HttpMethod.POST,
            TestRelay.buffer("q"),
            TestRelay.PATIENT,
            result::complete);
        await().until(() -> origin.requests().size() == 1);
      }
      assertThat(result).succeedsWithin(Duration.ofSeconds(60));
      assertFailed(result.join(), "origin_closed", true);
    }
  }

  @Test
  void localhost_isFoundByTheResolverOfThisMachine() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("home"));
        TestRelay relay =
            TestRelay.to(
                new Destination("localhost", origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.reply().body()).isEqualTo("home");
    }
  }
}
