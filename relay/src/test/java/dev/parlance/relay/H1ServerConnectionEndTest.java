package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a client's connection ends, who ends it, and what becomes of the rest. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings(
    "StringConcatToTextBlock") // A text block cannot show CRLF, which is the point here.
class H1ServerConnectionEndTest {
  private static String get(String name) {
    return "GET /" + name + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  private static String post(String body) {
    return "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static Timeouts quick(int headerMs, int bodyMs, int keepAliveMs, int writeMs) {
    return new Timeouts(headerMs, bodyMs, keepAliveMs, 1000, 5000, 5000, writeMs);
  }

  private static void untilDone(TestRelay relay) {
    await().until(() -> relay.listener().connections() == 0);
  }

  @Test
  void H20_expectationWithoutABody_timesOut() throws IOException {
    try (TestRelay relay =
            TestRelay.answering(TestRelay.LIMITS, quick(5000, 200, 5000, 5000), TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send(
          "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(100);
      assertThat(client.reply().status()).isEqualTo(408);
      assertThat(client.rest()).isEmpty();
      assertThat(relay.rejections).extracting(Rejection::code).containsExactly("body_timeout");
    }
  }

  @Test
  void B2_stalledBody_timesOut() throws IOException {
    try (TestRelay relay =
            TestRelay.answering(TestRelay.LIMITS, quick(5000, 200, 5000, 5000), TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n12345");
      assertThat(client.reply().status()).isEqualTo(408);
      assertThat(relay.seen).isEmpty();
    }
  }

  @Test
  void N1_bodySlowerThanTheLeastRate_timesOut_althoughItNeverPausesForLong() throws Exception {
    try (TestRelay relay =
            TestRelay.answering(TestRelay.LIMITS, quick(5000, 300, 5000, 5000), TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
      CompletableFuture<RawClient.Reply> reply = new CompletableFuture<>();
      Thread reader =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  reply.complete(client.reply());
                } catch (IOException e) {
                  reply.completeExceptionally(e);
                }
              });
      for (int i = 0; i < 100 && !reply.isDone(); i++) {
        client.send("x");
        TimeUnit.MILLISECONDS.sleep(50);
      }
      assertThat(reply.get(60, TimeUnit.SECONDS).status()).isEqualTo(408);
      reader.join();
    }
  }

  @Test
  void N1_slowHead_timesOut() throws IOException {
    try (TestRelay relay =
            TestRelay.answering(TestRelay.LIMITS, quick(200, 5000, 5000, 5000), TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX:");
      assertThat(client.reply().status()).isEqualTo(408);
      assertThat(relay.rejections).extracting(Rejection::layer).containsExactly("time");
    }
  }

  @Test
  void idleConnection_isClosedWithoutAWord() throws IOException {
    try (TestRelay relay =
        TestRelay.answering(TestRelay.LIMITS, quick(5000, 5000, 150, 5000), TestRelay::echo)) {
      try (RawClient fresh = relay.connect()) {
        assertThat(fresh.rest()).isEmpty();
      }
      try (RawClient used = relay.connect()) {
        assertThat(used.send(get("x")).reply().status()).isEqualTo(200);
        assertThat(used.rest()).isEmpty();
      }
      assertThat(relay.rejections).isEmpty();
    }
  }

  @Test
  void emptyLinesBetweenRequests_areSkipped_andDoNotKeepTheConnectionOpen() throws IOException {
    try (TestRelay relay =
            TestRelay.answering(TestRelay.LIMITS, quick(5000, 5000, 300, 5000), TestRelay::echo);
        RawClient client = relay.connect()) {
      assertThat(client.send(get("x") + "\r\n").reply().status()).isEqualTo(200);
      assertThat(client.send("\r\n" + get("y")).reply().body()).isEqualTo("/y 0");
      client.send("\r\n");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void keepAliveAndClose_followTheVersionAndTheConnectionField() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo)) {
      try (RawClient client = relay.connect()) {
        assertThat(client.send(get("a")).reply().closes()).isFalse();
        client.send("GET /b HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n" + get("never"));
        assertThat(client.reply().closes()).isTrue();
        assertThat(client.rest()).isEmpty();
      }
      try (RawClient client = relay.connect()) {
        client.send("GET /c HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
        assertThat(client.reply().closes()).isTrue();
        assertThat(client.rest()).isEmpty();
      }
      assertThat(relay.seen).hasSize(3);
    }
  }

  @Test
  void clientThatLeaves_abortsTheExchange_andNothingLeaks() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
        TestRelay.answering((exchange, request) -> {
          request.body().release();
          waiting.add(exchange);
        })) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(relay.connect().send(post("hello")));
      }
      await().until(() -> waiting.size() == 3);
      clients.get(0).close();
      clients.get(1).reset();
      clients.get(2).finish();
      await().until(() -> relay.aborted.get() == 3);
      clients.get(2).close();
      for (ServerCall exchange : waiting) {
        assertThat(exchange.isOpen()).isFalse();
        CompletableFuture<Boolean> lateAbort = new CompletableFuture<>();
        exchange
            .loop()
            .execute(() -> {
              exchange.respond(TestRelay.text(200, "late"), false);
              exchange.onAbort(() -> lateAbort.complete(true));
            });
        assertThat(lateAbort).succeedsWithin(Duration.ofSeconds(60));
      }
      untilDone(relay);
      assertThat(relay.closed.get()).isEqualTo(3);
    }
  }

  @Test
  void clientThatLeaves_closesTheConnectionToTheOrigin() throws IOException {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              end.complete(socket.getInputStream().read());
            });
        TestRelay relay = TestRelay.to(origin)) {
      try (RawClient client = relay.connect()) {
        client.send(post("hello"));
        await().until(() -> origin.requests().size() == 1);
      }
      assertThat(end).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(-1);
      await().until(() -> relay.results.size() == 1);
      assertThat(relay.results.getFirst())
          .isInstanceOfSatisfying(
              OriginResult.Failed.class, f -> assertThat(f.code()).isEqualTo("cancelled"));
    }
  }

  @Test
  void slowReader_isCut_andHoldsOneResponseAtMost() throws IOException {
    HttpMessageLimits limits = new HttpMessageLimits(1024, 2048, 16 << 20, 100, 64);
    try (TestRelay relay =
            TestRelay.answering(
                limits,
                quick(5000, 5000, 5000, 300),
                (exchange, request) -> {
                  request.body().release();
                  exchange.respond(
                      new WholeResponse(
                          200,
                          EmptyHttpHeaders.INSTANCE,
                          ByteBufAllocator.DEFAULT.buffer(16 << 20).writeZero(16 << 20)),
                      false);
                });
        RawClient client = relay.connect()) {
      client.send(get("x").repeat(50));
      await().until(() -> !relay.seen.isEmpty()); // accepted, and counted
      untilDone(relay);
      assertThat(relay.seen).hasSize(1);
    }
  }

  @Test
  void clientThatOnlySends_isNotReadWithoutBound() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        RawClient client = relay.connect()) {
      client.send(get("first"));
      await().until(() -> waiting.size() == 1);
      CompletableFuture<Integer> writer =
          CompletableFuture.supplyAsync(() -> {
            int sent = 0;
            try {
              for (; sent < 64; sent++) {
                client.send("x".repeat(1 << 20));
              }
            } catch (IOException e) {
              return sent; // the answer ends the connection
            }
            return sent;
          });
      // Sixty-four megabytes do not fit the buffers of two sockets: the writer has to wait.
      assertThat(writer)
          .as("the writer, while nobody reads what it writes")
          .failsWithin(Duration.ofMillis(300))
          .withThrowableOfType(TimeoutException.class);
      ServerCall exchange = waiting.remove();
      exchange.loop().execute(() -> exchange.respond(TestRelay.text(200, "ok"), true));
      assertThat(client.reply().body()).isEqualTo("ok");
      assertThat(writer).succeedsWithin(Duration.ofSeconds(60));
    }
  }

  @Test
  void connectionLimit_answers503_andRecovers() throws IOException {
    HttpMessageLimits limits = new HttpMessageLimits(1024, 2048, 1000, 100, 2);
    try (TestRelay relay = TestRelay.answering(limits, TestRelay.PATIENT, TestRelay::echo)) {
      try (RawClient one = relay.connect();
          RawClient two = relay.connect();
          RawClient three = relay.connect()) {
        assertThat(one.send(get("1")).reply().status()).isEqualTo(200);
        assertThat(two.send(get("2")).reply().status()).isEqualTo(200);
        assertThat(three.reply().status()).isEqualTo(503);
        assertThat(three.rest()).isEmpty();
      }
      untilDone(relay);
      try (RawClient four = relay.connect()) {
        assertThat(four.send(get("4")).reply().status()).isEqualTo(200);
      }
      assertThat(relay.rejections).extracting(Rejection::code).containsExactly("connection_limit");
    }
  }

  @Test
  void addressWithItsShareOfConnections_isTurnedAway_andComesBackWhenItHasLess()
      throws IOException {
    HttpMessageLimits limits =
        new HttpMessageLimits(1024, 2048, 1000, 100, 100).withConnectionsPerAddress(1);
    try (TestRelay relay = TestRelay.answering(limits, TestRelay.PATIENT, TestRelay::echo)) {
      try (RawClient one = relay.connect();
          RawClient two = relay.connect()) {
        assertThat(one.send(get("1")).reply().status()).isEqualTo(200);
        assertThat(two.reply().status()).isEqualTo(503);
        assertThat(two.rest()).isEmpty();
      }
      untilDone(relay);
      try (RawClient four = relay.connect()) {
        assertThat(four.send(get("4")).reply().status()).isEqualTo(200);
      }
      assertThat(relay.rejections)
          .extracting(Rejection::code)
          .containsExactly("address_connections");
    }
  }

  @Test
  void O1_drain_finishesWhatIsInFlight_closesWhatIsIdle_andAcceptsNoMore() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        RawClient busy = relay.connect();
        RawClient half = relay.connect();
        RawClient idle = relay.connect()) {
      int port = busy.socket().getPort();
      busy.send(get("busy"));
      half.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe");
      await().until(() -> waiting.size() == 1 && relay.opened.get() == 3);
      CompletableFuture<Integer> drained = relay.listener().drain(Duration.ofSeconds(20));
      assertThat(idle.replyOrEnd()).isEqualTo(Optional.empty());
      assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(IOException.class);
      assertThat(drained).isNotDone();
      half.send("llo");
      await().until(() -> waiting.size() == 2);
      for (ServerCall exchange : waiting) {
        exchange.loop().execute(() -> exchange.respond(TestRelay.text(200, "ok"), false));
      }
      assertThat(busy.reply().closes()).isTrue();
      assertThat(half.reply().closes()).isTrue();
      busy.finish();
      half.finish();
      assertThat(drained).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(0);
    }
  }

  @Test
  void O1_drain_cutsWhatIsLeftAfterTheGrace() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        RawClient busy = relay.connect()) {
      busy.send(get("busy"));
      await().until(() -> waiting.size() == 1);
      assertThat(relay.listener().drain(Duration.ofMillis(200)))
          .succeedsWithin(Duration.ofSeconds(60))
          .isEqualTo(1);
      assertThat(busy.replyOrEnd()).isEqualTo(Optional.empty());
      assertThat(relay.aborted.get()).isEqualTo(1);
    } catch (SocketException e) {
      throw new AssertionError("a drained connection ends in order", e);
    }
  }

  @Test
  void handlerThatThrows_costsOneConnection_not_theProcess() throws IOException {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              if (request.target().equals("/bug")) {
                throw new IllegalStateException("a bug");
              }
              exchange.respond(TestRelay.text(200, "ok"), false);
            });
        RawClient client = relay.connect();
        RawClient other = relay.connect()) {
      assertThat(client.send(get("bug")).reply().status()).isEqualTo(500);
      assertThat(client.rest()).isEmpty();
      assertThat(other.send(get("x")).reply().body()).isEqualTo("ok");
    }
  }
}
