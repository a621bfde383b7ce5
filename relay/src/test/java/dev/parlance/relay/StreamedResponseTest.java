package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
@SuppressWarnings(
    "StringConcatToTextBlock") // A text block cannot show CRLF, which is the point here.
class StreamedResponseTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

  private static final String GET = "GET /s HTTP/1.1\r\nHost: a\r\n\r\n";

  private static final String GET_TRAILERS = "GET /s HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n";

  private final StreamRelay streams = new StreamRelay();

  private TestRelay to(FakeOrigin origin) throws IOException {
    return TestRelay.streaming(streams, origin.destination(), TestRelay.LIMITS, TestRelay.PATIENT);
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private static void hold(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IOException("the test did not let the origin go on");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void firstPiece_reachesTheClient_beforeTheOriginSendsTheSecond() throws IOException {
    CountDownLatch firstSeen = new CountDownLatch(1);
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, HEAD + chunk("data: 1\n\n"));
              hold(firstSeen);
              FakeOrigin.say(socket, chunk("data: 2\n\n") + "0\r\n\r\n");
              self.read(socket);
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      String first = client.send(GET).until("data: 1\n\n\r\n");
      assertThat(first)
          .startsWith("HTTP/1.1 200 OK\r\n")
          .containsIgnoringCase("transfer-encoding: chunked\r\n")
          .doesNotContainIgnoringCase("content-length");
      firstSeen.countDown();
      assertThat(client.until("0\r\n\r\n")).isEqualTo("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
      assertThat(streams.ended.get()).isEqualTo(1);
      assertThat(streams.emptyPieces.get()).isZero();
    }
  }

  @Test
  void connectionsOfBothSides_areUsedAgain_andPipelinedRequestsWait() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(HEAD + chunk("a") + chunk("b") + "0\r\n\r\n");
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(GET.repeat(20));
      for (int i = 0; i < 20; i++) {
        RawClient.Streamed reply = client.streamed();
        assertThat(reply.body()).isEqualTo("ab");
        assertThat(reply.headers()).doesNotContainKey("connection");
      }
      assertThat(origin.connections()).isEqualTo(1);
      assertThat(relay.opened.get()).isEqualTo(1);
    }
  }

  @Test
  void bodyOverTheBoundOfWholeBodies_passesInPieces() throws IOException {
    String part = "x".repeat(50_000);
    try (FakeOrigin origin =
            FakeOrigin.always(
                "HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n" + part.repeat(10));
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      assertThat(client.send(GET).streamed().body()).hasSize(500_000);
    }
  }

  @Test
  void H19_trailersPass_withoutThoseThatFrameOrSpeakForUs() throws IOException {
    String trailers =
        "X-Sum: 1\r\nContent-Length: 3\r\nHost: evil\r\nASP-Signal: forged\r\nParlance-Route: x\r\n"
            + "Authorization: x\r\nSet-Cookie: x\r\nConnection: close\r\nKeep-Alive: 1\r\n"
            + "X-Forwarded-For: x\r\nTransfer-Encoding: chunked\r\nX-Hop: 1\r\nGrpc-Status: 0\r\n";
    try (FakeOrigin origin =
            FakeOrigin.always(
                HEAD.replace("\r\n\r\n", "\r\nConnection: X-Hop\r\nTrailer: X-Sum\r\n\r\n")
                    + chunk("a")
                    + "0\r\n"
                    + trailers
                    + "\r\n");
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      RawClient.Streamed reply = client.send(GET_TRAILERS).streamed();
      assertThat(reply.trailers())
          .containsExactlyInAnyOrderEntriesOf(Map.of("x-sum", "1", "grpc-status", "0"));
      assertThat(reply.headers()).doesNotContainKey("trailer");
      RawClient.Streamed bare = client.send(GET).streamed();
      assertThat(bare.body()).isEqualTo("a");
      assertThat(bare.trailers()).isEmpty();
    }
  }

  @Test
  void trailersOfAWholeResponse_goOnlyToAClientThatAskedForThem() throws IOException {
    try (FakeOrigin origin =
            FakeOrigin.always(HEAD + chunk("abc") + "0\r\nX-Sum: 1\r\nHost: b\r\n\r\n");
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      RawClient.Reply plain = client.send(GET).reply();
      assertThat(plain.headers()).containsEntry("content-length", "3").doesNotContainKey("trailer");
      client.send("GET /s HTTP/1.1\r\nHost: a\r\nTE: deflate;q=0.5, Trailers\r\n\r\n");
      RawClient.Streamed asked = client.streamed();
      assertThat(asked.body()).isEqualTo("abc");
      assertThat(asked.headers()).containsEntry("trailer", "X-Sum");
      assertThat(asked.trailers()).isEqualTo(Map.of("x-sum", "1"));
    }
  }

  @Test
  void trailersOfTheWriter_areAnnounced_andWrittenBehindTheLastPiece() throws IOException {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              HttpHeaders headers = new DefaultHttpHeaders();
              headers.set("Trailer", "ASP-Signal");
              ResponseStream stream = exchange.begin(200, headers);
              stream.write(TestRelay.buffer("piece"));
              stream.end(new DefaultHttpHeaders().set("ASP-Signal", "[@C:1]"));
              stream.end(new DefaultHttpHeaders());
              stream.write(TestRelay.buffer("late"));
              stream.abort();
            });
        RawClient client = relay.connect()) {
      RawClient.Streamed reply = client.send(GET_TRAILERS).streamed();
      assertThat(reply.headers()).containsEntry("trailer", "ASP-Signal");
      assertThat(reply.trailers()).isEqualTo(Map.of("asp-signal", "[@C:1]"));
      client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
      assertThat(client.rest())
          .endsWith("\r\n\r\npiece")
          .doesNotContainIgnoringCase("asp-signal")
          .doesNotContainIgnoringCase("transfer-encoding")
          .containsIgnoringCase("connection: close");
    }
  }

  @Test
  void smallPiecesOfOneTurn_goTogether_behindTheFirst() throws IOException {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              ResponseStream stream = exchange.begin(200, new DefaultHttpHeaders());
              for (int i = 0; i < 1000; i++) {
                stream.write(TestRelay.buffer("x"));
              }
              stream.write(TestRelay.buffer("y".repeat(5000)));
              stream.write(TestRelay.buffer("z"));
              stream.end(new DefaultHttpHeaders());
            });
        RawClient client = relay.connect()) {
      client.send("GET /s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(client.rest())
          .endsWith(
              "\r\n\r\n"
                  + chunk("x")
                  + chunk("x".repeat(999))
                  + chunk("y".repeat(5000))
                  + chunk("z")
                  + "0\r\n\r\n");
    }
  }

  @Test
  void responsesWithoutABody_haveNone_alsoIfPiecesAreWritten() throws IOException {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              int status = Integer.parseInt(request.target().substring(1));
              ResponseStream stream = exchange.begin(status, new DefaultHttpHeaders());
              stream.write(TestRelay.buffer("body"));
              stream.end(new DefaultHttpHeaders().set("X-Sum", "1"));
            });
        RawClient client = relay.connect()) {
      for (String request : new String[] {"HEAD /200", "GET /204", "GET /304", "GET /205"}) {
        RawClient.Reply reply = client.send(request + " HTTP/1.1\r\nHost: a\r\n\r\n").reply(true);
        assertThat(reply.headers()).doesNotContainKey("transfer-encoding");
      }
      assertThat(client.send("GET /200 HTTP/1.1\r\nHost: a\r\n\r\n").streamed().body())
          .isEqualTo("body");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n6;e=1\r\n world\r\n0\r\nX-T: 1\r\n\r\n"
      })
  void N3_streamCutAtAnyByte_neverLooksWhole(String whole) throws IOException {
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
        TestRelay relay = to(origin)) {
      for (int reset = 0; reset < 2; reset++) {
        byReset.set(reset);
        for (int i = 0; i < whole.length(); i++) {
          length.set(i);
          for (String version : new String[] {"1.1", "1.0"}) {
            try (RawClient client = relay.connect()) {
              client.send("GET /s HTTP/" + version + "\r\nHost: a\r\nConnection: close\r\n\r\n");
              assertThat(brokenOff(client, version))
                  .as("cut after %d of %s for HTTP/%s", i, whole, version)
                  .isTrue();
            }
          }
        }
      }
      assertThat(streams.ended.get()).isZero();
      byReset.set(0);
      length.set(whole.length());
      try (RawClient client = relay.connect()) {
        assertThat(client.send(GET).streamed().body()).isEqualTo("hello world");
      }
    }
  }

  /** True if the client has an error in its hands, by status, by framing or by a reset. */
  private static boolean brokenOff(RawClient client, String version) throws IOException {
    String got;
    try {
      got = client.rest();
    } catch (IOException e) {
      return true;
    }
    return got.startsWith("HTTP/1.1 502 ")
        || (version.equals("1.1") && !got.endsWith("\r\n0\r\n\r\n") && !got.contains("X-T"));
  }

  @Test
  void N3_closeDelimitedStream_isWholeByAnEnd_andBrokenByAReset() throws IOException {
    AtomicInteger byReset = new AtomicInteger();
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, "HTTP/1.0 200 OK\r\n\r\nto the end");
              if (byReset.get() == 1) {
                await().until(() -> streams.bytes.get() == 20);
                FakeOrigin.reset(socket);
              }
            });
        TestRelay relay = to(origin)) {
      try (RawClient client = relay.connect()) {
        assertThat(client.send(GET).streamed().body()).isEqualTo("to the end");
      }
      byReset.set(1);
      try (RawClient client = relay.connect()) {
        client.send(GET);
        assertThatThrownBy(client::streamed).isInstanceOf(IOException.class);
      }
      assertThat(streams.failures)
          .extracting(OriginResult.Failed::code)
          .containsExactly("response_incomplete");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'5\r\nhello\r\nxyz\r\n', response_malformed",
    "'5\r\nhelloo\r\n', response_malformed",
    "'5\r\nhello\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n', response_malformed",
    "'5\r\nhello\r\n0\r\nX: \u0001\r\n\r\n', response_malformed"
  })
  void H15_faultInsideAStream_breaksItOff_andTheOriginIsNotUsedAgain(String body, String code)
      throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(HEAD + body);
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(GET);
      assertThatThrownBy(client::streamed).isInstanceOf(IOException.class);
      assertThat(streams.failures).extracting(OriginResult.Failed::code).containsExactly(code);
      await().until(() -> relay.originClosed.get() == 1);
    }
  }

  @Test
  void clientThatLeaves_inMidStream_endsTheConnectionToTheOrigin() throws IOException {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, HEAD + chunk("data: 1\n\n"));
              end.complete(socket.getInputStream().read());
            });
        TestRelay relay = to(origin)) {
      try (RawClient client = relay.connect()) {
        client.send(GET).until("data: 1\n\n\r\n");
      }
      assertThat(end).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(-1);
      await().until(() -> streams.aborted.get() == 1 && relay.aborted.get() == 1);
      assertThat(streams.failures)
          .extracting(OriginResult.Failed::code)
          .containsExactly("cancelled");
    }
  }

  @Test
  void writerThatAborts_cutsTheClient_andIsNotToldThatTheClientLeft() throws IOException {
    Queue<ResponseStream> begun = new ConcurrentLinkedQueue<>();
    Queue<ServerCall> exchanges = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              ResponseStream stream = exchange.begin(200, new DefaultHttpHeaders());
              begun.add(stream);
              exchanges.add(exchange);
              stream.write(TestRelay.buffer("part"));
            });
        RawClient client = relay.connect()) {
      client.send(GET).until("part\r\n");
      exchanges.element().loop().execute(begun.element()::abort);
      assertThat(client.replyOrEnd()).isEqualTo(Optional.empty());
      await().until(() -> relay.closed.get() == 1);
      assertThat(relay.aborted.get()).isZero();
      assertThat(exchanges.element().isOpen()).isFalse();
    }
  }

  @Test
  void N6_streamThatBeginsBeforeTheRequestIsTaken_passes() throws IOException {
    HttpMessageLimits limits = new HttpMessageLimits(1024, 2048, 32 << 20, 100, 64);
    int length = 30_000_000;
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              FakeOrigin.say(socket, HEAD + chunk("data: early\n\n"));
              await().until(() -> streams.bytes.get() > 0);
              socket.getInputStream().skipNBytes(length);
              FakeOrigin.say(socket, chunk("data: late\n\n") + "0\r\n\r\n");
              self.read(socket);
            });
        TestRelay relay =
            TestRelay.streaming(streams, origin.destination(), limits, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      client.send("POST /s HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
      client.send("x".repeat(length));
      assertThat(client.streamed().body()).isEqualTo("data: early\n\ndata: late\n\n");
    }
  }

  @Test
  void N6_answerOfAnOriginThatStopsReading_isDelivered() throws IOException {
    HttpMessageLimits limits = new HttpMessageLimits(1024, 2048, 32 << 20, 100, 64);
    int length = 30_000_000;
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              socket.getInputStream().skipNBytes(100_000);
              FakeOrigin.say(socket, "HTTP/1.1 413 Large\r\nContent-Length: 2\r\n\r\nno");
            });
        TestRelay relay = TestRelay.to(origin.destination(), limits, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      client.send("POST /s HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
      client.send("x".repeat(length));
      RawClient.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.body()).isEqualTo("no");
    }
  }

  @Test
  void O1_drain_waitsForAStream_andThenClosesItsConnection() throws IOException {
    CountDownLatch drains = new CountDownLatch(1);
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, HEAD + chunk("data: 1\n\n"));
              hold(drains);
              FakeOrigin.say(socket, chunk("data: 2\n\n") + "0\r\n\r\n");
              self.read(socket);
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send(GET).until("data: 1\n\n\r\n");
      CompletableFuture<Integer> drained = relay.listener().drain(Duration.ofSeconds(20));
      drains.countDown();
      assertThat(client.rest()).isEqualTo(chunk("data: 2\n\n") + "0\r\n\r\n");
      client.finish();
      assertThat(drained).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.1", "1.0"})
  void O1_drain_cutsAStreamThatOutlastsTheGrace_visibly(String version) throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, HEAD + chunk("data: 1\n\n"));
              self.read(socket);
            });
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.send("GET /s HTTP/" + version + "\r\nHost: a\r\n\r\n").until("data: 1\n\n");
      assertThat(relay.listener().drain(Duration.ofMillis(200)))
          .succeedsWithin(Duration.ofSeconds(60))
          .isEqualTo(1);
      if (version.equals("1.1")) {
        assertThat(client.rest()).isEqualTo("\r\n");
      } else {
        assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
      }
      await().until(() -> streams.aborted.get() == 1);
    }
  }
}
