package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Two sidecars in processes of their own, one of which is killed (kill -9) in each episode while
 * requests go through both, then begun again on its data folder. {@code -Dsoak=1000} for as many
 * episodes. The control plane is one replica, which lives on.
 */
@ExtendWith(LeakCheck.class)
@Timeout(value = 3, unit = TimeUnit.HOURS)
class PactKillIT {
  private static final int EPISODES = Integer.getInteger("soak", 5);
  private static final int MOST_MS = 400;
  private static final String NAKED = "straight to the other side";

  @TempDir Path folder = Path.of("");

  @Test
  void killedAtAnyMoment_nothingIsDeliveredOutsideAPact_andEachPactEndsOnce() throws Exception {
    Random random = new Random(17);
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        Signatory parties = Signatory.at(kit.plane);
        StubAgent agent = new StubAgent(_ -> PactPair.answer("Acme Ltd."))) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      PactPair.publish(parties);
      String[] asks =
          PactPair.asks(
              PactPair.control(folder, kit, PactPair.SUPPORT), "completeAfterIdleMs: 1000");
      String[] gives =
          PactPair.gives(
              agent.port(), PactPair.control(folder, kit, PactPair.ENRICHER), "enrich@1");
      ChildSidecar asking = ChildSidecar.start(folder, PactPair.SUPPORT, asks);
      ChildSidecar giving = ChildSidecar.start(folder, PactPair.ENRICHER, gives);
      try {
        for (int episode = 0; episode < EPISODES; episode++) {
          int before = agent.asked().size();
          ChildSidecar victim = random.nextBoolean() ? asking : giving;
          int afterMs = random.nextInt(MOST_MS);
          Thread killer =
              Thread.ofVirtual()
                  .start(() -> {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(afterMs));
                    kill(victim);
                  });
          talk(asking, giving);
          killer.join();
          if (victim == asking) {
            asking = ChildSidecar.start(folder, PactPair.SUPPORT, asks);
          } else {
            giving = ChildSidecar.start(folder, PactPair.ENRICHER, gives);
          }
          // What was under way is lost or delivered; the next one goes through.
          ChildSidecar from = asking;
          ChildSidecar to = giving;
          await()
              .atMost(Kit.PATIENCE)
              .until(() -> send(from.outboundPort(), to.inbound(), "Ann").contains("Acme Ltd."));
          assertThat(send(0, giving.inbound(), NAKED)).contains("pact_required");
          assertThat(agent.asked()).hasSizeGreaterThan(before);
        }
        assertThat(agent.asked()).noneMatch(one -> one.text().contains(NAKED));
        await()
            .atMost(Kit.PATIENCE)
            .untilAsserted(() ->
                assertThat(pacts(parties)).extracting(Pact::getState).containsOnly("dissolved"));
      } finally {
        asking.close();
        giving.close();
      }
      Set<String> onLedger = new HashSet<>();
      pacts(parties).forEach(one -> onLedger.add(one.getPact()));
      assertThat(forwardedUnder()).isNotEmpty().allMatch(onLedger::contains);
      // Computes every state again from the entries: a second end is a finding.
      kit.client.assertLedgerAgrees();
    }
  }

  private static List<Pact> pacts(Signatory parties) {
    return parties
        .operator()
        .listPacts(ListPactsRequest.newBuilder().setLimit(1_000).build())
        .getPactsList();
  }

  private static void kill(ChildSidecar victim) {
    try {
      victim.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Requests one after the other until one of the sidecars is gone. */
  private static void talk(ChildSidecar asking, ChildSidecar giving) throws InterruptedException {
    try {
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * MOST_MS);
      while (System.nanoTime() < until) {
        String answer = send(asking.outboundPort(), giving.inbound(), "Ann");
        assertThat(answer).doesNotContain("pact_scope");
      }
    } catch (IOException e) {
      assertThat(e).isNotNull(); // killed
    }
  }

  private static String send(int proxyPort, int port, String name)
      throws IOException, InterruptedException {
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    if (proxyPort != 0) {
      builder.proxy(
          ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxyPort)));
    }
    try (HttpClient client = builder.build()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                  .timeout(Duration.ofSeconds(20))
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          PactPair.body("{\"name\":\"" + name + "\"}")))
                  .build(),
              HttpResponse.BodyHandlers.ofString(UTF_8))
          .body();
    }
  }

  /** The pacts under which the receiving sidecar let requests through, by its decision log. */
  private Set<String> forwardedUnder() throws IOException {
    Set<String> ids = new HashSet<>();
    for (String line : Files.readAllLines(folder.resolve("enricher").resolve("decisions.jsonl"))) {
      JsonNode json = A2a.JSON.readTree(line);
      if (json.path("kind").asString("").equals("request")
          && json.path("action").asString("").equals("forward")) {
        assertThat(json.at("/pact/result").asString("none")).as(line).isEqualTo("kept");
        ids.add(json.at("/pact/id").asString());
      }
    }
    return ids;
  }
}
