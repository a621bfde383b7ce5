package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.net.RequestMemory;
import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class H2ServerTest {
  private static H2RawClient connect(TestRelay relay) throws IOException {
    return H2RawClient.connect(relay.port());
  }

  @Test
  void request_isAnswered_asOnHttp1() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(1, false, H2RawClient.request("POST", "/p?q=1", "x-a", "b"));
      client.data(1, true, "hello");
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("/p?q=1 5");
      assertThat(reply.headers()).containsEntry("content-type", "text/plain");
      assertThat(reply.headers()).containsEntry("content-length", "8").containsKey("date");
      TestRelay.Seen seen = relay.seen.getFirst();
      assertThat(seen.method()).isEqualTo("POST");
      assertThat(seen.authority()).isEqualTo("agent.test");
      assertThat(seen.body()).isEqualTo("hello");
      assertThat(seen.headers().get("x-a")).isEqualTo("b");
    }
  }

  private static H2RawClient longHead(H2RawClient client, int stream, int valueBytes)
      throws IOException {
    byte[] block =
        H2RawClient.block(
            H2RawClient.request("GET", "/x", "authorization", "e".repeat(valueBytes)));
    for (int at = 0; at < block.length; at += 16_384) {
      int to = Math.min(block.length, at + 16_384);
      client.frame(
          at == 0 ? H2RawClient.HEADERS : H2RawClient.CONTINUATION,
          (at == 0 ? H2RawClient.END_STREAM : 0)
              | (to == block.length ? H2RawClient.END_HEADERS : 0),
          stream,
          Arrays.copyOfRange(block, at, to));
    }
    return client;
  }

  @Test
  void W09_headUpToTheLimit_isRead_andPastItAnswered431() throws IOException {
    var memory = new RequestMemory(1 << 20);
    try (TestRelay relay = TestRelay.answering(HttpMessageLimits.DEFAULT, memory, TestRelay::echo);
        H2RawClient client = H2RawClient.connect(relay.port())) {
      assertThat(longHead(client, 1, 60 * 1024).reply(1).body()).isEqualTo("/x 0");
      assertThat(relay.seen.getFirst().headers().get("authorization")).hasSize(60 * 1024);
      assertThat(longHead(client, 3, 70 * 1024).reply(3).status()).isEqualTo(431);
      client.get(5, "/ok");
      assertThat(client.reply(5).body()).isEqualTo("/ok 0");
      await().until(() -> memory.used() == 0);
    }
  }

  @Test
  void headFarPastTheLimit_costsItsOwnStreamAlone_andOneWithoutEndTheConnection()
      throws IOException {
    var memory = new RequestMemory(1 << 20);
    try (TestRelay relay = TestRelay.answering(HttpMessageLimits.DEFAULT, memory, TestRelay::echo);
        H2RawClient client = H2RawClient.connect(relay.port())) {
      client.headers(1, false, H2RawClient.request("POST", "/open"));
      assertThat(longHead(client, 3, 100 * 1024).reply(3).status()).isEqualTo(431);
      assertThat(longHead(client, 5, 250 * 1024).reply(5).status()).isEqualTo(431);
      client.data(1, true, "hello");
      assertThat(client.reply(1).body()).isEqualTo("/open 5");
      await().until(() -> memory.used() == 0);

      longHead(client, 7, 300 * 1024);
      client.await(frame -> frame.type() == H2RawClient.GOAWAY);
      await().until(() -> memory.used() == 0);
    }
  }

  @Test
  void prefaceByteAfterByte_isRecognised() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        H2RawClient client = H2RawClient.silent(relay.port())) {
      for (byte b : H2RawClient.PREFACE.getBytes(US_ASCII)) {
        client.raw(new byte[] {b});
      }
      for (byte b : H2RawClient.bytes(H2RawClient.SETTINGS, 0, 0, new byte[0])) {
        client.raw(new byte[] {b});
      }
      client.get(1, "/x");
      assertThat(client.reply(1).body()).isEqualTo("/x 0");
    }
  }

  @Test
  void http1_onTheSamePort_isUntouched() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.trickle("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nz");
      assertThat(client.reply().body()).isEqualTo("/x 1");
      client.send("PRI * HTTP/2.0\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(505);
    }
  }

  @Test
  void G17_prefaceThatBreaksOff_isReadAsHttp1_andRefused() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(505);
      assertThat(relay.seen).isEmpty();
    }
  }

  @Test
  void whatIsNoHttp_isClosedWithoutAnAnswer() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("INVALID CONNECTION PREFACE\r\n\r\n");
      assertThatThrownBy(client::reply).hasMessage("closed before a response");
      assertThat(relay.seen).isEmpty();
    }
  }

  @Test
  void partialPreface_endsWithTheHeaderTime() throws IOException {
    Timeouts timeouts = new Timeouts(150, 8000, 8000, 2000, 8000, 8000, 8000);
    try (TestRelay relay = TestRelay.answering(TestRelay.LIMITS, timeouts, TestRelay::echo);
        RawClient client = relay.connect()) {
      client.send("PRI * HTT");
      assertThat(client.reply().status()).isEqualTo(408);
    }
  }

  @Test
  void severalStreams_areAnsweredInAnyOrder() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        H2RawClient client = connect(relay)) {
      client.get(1, "/1").get(3, "/3");
      await().until(() -> waiting.size() == 2);
      ServerCall first = waiting.remove();
      ServerCall second = waiting.remove();
      assertThat(first.protocol()).isEqualTo(HttpProtocol.HTTP2);
      first
          .loop()
          .execute(() -> {
            second.respond(TestRelay.text(200, "three"), false);
            first.respond(TestRelay.text(201, "one"), false);
          });
      assertThat(client.reply(3).body()).isEqualTo("three");
      assertThat(client.reply(1).status()).isEqualTo(201);
    }
  }

  @Test
  void streamedResponse_withTrailers_arrivesPieceByPiece() throws IOException {
    CompletableFuture<ResponseStream> begun = new CompletableFuture<>();
    CompletableFuture<ServerCall> exchanges = new CompletableFuture<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              HttpHeaders headers = new DefaultHttpHeaders();
              headers.set("Content-Type", "application/grpc");
              begun.complete(exchange.begin(200, headers));
              exchanges.complete(exchange);
            });
        H2RawClient client = connect(relay)) {
      client.post(1, "/s", "x");
      ResponseStream stream = begun.join();
      exchanges.join().loop().execute(() -> stream.write(TestRelay.buffer("first")));
      H2RawClient.Frame piece = client.await(frame -> frame.type() == H2RawClient.DATA);
      assertThat(new String(piece.payload(), US_ASCII)).isEqualTo("first");
      HttpHeaders trailers = new DefaultHttpHeaders();
      trailers.set("grpc-status", "0");
      exchanges
          .join()
          .loop()
          .execute(() -> {
            stream.write(TestRelay.buffer("second"));
            stream.end(trailers);
          });
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.body()).isEqualTo("second");
      assertThat(reply.trailers()).containsEntry("grpc-status", "0");
      assertThat(reply.reset()).isEmpty();
    }
  }

  @Test
  void abortedStream_isReset_andTheConnectionStays() throws IOException {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              if (request.target().equals("/ok")) {
                TestRelay.echo(exchange, request);
                return;
              }
              request.body().release();
              ResponseStream stream = exchange.begin(200, EmptyHttpHeaders.INSTANCE);
              stream.write(TestRelay.buffer("half"));
              stream.abort();
              stream.write(TestRelay.buffer("never"));
              stream.end(EmptyHttpHeaders.INSTANCE);
            });
        H2RawClient client = connect(relay)) {
      client.get(1, "/s");
      assertThat(client.reply(1).reset()).contains(Http2Error.INTERNAL_ERROR);
      client.get(3, "/ok");
      assertThat(client.reply(3).body()).isEqualTo("/ok 0");
      assertThat(relay.aborted).hasValue(0);
    }
  }

  @Test
  void wholeResponse_withTrailers_andEmptyBody_isTwoBlocks() throws IOException {
    HttpHeaders trailers = new DefaultHttpHeaders();
    trailers.set("grpc-status", "5");
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              exchange.respond(
                  new WholeResponse(200, new DefaultHttpHeaders(), TestRelay.buffer(""), trailers),
                  false);
            });
        H2RawClient client = connect(relay)) {
      client.get(1, "/s");
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.trailers()).containsEntry("grpc-status", "5");
    }
  }

  @Test
  void clientReset_callsTheExchangeOff() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        H2RawClient client = connect(relay)) {
      client.get(1, "/1");
      await().until(() -> !waiting.isEmpty());
      client.reset(1, Http2Error.CANCEL);
      await().until(() -> relay.aborted.get() == 1);
      ServerCall exchange = waiting.remove();
      exchange
          .loop()
          .submit(() -> {
            assertThat(exchange.isOpen()).isFalse();
            exchange.respond(TestRelay.text(200, "late"), false);
          })
          .syncUninterruptibly();
    }
  }

  @Test
  void connectionLoss_callsEveryExchangeOff() throws IOException {
    try (TestRelay relay = TestRelay.answering((_, request) -> request.body().release())) {
      try (H2RawClient client = connect(relay)) {
        client.get(1, "/1").get(3, "/3").get(5, "/5");
        await().until(() -> relay.seen.size() == 3);
      }
      await().until(() -> relay.aborted.get() == 3);
      await().until(() -> relay.closed.get() == 1);
      assertThat(relay.listener().connections()).isZero();
    }
  }

  @Test
  void bodyOverTheLimit_isAnswered413_andTheConnectionStays() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(1, false, H2RawClient.request("POST", "/big"));
      String piece = "x".repeat(16_384);
      for (int i = 0; i < 8; i++) {
        client.data(1, false, piece);
      }
      assertThat(client.reply(1).status()).isEqualTo(413);
      for (int i = 0; i < 8; i++) {
        client.data(1, false, piece);
      }
      client.post(3, "/ok", "y");
      assertThat(client.reply(3).body()).isEqualTo("/ok 1");
      assertThat(relay.rejections.getFirst().code()).isEqualTo("body_too_large");
    }
  }

  @Test
  void rejectionOfAGrpcRequest_isAGrpcStatus() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(
          1,
          false,
          H2RawClient.request(
              "POST", "/a.B/C", "content-type", "application/grpc", "content-length", "200000"));
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.headers()).containsEntry("grpc-status", "8");
      assertThat(reply.headers().get("grpc-message")).startsWith("body_too_large");
    }
  }

  @Test
  void bytesOfAllRequestsTogether_areBounded() throws IOException {
    HttpMessageLimits limits = new HttpMessageLimits(1024, 2048, 100_000, 100, 64, 64, 100, 60_000);
    try (TestRelay relay = TestRelay.answering(limits, TestRelay.PATIENT, TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(1, false, H2RawClient.request("POST", "/1"));
      client.headers(3, false, H2RawClient.request("POST", "/3"));
      client.data(1, false, "x".repeat(40_000));
      client.data(3, false, "y".repeat(30_000));
      assertThat(client.reply(3).status()).isEqualTo(503);
      client.data(1, true, "x");
      assertThat(client.reply(1).body()).isEqualTo("/1 40001");
      client.post(5, "/5", "z".repeat(30_000));
      assertThat(client.reply(5).body()).isEqualTo("/5 30000");
    }
  }

  @Test
  void bodyThatPauses_isAnswered408() throws IOException {
    Timeouts timeouts = new Timeouts(8000, 100, 8000, 2000, 8000, 8000, 8000);
    try (TestRelay relay = TestRelay.answering(TestRelay.LIMITS, timeouts, TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(1, false, H2RawClient.request("POST", "/slow"));
      client.data(1, false, "x");
      assertThat(client.reply(1).status()).isEqualTo(408);
      client.get(3, "/ok");
      assertThat(client.reply(3).body()).isEqualTo("/ok 0");
    }
  }

  @Test
  void headerBlockThatPauses_endsTheConnection() throws IOException {
    Timeouts timeouts = new Timeouts(150, 8000, 8000, 2000, 8000, 8000, 8000);
    try (TestRelay relay = TestRelay.answering(TestRelay.LIMITS, timeouts, TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.frame(H2RawClient.HEADERS, 0, 1, H2RawClient.block(H2RawClient.request("GET", "/x")));
      client.await(frame -> frame.type() == H2RawClient.GOAWAY);
      assertThat(relay.rejections).extracting(Rejection::code).containsExactly("header_timeout");
    }
  }

  @Test
  void idleConnection_isToldGoAway_andClosed() throws IOException {
    Timeouts timeouts = new Timeouts(8000, 8000, 150, 2000, 8000, 8000, 8000);
    try (TestRelay relay = TestRelay.answering(TestRelay.LIMITS, timeouts, TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.get(1, "/x");
      assertThat(client.reply(1).status()).isEqualTo(200);
      H2RawClient.Frame goAway = client.await(frame -> frame.type() == H2RawClient.GOAWAY);
      assertThat(goAway.error()).isEqualTo(Http2Error.NO_ERROR);
      assertThat(goAway.lastStream()).isEqualTo(1);
      assertThat(client.next()).isEqualTo(Optional.empty());
    }
  }

  @Test
  void streamThatIsNotTaken_isReset_andOthersGoOn() throws IOException {
    Timeouts timeouts = new Timeouts(8000, 8000, 8000, 2000, 8000, 200, 8000);
    try (TestRelay relay =
            TestRelay.answering(
                TestRelay.LIMITS,
                timeouts,
                (exchange, request) -> {
                  request.body().release();
                  exchange.respond(TestRelay.text(200, "0123456789"), false);
                });
        H2RawClient client = H2RawClient.connect(relay.port(), H2RawClient.setting(4, 5))) {
      client.withholdWindows().get(1, "/x");
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("01234");
      assertThat(reply.reset()).contains(Http2Error.CANCEL);
      client.get(3, "/x");
      client.window(3, 5);
      assertThat(client.reply(3).body()).isEqualTo("0123456789");
    }
  }

  @Test
  void O1_drain_saysGoAwayTwice_andFinishesWhatIsOpen() throws IOException {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        H2RawClient client = connect(relay)) {
      client.get(1, "/1");
      await().until(() -> waiting.size() == 1);
      CompletableFuture<Integer> drained = relay.listener().drain(Duration.ofSeconds(8));
      H2RawClient.Frame notice = client.await(frame -> frame.type() == H2RawClient.GOAWAY);
      assertThat(notice.lastStream()).isEqualTo(Integer.MAX_VALUE);
      // Under way before the client had read the notice: still served.
      client.get(3, "/3");
      await().until(() -> waiting.size() == 2);
      H2RawClient.Frame last = client.await(frame -> frame.type() == H2RawClient.GOAWAY);
      assertThat(last.lastStream()).isEqualTo(3);
      for (ServerCall exchange : waiting) {
        exchange.loop().execute(() -> exchange.respond(TestRelay.text(200, "done"), false));
      }
      assertThat(client.reply(1).body()).isEqualTo("done");
      assertThat(client.reply(3).body()).isEqualTo("done");
      assertThat(client.next()).isEqualTo(Optional.empty());
      client.socket().close();
      assertThat(drained.join()).isZero();
    }
  }

  @Test
  void expectation_isMetWithAnInterimResponse() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(1, false, H2RawClient.request("POST", "/e", "expect", "100-continue"));
      H2RawClient.Frame interim = client.await(frame -> frame.type() == H2RawClient.HEADERS);
      assertThat(client.decode(interim)).containsEntry(":status", "100");
      client.data(1, true, "abc");
      assertThat(client.reply(1).body()).isEqualTo("/e 3");
    }
  }

  @Test
  void responseToHead_hasNoBody() throws IOException {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo);
        H2RawClient client = connect(relay)) {
      client.headers(1, true, H2RawClient.request("HEAD", "/h"));
      H2RawClient.Reply reply = client.reply(1);
      assertThat(reply.body()).isEmpty();
      assertThat(reply.headers()).containsEntry("content-length", "4");
    }
  }
}
