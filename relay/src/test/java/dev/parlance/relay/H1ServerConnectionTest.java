package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What passes on a client's connection: requests, in order, and their answers. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings(
    "StringConcatToTextBlock") // A text block cannot show CRLF, which is the point here.
class H1ServerConnectionTest {
  private static String get(String name) {
    return "GET /" + name + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  private static String post(String body) {
    return "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static void untilDone(TestRelay relay) {
    await().until(() -> relay.listener().connections() == 0);
  }

  @Test
  void pipelinedRequests_areAnsweredInOrder_oneAtATime() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        RawClient client = relay.connect()) {
      client.send(get("1") + post("two") + get("3"));
      for (int i = 1; i <= 3; i++) {
        await().until(() -> !waiting.isEmpty());
        assertThat(relay.seen).hasSize(i);
        ServerCall exchange = waiting.remove();
        String text = "answer " + i;
        exchange.loop().execute(() -> exchange.respond(TestRelay.text(200, text), false));
        assertThat(client.reply().body()).isEqualTo(text);
      }
      assertThat(relay.seen).extracting(TestRelay.Seen::target).containsExactly("/1", "/p", "/3");
    }
  }

  @Test
  void manyPipelinedRequests_answeredAtOnce_keepTheirOrder() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        all.append(get(Integer.toString(i)));
      }
      client.send(all.toString());
      for (int i = 0; i < 500; i++) {
        assertThat(client.reply().body()).isEqualTo("/" + i + " 0");
      }
    }
  }

  @Test
  void H13_requestBehindAnEmptyBody_isARequestOfItsOwn() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" + get("second"));
      assertThat(client.reply().body()).isEqualTo("/first 0");
      assertThat(client.reply().body()).isEqualTo("/second 0");
      assertThat(relay.seen).hasSize(2);
    }
  }

  @Test
  void pipelinedGarbage_isRefusedAfterTheGoodRequestIsAnswered() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send(get("good") + "GET  / HTTP/1.1\r\n\r\n" + get("never"));
      assertThat(client.reply().body()).isEqualTo("/good 0");
      assertThat(client.reply().status()).isEqualTo(400);
      assertThat(client.rest()).isEmpty();
      assertThat(relay.seen).hasSize(1);
    }
  }

  @Test
  void requestsOneByteAtATime_areReadWhole() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.trickle("\r\n" + post("hello"));
      assertThat(client.reply().body()).isEqualTo("/p 5");
      client.trickle(
          "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-Harmless: 1\r\n\r\n");
      assertThat(client.reply().body()).isEqualTo("/c 5");
      assertThat(relay.seen).extracting(TestRelay.Seen::body).containsExactly("hello", "abcde");
      assertThat(relay.seen.getLast().headers().contains("X-Harmless")).isFalse();
    }
  }

  @Test
  void H4_leadingZeros_areCanonicalForTheOrigin() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok(""));
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 010\r\n\r\n0123456789");
      assertThat(client.reply().status()).isEqualTo(200);
      assertThat(origin.requests().getFirst()).containsIgnoringCase("content-length: 10\r\n");
    }
  }

  @Test
  void H7_chunkedBody_reachesTheOriginWithALength_andWithoutExtensions() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok(""));
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      client.send(
          "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nTE: trailers\r\n\r\n"
              + "5;ext=\"q\"\r\nhello\r\n0\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(200);
      assertThat(origin.requests().getFirst())
          .endsWith("\r\n\r\nhello")
          .containsIgnoringCase("content-length: 5\r\n")
          .doesNotContainIgnoringCase("ext")
          .doesNotContainIgnoringCase("transfer-encoding")
          .doesNotContainIgnoringCase("te:");
    }
  }

  @Test
  void targetHostAndHeaders_reachTheOriginAsSent() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok(""));
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      client.send(
          "GET /v1/m%2Fx:send?a=%2e%2e/..&b={} HTTP/1.1\r\nhOsT: Agent.Example:8080\r\n"
              + "X-One: 1\r\nx-two:  2 2 \r\nX-One: 3\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(200);
      assertThat(origin.requests().getFirst())
          .startsWith("GET /v1/m%2Fx:send?a=%2e%2e/..&b={} HTTP/1.1\r\n")
          .containsIgnoringCase("host: Agent.Example:8080\r\n")
          .contains("X-One: 1\r\nx-two: 2 2\r\nX-One: 3\r\n");
    }
  }

  @Test
  void absoluteForm_isTakenApart() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("GET http://A.b:80?q HTTP/1.1\r\nHost: a.b\r\n\r\n");
      assertThat(client.reply().body()).isEqualTo("/?q 0");
      assertThat(relay.seen.getFirst().authority()).isEqualTo("a.b");
    }
  }

  @Test
  void H17_h2cOffer_isDroppedSilently_withItsConnectionTokens() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send(
          "GET /u HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings, X-Hop\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n"
              + "Keep-Alive: 5\r\nProxy-Connection: x\r\nX-Hop: 1\r\nX-End: 1\r\n\r\n");
      RawClient.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.closes()).isFalse();
      assertThat(relay.seen.getFirst().headers().names())
          .containsExactlyInAnyOrder("Host", "X-End");
    }
  }

  @Test
  void H20_expectation_isMetOnce_andKeptFromTheOrigin() throws IOException {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("done"));
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      client.send(
          "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(100);
      assertThat(origin.connections()).isZero();
      client.send("hello");
      assertThat(client.reply().body()).isEqualTo("done");
      assertThat(origin.requests().getFirst()).doesNotContainIgnoringCase("expect");
    }
  }

  @Test
  void B1_chunksOverTheLimit_are413_beforeAllIsRead() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send(("2710\r\n" + "x".repeat(10_000) + "\r\n").repeat(11));
      assertThat(client.reply().status()).isEqualTo(413);
      assertThat(relay.seen).isEmpty();
    }
  }

  @Test
  void B1_bodyAtTheLimit_passes() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send(post("x".repeat(100_000)));
      assertThat(client.reply().body()).isEqualTo("/p 100000");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n12345",
        "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
        "POST /p HTTP/1.1\r\nHost: a\r\n",
        "POST /p"
      })
  void B2_cutRequest_isIncomplete_andDeliveredToNobody(String part) throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo)) {
      try (RawClient client = relay.connect()) {
        assertThat(client.send(part).finish().reply().status()).isEqualTo(400);
        assertThat(client.rest()).isEmpty();
      }
      try (RawClient client = relay.connect()) {
        client.send(part);
        await().until(() -> relay.opened.get() == 2);
        // The bytes must have arrived, or the reset would take them along.
        await().pollDelay(Duration.ofMillis(50)).until(() -> true);
        client.reset();
        untilDone(relay);
      }
      assertThat(relay.rejections)
          .extracting(Rejection::code)
          .containsExactly("incomplete", "incomplete");
      assertThat(relay.seen).isEmpty();
    }
  }

  @Test
  void bodylessResponses_haveNoBody_andKeepTheConnectionUsable() throws IOException {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              int status = Integer.parseInt(request.target().substring(1));
              exchange.respond(TestRelay.text(status, "body"), false);
            });
        RawClient client = relay.connect()) {
      RawClient.Reply head = client.send("HEAD /200 HTTP/1.1\r\nHost: a\r\n\r\n").reply(true);
      assertThat(head.headers()).containsEntry("content-length", "4");
      RawClient.Reply none = client.send(get("204")).reply();
      assertThat(none.headers()).doesNotContainKey("content-length");
      RawClient.Reply same = client.send(get("304")).reply();
      assertThat(same.status()).isEqualTo(304);
      assertThat(client.send(get("200")).reply().body()).isEqualTo("body");
    }
  }

  @Test
  void responseHeadersOfTheHop_neverLeave() throws IOException {
    String response =
        "HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n"
            + "Trailer: X\r\nX-End: \u00e4\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;e\r\nabc\r\n0\r\nX: 1\r\n\r\n";
    try (FakeOrigin origin = FakeOrigin.always(response);
        TestRelay relay = TestRelay.to(origin);
        RawClient client = relay.connect()) {
      RawClient.Reply reply = client.send(get("x")).reply();
      assertThat(reply.body()).isEqualTo("abc");
      assertThat(reply.headers()).containsOnlyKeys("x-end", "content-length", "date");
      assertThat(reply.headers()).containsEntry("x-end", "\u00e4");
    }
  }

  @Test
  void responseWithoutDate_getsOne_andOneThatIsThereStays() throws IOException {
    String then = "Tue, 15 Nov 1994 08:12:31 GMT";
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              WholeResponse made = TestRelay.text(200, "x");
              if (request.target().equals("/dated")) {
                made.headers().set("Date", then);
              }
              exchange.respond(made, false);
            });
        RawClient client = relay.connect()) {
      client.send(get("undated") + get("dated"));
      String added = client.reply().headers().getOrDefault("date", "");
      Instant at = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(added));
      assertThat(Duration.between(at, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
      assertThat(client.reply().headers()).containsEntry("date", then);
    }
  }

  @Test
  void secondResponse_isABug_andIsReleased() throws IOException {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              exchange.respond(TestRelay.text(200, "one"), false);
              try {
                exchange.respond(TestRelay.text(200, "two"), false);
              } catch (IllegalStateException e) {
                thrown.complete(e);
              }
            });
        RawClient client = relay.connect()) {
      assertThat(client.send(get("x") + get("y")).reply().body()).isEqualTo("one");
      assertThat(client.reply().body()).isEqualTo("one");
      assertThat(thrown).succeedsWithin(Duration.ofSeconds(60));
    }
  }
}
