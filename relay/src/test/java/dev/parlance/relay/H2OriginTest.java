package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class H2OriginTest {
  private static final Timeouts QUICK = new Timeouts(5000, 5000, 5000, 300, 400, 400, 5000);

  /** What an origin does with a connection, one frame after the other. */
  @FunctionalInterface
  private interface Frames {
    void run(H2RawOrigin origin) throws IOException;
  }

  private static FakeOrigin origin(Frames frames) throws IOException {
    return origin(new byte[0], frames);
  }

  private static FakeOrigin origin(byte[] settings, Frames frames) throws IOException {
    return new FakeOrigin((_, socket) -> frames.run(new H2RawOrigin(socket, settings)));
  }

  private static Destination http2(int port) {
    return new Destination("127.0.0.1", port, HttpProtocol.HTTP2);
  }

  private static TestRelay to(FakeOrigin origin) throws IOException {
    return TestRelay.to(http2(origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
  }

  private static H2RawClient connect(TestRelay relay) throws IOException {
    return H2RawClient.connect(relay.port());
  }

  private static void serve(H2RawOrigin origin, String body) throws IOException {
    for (int stream = origin.request(); stream != 0; stream = origin.request()) {
      origin.headers(stream, false, ":status", "200");
      origin.data(stream, true, body);
    }
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: agent.test\r\n\r\n";
  }

  @Test
  void http1Client_reachesAnHttp2Origin_andItsConnectionIsKept() throws IOException {
    try (TestRelay origin = TestRelay.answering(TestRelay::echo);
        TestRelay relay = TestRelay.to(http2(origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      for (int i = 0; i < 3; i++) {
        client.send(
            "POST /p HTTP/1.1\r\nHost: agent.test\r\nX-A: b\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.reply().body()).isEqualTo("/p 5");
      }
      assertThat(origin.seen.getFirst().authority()).isEqualTo("agent.test");
      assertThat(origin.seen.getFirst().headers().get("x-a")).isEqualTo("b");
      assertThat(relay.originOpened).hasValue(1);
    }
  }

  @Test
  void http2Client_reachesAnHttp1Origin() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("hello"));
        TestRelay relay = TestRelay.to(origin);
        H2RawClient client = connect(relay)) {
      client.headers(
          1, false, H2RawClient.request("POST", "/p", "te", "trailers", "cookie", "a=1"));
      client.data(1, true, "body");
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("hello");
      assertThat(origin.requests().getFirst())
          .startsWith("POST /p HTTP/1.1\r\n")
          .containsIgnoringCase("host: agent.test\r\n")
          .contains("content-length: 4\r\n")
          .doesNotContain("te: trailers")
          .endsWith("body");
    }
  }

  @Test
  void manyRequestsAtOnce_shareOneConnection() throws IOException {
    try (TestRelay origin = TestRelay.answering(TestRelay::echo);
        TestRelay relay = TestRelay.to(http2(origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
        H2RawClient client = connect(relay)) {
      for (int i = 0; i < 50; i++) {
        client.post(2 * i + 1, "/" + i, "x".repeat(i));
      }
      List<String> bodies = new ArrayList<>();
      while (bodies.size() < 50) {
        H2RawClient.Frame frame = client.await(f -> f.type() == H2RawClient.DATA);
        bodies.add(new String(frame.payload(), US_ASCII));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(bodies).contains("/" + i + " " + i);
      }
      assertThat(relay.originOpened).hasValue(1);
    }
  }

  @Test
  void te_isSentToAnHttp2Origin_whenTheClientSentIt() throws IOException {
    try (TestRelay origin = TestRelay.answering(TestRelay::echo);
        TestRelay relay = TestRelay.to(http2(origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
        H2RawClient client = connect(relay)) {
      client.headers(1, true, H2RawClient.request("GET", "/a", "te", "trailers"));
      assertThat(client.reply(1).status()).isEqualTo(200);
      client.get(3, "/b");
      assertThat(client.reply(3).status()).isEqualTo(200);
      assertThat(origin.seen.getFirst().headers().get("te")).isEqualTo("trailers");
      assertThat(origin.seen.getLast().headers().contains("te")).isFalse();
    }
  }

  @Test
  void trailersOfTheOrigin_reachTheClient_butNotThoseThatActAsHeaders() throws IOException {
    HttpHeaders trailers = new DefaultHttpHeaders();
    trailers.set("grpc-status", "0");
    trailers.set("parlance-route", "execute");
    try (TestRelay origin =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              exchange.respond(
                  new WholeResponse(200, new DefaultHttpHeaders(), TestRelay.buffer("x"), trailers),
                  false);
            });
        TestRelay relay = TestRelay.to(http2(origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
        H2RawClient client = connect(relay)) {
      client.get(1, "/a");
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.body()).isEqualTo("x");
      assertThat(reply.trailers()).containsOnlyKeys("grpc-status");
    }
  }

  @Test
  void originThatSpeaksHttp1_isAProtocolFailure_atOnce() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo("origin_protocol");
      assertThat(((OriginResult.Failed) relay.results.getFirst()).requestSent()).isFalse();
    }
  }

  @Test
  void originThatSaysNothing_isAProtocolFailure_inConnectTime() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    try (FakeOrigin origin =
            new FakeOrigin((_, socket) -> {
              while (socket.getInputStream().read() >= 0) {
                // Reads, and keeps silent.
                end.getCount();
              }
            });
        TestRelay relay = TestRelay.to(http2(origin.port()), TestRelay.LIMITS, QUICK);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo("origin_protocol");
    }
  }

  @Test
  void nobodyThere_isConnectRefused() throws IOException {
    int free;
    try (FakeOrigin gone = FakeOrigin.always("")) {
      free = gone.port();
    }
    try (TestRelay relay = TestRelay.to(http2(free), TestRelay.LIMITS, QUICK);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo("connect_refused");
    }
  }

  @Test
  void requestThatGoAwayExcludes_isRepeatedOnANewConnection() throws IOException {
    AtomicInteger connections = new AtomicInteger();
    try (FakeOrigin origin =
            origin(o -> {
              if (connections.incrementAndGet() == 1) {
                o.request();
                byte[] goAway = new byte[8];
                o.frame(H2RawClient.GOAWAY, 0, 0, goAway);
                o.next();
                o.next();
              } else {
                serve(o, "second");
              }
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nz");
      assertThat(client.reply().body()).isEqualTo("second");
      assertThat(connections).hasValue(2);
    }
  }

  @Test
  void refusedStream_isRepeated() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (FakeOrigin origin =
            origin(o -> {
              for (int stream = o.request(); stream != 0; stream = o.request()) {
                if (asked.incrementAndGet() == 1) {
                  o.frame(
                      H2RawClient.RST_STREAM,
                      0,
                      stream,
                      H2RawClient.number((int) Http2Error.REFUSED_STREAM.code()));
                } else {
                  o.headers(stream, false, ":status", "200");
                  o.data(stream, true, "again");
                }
              }
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nz");
      assertThat(client.reply().body()).isEqualTo("again");
    }
  }

  @Test
  void originWithOneStream_getsASecondConnection() throws IOException {
    CountDownLatch both = new CountDownLatch(2);
    try (FakeOrigin origin =
            origin(
                H2RawClient.setting(3, 1),
                o -> {
                  int stream = o.request();
                  both.countDown();
                  try {
                    both.await();
                  } catch (InterruptedException e) {
                    throw new IOException(e);
                  }
                  o.headers(stream, false, ":status", "200");
                  o.data(stream, true, "ok");
                  o.request();
                });
        TestRelay relay = to(origin);
        H2RawClient client = connect(relay)) {
      client.get(1, "/1").get(3, "/3");
      assertThat(client.await(f -> f.type() == H2RawClient.DATA).payload()).hasSize(2);
      assertThat(client.await(f -> f.type() == H2RawClient.DATA).payload()).hasSize(2);
      assertThat(relay.originOpened).hasValue(2);
    }
  }

  private static void failsWith(String code, Http2Error reset, Frames answer) throws IOException {
    CompletableFuture<Http2Error> told = new CompletableFuture<>();
    try (FakeOrigin origin =
            origin(o -> {
              answer.run(o);
              told.complete(o.reset().error());
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo(code);
      assertThat(told.orTimeout(8, TimeUnit.SECONDS).join()).isEqualTo(reset);
    }
  }

  @Test
  void headWithoutStatus_isMalformed() throws IOException {
    failsWith(
        "response_malformed",
        Http2Error.PROTOCOL_ERROR,
        o -> o.headers(o.request(), true, "x", "y"));
  }

  @Test
  void connectionFieldInAResponse_isMalformed() throws IOException {
    failsWith(
        "response_malformed",
        Http2Error.PROTOCOL_ERROR,
        o -> o.headers(o.request(), true, ":status", "200", "transfer-encoding", "chunked"));
  }

  @Test
  void G14_responseLongerThanItsLength_isMalformed() throws IOException {
    failsWith(
        "response_malformed",
        Http2Error.PROTOCOL_ERROR,
        o -> {
          int stream = o.request();
          o.headers(stream, false, ":status", "200", "content-length", "2");
          o.data(stream, false, "abc");
        });
  }

  @Test
  void G14_responseShorterThanItsLength_isMalformed() throws IOException {
    failsWith(
        "response_malformed",
        Http2Error.PROTOCOL_ERROR,
        o -> {
          int stream = o.request();
          o.headers(stream, false, ":status", "200", "content-length", "4");
          o.data(stream, true, "abc");
        });
  }

  @Test
  void dataBeforeTheHead_isMalformed() throws IOException {
    failsWith(
        "response_malformed", Http2Error.PROTOCOL_ERROR, o -> o.data(o.request(), false, "abc"));
  }

  @Test
  void responseOverTheLimit_isRefused_andTheStreamReset() throws IOException {
    failsWith(
        "response_too_large",
        Http2Error.CANCEL,
        o -> o.headers(o.request(), false, ":status", "200", "content-length", "100001"));
  }

  @Test
  void interimResponses_arePassedOver_butNotWithoutEnd() throws IOException {
    try (FakeOrigin origin =
            origin(o -> {
              int stream = o.request();
              o.headers(stream, false, ":status", "103");
              o.headers(stream, false, ":status", "200");
              o.data(stream, true, "final");
              o.request();
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo("final");
    }
    failsWith(
        "response_malformed",
        Http2Error.PROTOCOL_ERROR,
        o -> {
          int stream = o.request();
          for (int i = 0; i < 9; i++) {
            o.headers(stream, false, ":status", "103");
          }
        });
  }

  @Test
  void resetAfterTheHead_isIncomplete_before_itIsClosed() throws IOException {
    byte[] internal = H2RawClient.number((int) Http2Error.INTERNAL_ERROR.code());
    try (FakeOrigin origin =
            origin(o -> {
              int first = o.request();
              o.headers(first, false, ":status", "200");
              o.frame(H2RawClient.RST_STREAM, 0, first, internal);
              int second = o.request();
              o.frame(H2RawClient.RST_STREAM, 0, second, internal);
              o.request();
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(get("/1"));
      assertThat(client.reply().body()).isEqualTo("response_incomplete");
      client.send(get("/2"));
      assertThat(client.reply().body()).isEqualTo("origin_closed");
    }
  }

  @Test
  void connectionThatBreaks_failsEveryRequestOnIt_andPostIsNotRepeated() throws IOException {
    AtomicInteger connections = new AtomicInteger();
    try (FakeOrigin origin =
            origin(o -> {
              connections.incrementAndGet();
              o.request();
              o.request();
            });
        TestRelay relay = to(origin);
        H2RawClient client = connect(relay)) {
      client.post(1, "/1", "a").post(3, "/3", "b");
      assertThat(client.reply(1).body()).isEqualTo("origin_closed");
      assertThat(client.reply(3).body()).isEqualTo("origin_closed");
      assertThat(connections).hasValue(1);
      await().until(() -> relay.originClosed.get() == 1);
    }
  }

  @Test
  void silence_endsWithTheResponseTime_andResetsTheStream() throws IOException {
    CompletableFuture<Http2Error> told = new CompletableFuture<>();
    try (FakeOrigin origin =
            origin(o -> {
              o.request();
              told.complete(o.reset().error());
            });
        TestRelay relay = TestRelay.to(http2(origin.port()), TestRelay.LIMITS, QUICK);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo("response_timeout");
      assertThat(told.join()).isEqualTo(Http2Error.CANCEL);
    }
  }

  @Test
  void clientThatLeaves_cancelsTheStreamAtTheOrigin() throws IOException {
    CompletableFuture<Http2Error> told = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    try (FakeOrigin origin =
            origin(o -> {
              o.request();
              asked.countDown();
              told.complete(o.reset().error());
            });
        TestRelay relay = to(origin);
        H2RawClient client = connect(relay)) {
      client.get(1, "/x");
      asked.await();
      client.reset(1, Http2Error.CANCEL);
      assertThat(told.join()).isEqualTo(Http2Error.CANCEL);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void slowReader_holdsItsOwnStreamBack_andNoOther() throws IOException {
    int total = 3_000_000;
    StreamRelay streams = new StreamRelay();
    Queue<Long> written = new ConcurrentLinkedQueue<>();
    try (TestRelay origin =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              if (request.target().equals("/small")) {
                exchange.respond(TestRelay.text(200, "small"), false);
              } else {
                new Source(exchange, total, written).run();
              }
            });
        TestRelay relay =
            TestRelay.streaming(
                streams, http2(origin.port()), TestRelay.LIMITS, TestRelay.PATIENT);
        H2RawClient client = connect(relay)) {
      client.withholdWindows().get(1, "/big");
      await().until(() -> streams.pauses.get() > 0);
      await().during(Duration.ofMillis(300)).until(() -> streams.bytes.get() < 300_000);
      // The client's window of the connection is used up by the first; a new client has its own.
      try (H2RawClient other = connect(relay)) {
        other.get(1, "/small");
        assertThat(other.reply(1).body()).isEqualTo("small");
      }
      client.window(0, total).window(1, total);
      long read = 0;
      boolean ended = false;
      while (!ended) {
        H2RawClient.Frame frame = client.await(f -> f.type() == H2RawClient.DATA);
        read += frame.payload().length;
        ended = frame.ends();
      }
      assertThat(read).isEqualTo(total);
      assertThat(relay.originOpened).hasValue(1);
    }
  }

  /** Writes while it may, as a good sender does. */
  private record Source(ServerCall exchange, long total, Queue<Long> written) implements Runnable {
    @Override
    public void run() {
      ResponseStream stream = exchange.begin(200, new DefaultHttpHeaders());
      long[] left = {total};
      Runnable more =
          () -> {
            while (left[0] > 0 && stream.isWritable()) {
              int length = (int) Math.min(left[0], 10_000);
              left[0] -= length;
              written.add((long) length);
              stream.write(TestRelay.buffer("y".repeat(length)));
              if (left[0] == 0) {
                stream.end(new DefaultHttpHeaders());
              }
            }
          };
      stream.onWritable(more);
      more.run();
    }
  }

  /** Who has answered may be about to leave; connections are bounded all the same. */
  @Test
  void whoWantsANewConnection_getsOne_whileThereMayBeMore() throws IOException {
    AtomicInteger connections = new AtomicInteger();
    try (FakeOrigin origin =
            origin(o -> {
              connections.incrementAndGet();
              serve(o, "x");
            });
        EventLoops loops = EventLoops.start(1);
        OriginClient client =
            new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), RelayEvents.NOOP)) {
      EventLoop loop = loops.next();
      answered(client, loop, origin.port(), false);
      answered(client, loop, origin.port(), false);
      assertThat(connections).hasValue(1);
      answered(client, loop, origin.port(), true);
      assertThat(connections).hasValue(2);
      answered(client, loop, origin.port(), false);
      assertThat(connections).hasValue(2);
      for (int i = 0; i < 20; i++) {
        answered(client, loop, origin.port(), true);
      }
      assertThat(connections).hasValue(8);
    }
  }

  private static void answered(OriginClient client, EventLoop loop, int port, boolean onNew) {
    CompletableFuture<OriginResult> result = new CompletableFuture<>();
    client.ask(
        loop,
        http2(port),
        new WholeRequest(
            HttpMethod.POST, "/", "a", false, new DefaultHttpHeaders(), TestRelay.buffer("x")),
        TestRelay.LIMITS,
        TestRelay.PATIENT,
        new OriginReceiver() {
          @Override
          public boolean needsNewConnection() {
            return onNew;
          }

          @Override
          public void done(OriginResult came) {
            if (came instanceof OriginResult.Answered(WholeResponse response)) {
              response.body().release();
            }
            result.complete(came);
          }
        });
    assertThat(result.join()).isInstanceOf(OriginResult.Answered.class);
  }

  @Test
  void closingTheClient_failsWhatIsAsked() throws IOException {
    CountDownLatch asked = new CountDownLatch(1);
    try (FakeOrigin origin =
        origin(o -> {
          o.request();
          asked.countDown();
          o.next();
        })) {
      CompletableFuture<OriginResult> result = new CompletableFuture<>();
      try (EventLoops loops = EventLoops.start(1)) {
        OriginClient client =
            new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), RelayEvents.NOOP);
        client.ask(
            loops.next(),
            http2(origin.port()),
            new WholeRequest(
                HttpMethod.POST, "/", "a", false, new DefaultHttpHeaders(), TestRelay.buffer("x")),
            TestRelay.LIMITS,
            TestRelay.PATIENT,
            result::complete);
        asked.await();
        client.close();
        assertThat(result.join()).isInstanceOf(OriginResult.Failed.class);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void connectionThatOnlyTalks_isCut_andItsRequestsFail() throws IOException {
    try (FakeOrigin origin =
            origin(o -> {
              o.request();
              for (int i = 0; i < 3000; i++) {
                o.frame(H2RawClient.PING, 0, 0, new byte[8]);
              }
              o.request();
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(get("/x"));
      assertThat(client.reply().body()).isEqualTo("response_malformed");
    }
  }
}
