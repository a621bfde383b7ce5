package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.net.RequestMemory;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How much of the bodies of requests is held at a time, and what becomes of the rest. */
@ExtendWith(LeakCheck.class)
class RequestMemoryTest {
  private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

  /** Answers when the test says so. */
  private void later(ServerCall exchange, WholeRequest request) {
    answers.add(() -> exchange.loop().execute(() -> TestRelay.echo(exchange, request)));
  }

  private static Timeouts quick(int headerMs) {
    return new Timeouts(headerMs, 5000, 5000, 1000, 5000, 5000, 5000);
  }

  private static String post(int bytes) {
    return "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: "
        + bytes
        + "\r\n\r\n"
        + "x".repeat(bytes);
  }

  private static String chunked(int bytes) {
    return "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + Integer.toHexString(bytes)
        + "\r\n"
        + "x".repeat(bytes)
        + "\r\n0\r\n\r\n";
  }

  @Test
  void requestsThatDoNotFit_waitInOrder_andEachIsAnswered() throws IOException {
    var memory = new RequestMemory(50_000);
    List<RawClient> clients = new ArrayList<>();
    try (TestRelay relay = TestRelay.answering(memory, TestRelay.PATIENT, this::later)) {
      for (int i = 0; i < 6; i++) {
        int before = i;
        clients.add(relay.connect().send(i % 2 == 0 ? post(20_000) : chunked(20_000)));
        await().until(() -> answers.size() == Math.min(2, before + 1));
      }
      assertThat(memory.used()).isBetween(40_000L, 50_000L);
      for (int i = 0; i < 6; i++) {
        await().until(() -> !answers.isEmpty());
        answers.remove().run();
        assertThat(clients.get(i).reply().body()).isEqualTo("/p 20000");
        assertThat(memory.used()).isLessThanOrEqualTo(50_000);
      }
      await().until(() -> memory.used() == 0);
      clients.getFirst().send(post(10));
      await().until(() -> !answers.isEmpty());
      answers.remove().run();
      assertThat(clients.getFirst().reply().status()).as("the connection goes on").isEqualTo(200);
      assertThat(relay.rejections).isEmpty();
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void requestWithoutABody_neverWaits() throws IOException {
    try (TestRelay relay =
            TestRelay.answering(new RequestMemory(1000), TestRelay.PATIENT, this::later);
        RawClient large = relay.connect().send(post(1000));
        RawClient small = relay.connect().send("GET /g HTTP/1.1\r\nHost: a\r\n\r\n")) {
      await().until(() -> answers.size() == 2);
      answers.forEach(Runnable::run);
      assertThat(small.reply().body()).isEqualTo("/g 0");
      assertThat(large.reply().status()).isEqualTo(200);
    }
  }

  @Test
  void W09_longHeadsUnderWay_areBounded_andKeepNoBodyWaiting() throws IOException {
    var memory = new RequestMemory(20_000);
    String half = "GET /h HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(12_000);
    try (TestRelay relay = TestRelay.answering(HttpMessageLimits.DEFAULT, memory, TestRelay::echo);
        RawClient slow = relay.connect().send(half)) {
      await().until(() -> status(relay, half) == 503);
      assertThat(status(relay, post(1000))).as("a body").isEqualTo(200);
      assertThat(status(relay, "GET /s HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo(200);
      slow.send("\r\n\r\n");
      assertThat(slow.reply().body()).isEqualTo("/h 0");
      await().until(() -> memory.used() == 0);
      RawClient left = relay.connect().send(half);
      await().until(() -> status(relay, half) == 503);
      left.reset();
      await().until(() -> status(relay, half) == 200);
    }
  }

  /** The status of the answer to a request that comes in two pieces, if it is not whole. */
  private static int status(TestRelay relay, String request) throws IOException {
    try (RawClient client = relay.connect().send(request)) {
      if (!request.contains("\r\n\r\n")) {
        // The relay has one loop, and has read the first piece once it has answered others.
        for (int i = 0; i < 2; i++) {
          assertThat(status(relay, "GET /s HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo(200);
        }
        client.send("\r\n\r\n");
      }
      return client.reply().status();
    }
  }

  @Test
  void bodyLargerThanEverything_isLetInAlone() throws IOException {
    var memory = new RequestMemory(1000);
    try (TestRelay relay = TestRelay.answering(memory, TestRelay.PATIENT, TestRelay::echo);
        RawClient client = relay.connect().send(post(90_000))) {
      assertThat(client.reply().body()).isEqualTo("/p 90000");
      await().until(() -> memory.used() == 0);
    }
  }

  @Test
  void whoWaitsTooLong_isRefusedWithAStableCode_andWhoLeavesGivesHisPlaceUp() throws Exception {
    var memory = new RequestMemory(1000);
    try (TestRelay relay = TestRelay.answering(memory, quick(300), this::later);
        RawClient holds = relay.connect().send(post(900));
        RawClient refused = relay.connect()) {
      await().until(() -> answers.size() == 1);
      refused.send(post(500));
      RawClient.Reply reply = refused.reply();
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.body()).isEqualTo("request_memory");
      await().until(() -> !somebodyWaits(memory));
      RawClient leaves = relay.connect().send(post(500));
      await().until(() -> somebodyWaits(memory)); // a reset before that would throw its bytes away
      leaves.reset();
      await().until(() -> !somebodyWaits(memory));
      answers.remove().run();
      assertThat(holds.reply().status()).isEqualTo(200);
      holds.send(post(1000));
      await().until(() -> answers.size() == 1);
      answers.remove().run();
      assertThat(holds.reply().status()).isEqualTo(200);
      await().until(() -> memory.used() == 0);
    }
  }

  /** True if somebody is in the queue now; those who found no room a moment ago do not count. */
  private static boolean somebodyWaits(RequestMemory memory) {
    return memory.isWanted(Long.MAX_VALUE / 2);
  }

  @Test
  void connectionCutInTheMiddleOfABody_givesItsMemoryBack() throws IOException {
    var memory = new RequestMemory(1000);
    try (TestRelay relay = TestRelay.answering(memory, TestRelay.PATIENT, this::later)) {
      RawClient half = relay.connect().send(post(900).substring(0, 300));
      await().until(() -> memory.used() == 900);
      half.reset();
      await().until(() -> memory.used() == 0);
      try (RawClient next = relay.connect().send(post(900))) {
        await().until(() -> answers.size() == 1);
        answers.remove().run();
        assertThat(next.reply().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void announcedBodyThatDoesNotCome_isGivenUpOnceOthersWantItsMemory() throws IOException {
    var memory = new RequestMemory(1000);
    var timeouts = new Timeouts(4000, 30_000, 5000, 1000, 5000, 5000, 5000);
    try (TestRelay relay = TestRelay.answering(memory, timeouts, TestRelay::echo);
        RawClient silent = relay.connect().send(post(900).substring(0, 300))) {
      await().until(() -> memory.used() == 900);
      try (RawClient other = relay.connect().send(post(500))) {
        assertThat(other.reply().body()).isEqualTo("/p 500");
      }
      RawClient.Reply reply = silent.reply();
      assertThat(reply.status()).isEqualTo(408);
      assertThat(reply.body()).isEqualTo("body_timeout");
      await().until(() -> memory.used() == 0);
    }
  }

  @Test
  void anyCourse_staysWithinTheBound_andLetsEverybodyInAtLast() {
    for (int seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      var memory = new RequestMemory(1000);
      List<Long> held = new ArrayList<>();
      List<RequestMemory.Place> places = new ArrayList<>();
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        if (random.nextInt(3) > 0) {
          long bytes = 1L + random.nextInt(400);
          int number = i;
          if (memory.take(bytes)) {
            held.add(bytes);
          } else {
            places.add(
                memory.await(
                    bytes,
                    Runnable::run,
                    () -> {
                      held.add(bytes);
                      order.add(number);
                    }));
          }
        } else if (!held.isEmpty()) {
          memory.letGo(held.remove(random.nextInt(held.size())));
        }
        assertThat(memory.used()).isLessThanOrEqualTo(1000);
      }
      while (!held.isEmpty()) {
        memory.letGo(held.removeFirst());
      }
      assertThat(memory.used()).isZero();
      assertThat(order).hasSameSizeAs(places).isSorted();
    }
  }

  @Test
  void placeThatIsGivenUp_blocksNobody() {
    var memory = new RequestMemory(100);
    assertThat(memory.take(60)).isTrue();
    List<String> granted = new ArrayList<>();
    RequestMemory.Place large = memory.await(90, Runnable::run, () -> granted.add("large"));
    assertThat(memory.take(1)).as("nobody overtakes").isFalse();
    RequestMemory.Place small = memory.await(40, Runnable::run, () -> granted.add("small"));
    memory.leave(large);
    assertThat(granted).containsExactly("small");
    memory.leave(small);
    memory.letGo(60);
    assertThat(memory.used()).isZero();
  }

  @Test
  void noMemoryAtAll_isRefused() {
    assertThatThrownBy(() -> new RequestMemory(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
