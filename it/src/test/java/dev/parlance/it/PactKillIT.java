package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.AttachSecret;
import dev.parlance.control.api.OperatorToken;
import dev.parlance.control.testing.Client;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.ReplicaProcess;
import dev.parlance.control.testing.Signatory;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import io.grpc.StatusRuntimeException;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Two sidecars and a replica of the control plane in processes of their own, one of which is killed
 * (kill -9) in each episode while requests go through, then begun again on its data folder; those
 * that were not killed live on. {@code -Dsoak=1000} for as many episodes, {@code -Dseed} for other
 * moments.
 */
@Tag("kill")
@ExtendWith(LeakCheck.class)
@Timeout(value = 3, unit = TimeUnit.HOURS)
class PactKillIT {
  private static final int EPISODES = Math.max(6, Integer.getInteger("soak", 6));
  private static final long SEED = Long.getLong("seed", 17);
  private static final int MOST_MS = 400;
  private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int NEWEST = 100;
  private static final String NAKED = "straight-to-the-other-side";
  private static final Pattern NAME = Pattern.compile("name\":\"([^\"]+)\"");

  @TempDir Path folder = Path.of("");

  /** How often the agent was given a message, by its name. */
  private final Map<String, Integer> delivered = new ConcurrentHashMap<>();

  /** Pacts that the control plane has shown: it must never forget one. */
  private final Set<String> shown = new HashSet<>();

  private int sent;

  @Test
  void killedAtAnyMoment_nothingIsDeliveredOutsideAPact_andEachPactEndsOnce() throws Exception {
    Random random = new Random(SEED);
    try (StubAgent agent =
            new StubAgent(request -> {
              Matcher name = NAME.matcher(request.text());
              delivered.merge(name.find() ? name.group(1) : "", 1, Integer::sum);
              return PactPair.answer("Acme Ltd.");
            });
        Processes all = new Processes(agent.port())) {
      for (int episode = 0; episode < EPISODES; episode++) {
        int before = delivered.size();
        int victim = random.nextInt(Processes.COUNT);
        Thread killer = all.killLater(victim, random.nextInt(MOST_MS));
        talk(all, killer);
        killer.join();
        all.beginAgain(victim);
        // What was under way is lost or delivered; the next one goes through.
        await()
            .atMost(Kit.PATIENCE)
            .pollInterval(Duration.ofMillis(20))
            .until(() -> all.ask(nextName()).contains("Acme Ltd."));
        assertThat(all.askStraight(NAKED)).contains("pact_required");
        assertThat(delivered).hasSizeGreaterThan(before);
        look(all);
      }
      assertThat(delivered).doesNotContainKeys(NAKED, "");
      // Nobody here sends a message twice, and no sidecar does.
      assertThat(delivered.values()).containsOnly(1);
      all.stopTalking();
      Set<String> admitted = admittedUnder();
      assertThat(admitted).isNotEmpty();
      shown.addAll(admitted);
      Map<String, Pact> pacts = new HashMap<>();
      await().atMost(Kit.PATIENCE).untilAsserted(() -> assertThat(all.unfinished()).isEmpty());
      for (String id : shown) {
        Pact pact = all.parties.operator().getPact(GetPactRequest.newBuilder().setPact(id).build());
        pacts.put(id, pact);
      }
      assertThat(pacts.values()).extracting(Pact::getState).containsOnly("dissolved");
      // Computes every state again from the entries: a second end is a finding.
      all.assertLedgerAgrees();
      System.out.printf(
          "PactKillIT: %d episodes, seed %d: %d messages sent, %d delivered, %d pacts%n",
          EPISODES, SEED, sent, delivered.size(), pacts.size());
    }
  }

  private String nextName() {
    sent++;
    return "m-" + sent;
  }

  /** Requests one after the other until somebody was killed. */
  private void talk(Processes all, Thread killer) throws InterruptedException {
    while (killer.isAlive()) {
      try {
        String answer = all.ask(nextName());
        assertThat(answer).doesNotContain("pact_scope", "pact_unknown", "pact_ended");
      } catch (IOException e) {
        return; // killed
      }
      LockSupport.parkNanos(PACE_NS);
    }
  }

  private void look(Processes all) {
    try {
      all.parties
          .operator()
          .listPacts(ListPactsRequest.newBuilder().setLimit(NEWEST).build())
          .getPactsList()
          .forEach(one -> shown.add(one.getPact()));
    } catch (StatusRuntimeException e) {
      // The connection to the replica that was killed is not there again yet.
      assertThat(e).hasMessageContaining("UNAVAILABLE");
    }
  }

  /** The pacts under which the receiving sidecar let requests through, by its decision log. */
  private Set<String> admittedUnder() throws IOException {
    Set<String> ids = new HashSet<>();
    try (Stream<Path> files = Files.list(folder.resolve(PactPair.ENRICHER))) {
      for (Path file :
          files.filter(one -> one.getFileName().toString().startsWith("decisions")).toList()) {
        for (String line : Files.readAllLines(file)) {
          // A kill may have torn a line.
          if (line.endsWith("}") && line.contains("\"kind\":\"request\"")) {
            JsonNode json = A2a.JSON.readTree(line);
            if (json.path("action").asString("").equals("forward")) {
              assertThat(json.at("/pact/result").asString("none")).as(line).isEqualTo("kept");
              ids.add(json.at("/pact/id").asString());
            }
          }
        }
      }
    }
    return ids;
  }

  /** The three that may be killed. */
  private final class Processes implements AutoCloseable {
    static final int COUNT = 3;
    private static final int ASKING = 0;
    private static final int GIVING = 1;
    private static final String PLANE = "rounds: {encoder: \"off\"}\n";

    private final String token;
    private final int port;
    private final String[] asks;
    private final String[] gives;
    private ReplicaProcess plane;
    final Signatory parties;
    private ChildSidecar asking;
    private ChildSidecar giving;
    private HttpClient through;
    private final HttpClient straight = builder().build();

    Processes(int agentPort) throws IOException {
      Path data = folder.resolve("control");
      plane = ReplicaProcess.start(data, "one", PLANE);
      port = plane.port();
      token = OperatorToken.open(data.resolve("operator.token")).value();
      AttachSecret secret = AttachSecret.open(data.resolve("attach.secret"));
      parties = Signatory.at(port, token, secret::token);
      Files.writeString(folder.resolve("keys"), plane.coreKey() + "\n");
      PactPair.publish(parties);
      asks =
          PactPair.asks(
              PactPair.control(folder, port, secret.token(PactPair.SUPPORT), PactPair.SUPPORT),
              "completeAfterIdleMs: 1000");
      gives =
          PactPair.gives(
              agentPort,
              PactPair.control(folder, port, secret.token(PactPair.ENRICHER), PactPair.ENRICHER),
              "platform/enrich@1");
      asking = ChildSidecar.start(folder, PactPair.SUPPORT, asks);
      giving = ChildSidecar.start(folder, PactPair.ENRICHER, gives);
      through = through(asking);
    }

    private static HttpClient.Builder builder() {
      return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    }

    private static HttpClient through(ChildSidecar sidecar) {
      return builder()
          .proxy(
              ProxySelector.of(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.outboundPort())))
          .build();
    }

    Thread killLater(int victim, int afterMs) {
      return Thread.ofVirtual()
          .start(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(afterMs));
            try {
              kill(victim);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }

    private void kill(int victim) throws InterruptedException {
      switch (victim) {
        case ASKING -> asking.kill();
        case GIVING -> giving.kill();
        default -> plane.kill();
      }
    }

    void beginAgain(int victim) throws IOException {
      switch (victim) {
        case ASKING -> {
          through.close();
          asking.close();
          asking = ChildSidecar.start(folder, PactPair.SUPPORT, asks);
          through = through(asking);
        }
        case GIVING -> {
          giving.close();
          giving = ChildSidecar.start(folder, PactPair.ENRICHER, gives);
        }
        default -> {
          plane = ReplicaProcess.start(folder.resolve("control"), "one", port, PLANE);
          assertThat(plane.port()).isEqualTo(port);
        }
      }
    }

    String ask(String name) throws IOException, InterruptedException {
      return send(through, name);
    }

    String askStraight(String name) throws IOException, InterruptedException {
      return send(straight, name);
    }

    private String send(HttpClient client, String name) throws IOException, InterruptedException {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giving.inbound() + "/"))
                  .timeout(Duration.ofSeconds(20))
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          PactPair.body("{\"name\":\"" + name + "\"}")))
                  .build(),
              HttpResponse.BodyHandlers.ofString(UTF_8))
          .body();
    }

    List<Pact> unfinished() {
      return parties
          .operator()
          .listPacts(ListPactsRequest.newBuilder().setUnfinished(true).build())
          .getPactsList();
    }

    /** No more requests; the sidecars go on, to say what they owe. */
    void stopTalking() {
      through.close();
      straight.close();
    }

    void assertLedgerAgrees() {
      try (Client client = new Client(port, token)) {
        assertThat(client.assertLedgerAgrees().agrees()).isTrue();
      }
    }

    @Override
    public void close() {
      stopTalking();
      parties.close();
      asking.close();
      giving.close();
      plane.close();
    }
  }
}
