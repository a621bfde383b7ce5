package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A sidecar that is killed while it puts messages into the review queue. */
@Tag("kill")
class KillIT {
  private static final long SEED = 20_260_601;
  private static final int ROUNDS = 3;
  private static final int CLIENTS = 8;

  /** The kill comes at a random moment up to this long after the first escalation. */
  private static final int LATEST_KILL_MS = 600;

  @TempDir Path folder = Path.of("");

  @Test
  void killedAtAnyMoment_theQueueHoldsEveryMessageThatACallerWasToldOf() throws Exception {
    Random random = new Random(SEED);
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    AtomicInteger questions = new AtomicInteger();
    try (StubAgent agent =
        new StubAgent(
            asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a", A2a.INVENTED)))) {
      String[] sections = {LocalSidecar.inboundTo(agent.port()), "review:\n  capacity: 100000\n"};
      for (int round = 0; round < ROUNDS; round++) {
        int before = acknowledged.size();
        try (ChildSidecar sidecar = ChildSidecar.start(folder, "node", sections)) {
          holdsAll(sidecar, acknowledged);
          sendUntilKilled(sidecar, questions, acknowledged, random.nextInt(LATEST_KILL_MS));
        }
        assertThat(acknowledged.size()).as("escalations of round %d", round).isGreaterThan(before);
      }
      try (ChildSidecar sidecar = ChildSidecar.start(folder, "node", sections)) {
        holdsAll(sidecar, acknowledged);
        assertThat(acknowledged).doesNotHaveDuplicates();
        assertThat(sidecar.admin().sum("parlance_review_queue_depth"))
            .isGreaterThanOrEqualTo(acknowledged.size());
      }
    }
  }

  private static void holdsAll(ChildSidecar sidecar, Queue<String> acknowledged) throws Exception {
    for (String id : new ArrayList<>(acknowledged)) {
      HttpResponse<String> item = sidecar.admin().get("/review/" + id);
      assertThat(item.statusCode()).as("held message %s", id).isEqualTo(200);
      JsonNode held = A2a.JSON.readTree(item.body());
      assertThat(held.path("state").asString("")).isEqualTo("pending");
      assertThat(held.path("answer").asString("")).isEqualTo(A2a.INVENTED);
    }
  }

  private static void sendUntilKilled(
      ChildSidecar sidecar, AtomicInteger questions, Queue<String> acknowledged, int killAfterMs)
      throws Exception {
    CountDownLatch first = new CountDownLatch(CLIENTS);
    List<Future<?>> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < CLIENTS; i++) {
          clients.add(
              threads.submit(() -> send(sidecar.inbound(), questions, acknowledged, first)));
        }
        assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(killAfterMs));
      } finally {
        sidecar.kill();
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  /** Sends until the connection breaks; what was not answered was not acknowledged. */
  private static void send(
      int port, AtomicInteger questions, Queue<String> acknowledged, CountDownLatch first) {
    try (RawHttp client = new RawHttp(port)) {
      while (true) {
        String question = "Question " + questions.incrementAndGet() + " of many?";
        HttpBytes reply = client.send(A2a.post(A2a.ask("1", question, question))).reply();
        assertThat(A2a.state(reply)).isEqualTo("TASK_STATE_WORKING");
        assertThat(A2a.reviewId(reply)).isNotEmpty();
        acknowledged.add(A2a.reviewId(reply));
        first.countDown();
      }
    } catch (IOException killed) {
      first.countDown();
    }
  }
}
