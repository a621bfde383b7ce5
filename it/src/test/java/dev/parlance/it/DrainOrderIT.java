package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an agent and its callers see of a sidecar that stops. */
@ExtendWith(LeakCheck.class)
class DrainOrderIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder = Path.of("");

  @Test
  void agentMayStillAskOthers_forWhatItsCallersWaitFor() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch stopping = new CountDownLatch(1);
    AtomicReference<LocalSidecar> sidecar = new AtomicReference<>();
    AtomicInteger toolStatus = new AtomicInteger();
    try (StubAgent tool =
            new StubAgent(question ->
                StubAgent.Reply.json(A2a.answer(A2a.idOf(question), "t", A2a.GROUNDED)));
        StubAgent agent =
            new StubAgent(question -> {
              asked.countDown();
              awaitQuietly(stopping);
              toolStatus.set(askTool(sidecar.get().outboundPort(), tool.port()));
              return StubAgent.Reply.json(A2a.answer(A2a.idOf(question), "a", A2a.GROUNDED));
            });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      sidecar.set(
          LocalSidecar.start(
              folder, "node", LocalSidecar.inboundTo(agent.port()), LocalSidecar.outbound()));
      try (RawHttp client = new RawHttp(sidecar.get().inbound())) {
        client.send(A2a.post(A2a.ask("1", "c", "When must it be replaced?")));
        asked.await();
        Future<?> closing = threads.submit(() -> sidecar.get().close());
        await().atMost(PATIENCE).until(() -> RawHttp.isTurnedAway(sidecar.get().inbound()));
        stopping.countDown();
        HttpBytes reply = client.reply();
        assertThat(A2a.route(reply)).isEqualTo("execute");
        assertThat(toolStatus.get()).isEqualTo(200);
        closing.get();
        assertThat(RawHttp.isTurnedAway(sidecar.get().outboundPort())).isTrue();
      } finally {
        stopping.countDown();
        sidecar.get().close();
      }
    }
  }

  @Test
  void O2_flowInRegeneration_endsTyped_beforeTheGracePeriodDoes() throws Exception {
    CountDownLatch again = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger attempts = new AtomicInteger();
    try (StubAgent agent =
            new StubAgent(question -> {
              if (attempts.incrementAndGet() > 1) {
                again.countDown();
                awaitQuietly(end);
              }
              return StubAgent.Reply.json(A2a.answer(A2a.idOf(question), "a", A2a.INVENTED));
            });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      LocalSidecar sidecar =
          LocalSidecar.start(
              folder,
              "node",
              LocalSidecar.inboundTo(agent.port()),
              "timeouts: { drainMs: 2000 }\n",
              "routes:\n  - { name: all, grounding: required }\n");
      try (RawHttp client = new RawHttp(sidecar.inbound())) {
        client.send(A2a.post(A2a.ask("1", "c", "When must it be replaced?")));
        again.await();
        long beganNs = System.nanoTime();
        Future<?> closing = threads.submit(sidecar::close);
        HttpBytes reply = client.reply();
        assertThat(A2a.idOf(reply)).isEqualTo("1");
        assertThat(reply.text()).contains("shutting_down");
        assertThat(reply.field("connection")).contains("close");
        assertThat(System.nanoTime() - beganNs).isBetween(1_000_000_000L, 60_000_000_000L);
        closing.get();
      } finally {
        end.countDown();
        sidecar.close();
      }
      // Written out: that it was under way.
      assertThat(sidecar.log()).anyMatch(line -> line.path("type").asString("").equals("repair"));
    }
  }

  private static int askTool(int outbound, int tool) {
    try (RawHttp client = new RawHttp(outbound)) {
      String post =
          new String(A2a.post(A2a.ask("7", "t", "When must it be replaced?")), ISO_8859_1);
      return client
          .send(
              post.replaceFirst("POST /a2a", "POST http://127.0.0.1:" + tool + "/a2a")
                  .replaceFirst("Host: agent.test", "Host: 127.0.0.1:" + tool))
          .reply()
          .status();
    } catch (IOException e) {
      return 0;
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
