package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.FlushCoalescer;
import dev.parlance.relay.server.HttpListener;
import dev.parlance.service.testing.LeakCheck;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What waits for the end of a round of the loop arrives, whatever else happens in that round. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings(
    "StringConcatToTextBlock") // A text block cannot show CRLF, which is the point here.
class FlushInRelayTest {
  private static final int CLIENTS = 40;

  private static String get(String name) {
    return "GET /" + name + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  private static String post(String body) {
    return "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  /** Lets requests come while the loop is busy, so that it finds all of them in one round. */
  private static CountDownLatch hold(EventLoop loop) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    loop.execute(() -> {
      held.countDown();
      awaitQuietly(go);
    });
    assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
    return go;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody lets the loop go on");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void manyRequestsOfOneRound_areAllAnswered_roundAfterRound() throws Exception {
    try (TestRelay relay = TestRelay.answering(TestRelay::echo)) {
      List<RawClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < CLIENTS; i++) {
          clients.add(relay.connect());
        }
        for (int round = 0; round < 5; round++) {
          CountDownLatch go = hold(relay.loop());
          for (RawClient client : clients) {
            client.send(get("r" + round) + get("s" + round));
          }
          go.countDown();
          for (RawClient client : clients) {
            assertThat(client.reply().body()).isEqualTo("/r" + round + " 0");
            assertThat(client.reply().body()).isEqualTo("/s" + round + " 0");
          }
        }
      } finally {
        for (RawClient client : clients) {
          client.close();
        }
      }
    }
  }

  @Test
  void longAndShortMessages_manyAtOnce_areAllAnsweredInOrder() throws Exception {
    int[] sizes = {1, 300, 5_000, FlushCoalescer.LONG_BODY_BYTES, 60_000};
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              for (String asked = self.read(socket); !asked.isEmpty(); asked = self.read(socket)) {
                FakeOrigin.say(
                    socket, FakeOrigin.ok(asked.substring(asked.indexOf("\r\n\r\n") + 4)));
              }
            });
        TestRelay relay = TestRelay.to(origin);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        Random random = new Random(i);
        clients.add(
            threads.submit(() -> {
              int right = 0;
              try (RawClient client = relay.connect()) {
                for (int turn = 0; turn < 10; turn++) {
                  List<String> bodies = new ArrayList<>();
                  int depth = 1 + random.nextInt(3);
                  for (int k = 0; k < depth; k++) {
                    char letter = (char) ('a' + random.nextInt(26));
                    bodies.add(
                        Character.toString(letter).repeat(sizes[random.nextInt(sizes.length)]));
                  }
                  for (String body : bodies) {
                    client.send(post(body));
                  }
                  for (String body : bodies) {
                    assertThat(client.reply().body()).isEqualTo(body);
                    right++;
                  }
                }
              }
              return right;
            }));
      }
      for (Future<Integer> client : clients) {
        assertThat(client.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(10);
      }
    }
  }

  @Test
  void answersGivenOutsideARoundOfTheSockets_arrive() throws Exception {
    Queue<ServerCall> waiting = new ConcurrentLinkedQueue<>();
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              request.body().release();
              waiting.add(exchange);
            });
        RawClient one = relay.connect();
        RawClient two = relay.connect();
        RawClient three = relay.connect()) {
      List<RawClient> clients = List.of(one, two, three);
      for (RawClient client : clients) {
        client.send(get("x"));
      }
      await().until(() -> waiting.size() == 3);
      waiting
          .element()
          .loop()
          .schedule(
              () -> waiting.forEach(each -> each.respond(TestRelay.text(200, "late"), false)),
              20,
              TimeUnit.MILLISECONDS)
          .sync();
      for (RawClient client : clients) {
        assertThat(client.reply().body()).isEqualTo("late");
      }
    }
  }

  @Test
  void handlerThatThrowsBehindItsAnswers_doesNotKeepThem() throws Exception {
    try (TestRelay relay =
            TestRelay.answering((exchange, request) -> {
              TestRelay.echo(exchange, request);
              throw new IllegalStateException("a bug");
            });
        RawClient one = relay.connect();
        RawClient two = relay.connect()) {
      CountDownLatch go = hold(relay.loop());
      one.send(get("one"));
      two.send(get("two"));
      go.countDown();
      assertThat(one.reply().body()).isEqualTo("/one 0");
      assertThat(two.reply().body()).isEqualTo("/two 0");
    }
  }

  /** Answers later, on the loops that it is given. */
  private static final class Waiting implements ExchangeHandler {
    final Queue<ServerCall> exchanges = new ConcurrentLinkedQueue<>();

    @Override
    public void onRequest(ServerCall exchange, WholeRequest request) {
      request.body().release();
      exchanges.add(exchange);
    }

    @Override
    public WholeResponse onRejected(Rejection rejection) {
      return TestRelay.text(rejection.status(), rejection.code());
    }
  }

  private static HttpListener listener(EventLoops loops, ExchangeHandler handler) {
    return new HttpListener(loops, TestRelay.LIMITS, TestRelay.PATIENT, handler, RelayEvents.NOOP);
  }

  @Test
  void connectionThatIsCutInTheRound_takesItsAnswerAlong() throws Exception {
    Waiting handler = new Waiting();
    List<RawClient> clients = new ArrayList<>();
    try (EventLoops loops = EventLoops.start(2);
        HttpListener listener = listener(loops, handler)) {
      int port = listener.bind("127.0.0.1", 0);
      for (int i = 0; i < 8; i++) {
        clients.add(new RawClient(port).send(get("x")));
      }
      await().until(() -> handler.exchanges.size() == 8);
      EventLoop held = handler.exchanges.element().loop();
      List<ServerCall> here =
          handler.exchanges.stream().filter(each -> each.loop().equals(held)).toList();
      CountDownLatch go = hold(held);
      held.execute(() -> here.forEach(each -> each.respond(TestRelay.text(200, "ok"), false)));
      // Two timers, one on each loop: that of the free one cuts before the round ends.
      CompletableFuture<Integer> drained = listener.drain(Duration.ofMillis(1));
      assertThat(listener.drain(Duration.ofMillis(1))).isNotDone();
      await()
          .until(() -> held instanceof SingleThreadEventLoop l && l.pendingTasks() > here.size());
      go.countDown();
      assertThat(drained).succeedsWithin(Duration.ofSeconds(60));
      int answered = 0;
      for (RawClient client : clients) {
        answered +=
            client.replyOrEnd().map(reply -> reply.body().equals("ok")).orElse(false) ? 1 : 0;
      }
      assertThat(answered).isEqualTo(here.size()).isGreaterThan(1);
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void loopThatEndsInTheRound_takesTheAnswersAlong() throws Exception {
    EventLoops loops = EventLoops.start(1);
    Thread ending = Thread.ofPlatform().unstarted(loops::close);
    Queue<EventLoop> seen = new ConcurrentLinkedQueue<>();
    ExchangeHandler handler =
        new ExchangeHandler() {
          @Override
          public void onRequest(ServerCall exchange, WholeRequest request) {
            seen.add(exchange.loop());
            TestRelay.echo(exchange, request);
            if (request.target().equals("/last")) {
              ending.start();
              await()
                  .pollInSameThread()
                  .until(() ->
                      ending.getState() == Thread.State.WAITING
                          || ending.getState() == Thread.State.TIMED_WAITING
                          || loops.group().isShuttingDown());
            }
          }

          @Override
          public WholeResponse onRejected(Rejection rejection) {
            return TestRelay.text(rejection.status(), rejection.code());
          }
        };
    int port = listener(loops, handler).bind("127.0.0.1", 0);
    try (RawClient one = new RawClient(port);
        RawClient two = new RawClient(port)) {
      one.send(get("first")).reply();
      two.send(get("first")).reply();
      CountDownLatch go = hold(seen.element());
      one.send(get("one"));
      two.send(get("last"));
      go.countDown();
      assertThat(one.reply().body()).isEqualTo("/one 0");
      assertThat(two.reply().body()).isEqualTo("/last 0");
      ending.join(TimeUnit.SECONDS.toMillis(10));
      assertThat(loops.group().isTerminated()).isTrue();
    } finally {
      loops.close();
    }
  }

  /**
   * An origin with one kept connection. What it does to it comes behind a request that waits for
   * the end of the round, because somebody else was answered in it before.
   */
  private static void whileARequestWaits(FakeOrigin.Script meanwhile) throws Exception {
    try (FakeOrigin origin = FakeOrigin.always(FakeOrigin.ok("good"));
        TestRelay relay = TestRelay.to(origin);
        RawClient other = relay.connect();
        RawClient client = relay.connect()) {
      client.send(get("warm")).reply();
      CountDownLatch go = hold(relay.loop());
      other.send("nonsense\r\n\r\n");
      client.send(post("hello"));
      for (Socket socket : origin.sockets()) {
        meanwhile.run(origin, socket);
      }
      go.countDown();
      assertThat(other.reply().status()).isEqualTo(400);
      RawClient.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("good");
      assertThat(origin.requests()).hasSize(2);
      assertThat(origin.connections()).isEqualTo(2);
    }
  }

  @Test
  void requestThatWaits_isSentElsewhere_ifItsKeptConnectionEnds() throws Exception {
    whileARequestWaits((_, socket) -> socket.close());
  }

  @Test
  void requestThatWaits_isNotAnsweredByWhatTheOriginSaidBefore() throws Exception {
    whileARequestWaits((_, socket) -> FakeOrigin.say(socket, FakeOrigin.ok("nobody asked")));
  }
}
