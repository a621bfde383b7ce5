package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A sidecar whose configuration changes, and one that is told to stop, while messages pass. */
@ExtendWith(LeakCheck.class)
class ReloadAndDrainIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder = Path.of("");

  @Test
  void configurationSwappedByItsLink_validCountsFromTheNextMessage_invalidLeavesTheOldOne()
      throws Exception {
    try (StubAgent agent =
        new StubAgent(
            asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a", A2a.GROUNDED)))) {
      String listener = LocalSidecar.inboundTo(agent.port());
      version("v1", listener, "routes:\n  - name: one\n");
      version("v2", listener, "routes:\n  - name: two\n    metadata: no\n    metadatum: 1\n");
      version("v3", listener, "routes:\n  - name: three\n    metadata: false\n");
      swapTo("v1");
      Path file = Files.createSymbolicLink(folder.resolve("node.yaml"), Path.of("now/node.yaml"));
      try (LocalSidecar sidecar = LocalSidecar.start(file, folder.resolve("data"));
          RawHttp client = new RawHttp(sidecar.inbound())) {
        assertThat(ask(client).text()).contains(A2a.VERDICT);
        int first = generation(sidecar);

        swapTo("v2");
        await()
            .atMost(PATIENCE)
            .until(() -> sidecar.admin().sum("parlance_config_rejected_total") == 1);
        assertThat(generation(sidecar)).isEqualTo(first);
        assertThat(ask(client).text()).contains(A2a.VERDICT);
        assertThat(sidecar.admin().get("/readyz").statusCode()).isEqualTo(200);

        swapTo("v3");
        await().atMost(PATIENCE).until(() -> generation(sidecar) == first + 1);
        HttpBytes untouched = ask(client);
        assertThat(untouched.text()).isEqualTo(A2a.answer("1", "a", A2a.GROUNDED));
        assertThat(A2a.route(untouched)).isEqualTo("execute");
        assertThat(sidecar.admin().sum("parlance_config_rejected_total")).isEqualTo(1);
      }
    }
  }

  private void version(String name, String... sections) throws IOException {
    Path versionFolder = Files.createDirectory(folder.resolve(name));
    Files.writeString(
        versionFolder.resolve("node.yaml"),
        LocalSidecar.yaml("node", folder.resolve("data").toString(), sections));
  }

  /** As Kubernetes does it: the link to the folder is replaced in one step. */
  private void swapTo(String name) throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("next"), Path.of(name));
    Files.move(
        link,
        folder.resolve("now"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static HttpBytes ask(RawHttp client) throws IOException {
    return client.send(A2a.post(A2a.ask("1", "c", "When must the impeller be replaced?"))).reply();
  }

  private static int generation(LocalSidecar sidecar) throws Exception {
    return sidecar.admin().json("/config").path("generation").asInt(-1);
  }

  @Test
  void toldToStopWithExchangesAtTheAgent_everyOneIsAnswered_andTheExitStatusIsZero()
      throws Exception {
    int exchanges = 50;
    CountDownLatch atAgent = new CountDownLatch(exchanges);
    CountDownLatch stopping = new CountDownLatch(1);
    try (StubAgent agent =
            new StubAgent(asked -> {
              atAgent.countDown();
              awaitQuietly(stopping);
              return StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a", A2a.GROUNDED));
            });
        ChildSidecar sidecar =
            ChildSidecar.start(folder, "node", LocalSidecar.inboundTo(agent.port()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<HttpBytes>> asked = new ArrayList<>();
      for (int i = 0; i < exchanges; i++) {
        String body = A2a.ask(Integer.toString(i), "c-" + i, "When must it be replaced?");
        asked.add(
            threads.submit(() -> {
              try (RawHttp client = new RawHttp(sidecar.inbound())) {
                return client.send(A2a.post(body)).reply();
              }
            }));
      }
      try {
        assertThat(atAgent.await(30, TimeUnit.SECONDS)).isTrue();
        sidecar.terminate();
        await().atMost(PATIENCE).until(() -> RawHttp.isTurnedAway(sidecar.inbound()));
      } finally {
        stopping.countDown();
      }
      for (int i = 0; i < exchanges; i++) {
        HttpBytes reply = asked.get(i).get();
        assertThat(A2a.idOf(reply)).isEqualTo(Integer.toString(i));
        assertThat(A2a.route(reply)).isEqualTo("execute");
        assertThat(reply.field("connection")).contains("close");
      }
      assertThat(sidecar.awaitEnd()).isZero();
    }
    assertThat(decisions()).hasSize(2 * exchanges);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void toldToStopUnderLoad_noMessageThatReachedTheAgentStaysUnanswered() throws Exception {
    Set<String> answered = ConcurrentHashMap.newKeySet();
    AtomicInteger next = new AtomicInteger();
    CountDownLatch warm = new CountDownLatch(200);
    List<Future<?>> clients = new ArrayList<>();
    try (StubAgent agent =
            new StubAgent(
                asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a", A2a.GROUNDED)));
        ChildSidecar sidecar =
            ChildSidecar.start(folder, "node", LocalSidecar.inboundTo(agent.port()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 16; i++) {
        clients.add(threads.submit(() -> sendUntilTurnedAway(sidecar, next, answered, warm)));
      }
      try {
        assertThat(warm.await(30, TimeUnit.SECONDS)).isTrue();
      } finally {
        sidecar.terminate();
      }
      assertThat(sidecar.awaitEnd()).isZero();
      for (Future<?> client : clients) {
        client.get();
      }
      assertThat(agent.asked().stream().map(A2a::idOf).collect(Collectors.toSet()))
          .isEqualTo(answered);
      assertThat(agent.asked()).hasSameSizeAs(answered);
    }
  }

  private static void sendUntilTurnedAway(
      ChildSidecar sidecar, AtomicInteger next, Set<String> answered, CountDownLatch warm) {
    while (true) {
      try (RawHttp client = new RawHttp(sidecar.inbound())) {
        boolean open = true;
        while (open) {
          String id = Integer.toString(next.incrementAndGet());
          HttpBytes reply = client.send(A2a.post(A2a.ask(id, "c-" + id, "When?"))).reply();
          assertThat(A2a.idOf(reply)).isEqualTo(id);
          assertThat(A2a.route(reply)).isEqualTo("execute");
          answered.add(id);
          warm.countDown();
          open = !reply.field("connection").equals(Optional.of("close"));
        }
      } catch (IOException turnedAway) {
        return;
      }
    }
  }

  private List<JsonNode> decisions() throws IOException {
    return Admin.log(folder.resolve("node")).stream()
        .filter(line -> line.path("type").asString("").equals("decision"))
        .toList();
  }
}
