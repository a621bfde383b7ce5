package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Several people at the queue of one sidecar that is a process of its own. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ReviewersIT {
  private static final String ROUTE =
      """
      review: { undoMs: 0 }
      profiles:
        none-left: { errorMax: 0 }
      routes:
        - { name: all, profile: none-left, grounding: required, review: { people: %d } }
      """;

  /** Items of the test of many, each of which two people decide at the same time. */
  private static final int MANY = 400;

  private static final int REVIEWERS = 16;

  /** With so much on one core, that one core takes 200 decisions a second. */
  private static final Duration CPU_OF_A_DECISION = Duration.ofMillis(5);

  private static final int TWICE = 12;
  private static final int KILLS = 3;
  private static final int LATEST_KILL_MS = 400;

  @TempDir Path folder = Path.of("");
  private final HttpClient caller =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static StubAgent inventor() throws IOException {
    return new StubAgent(asked -> {
      String id = A2a.idOf(asked);
      return StubAgent.Reply.json(A2a.answer(id, "a-1", A2a.INVENTED + " " + id));
    });
  }

  private ChildSidecar sidecar(StubAgent agent, int people) throws IOException {
    return ChildSidecar.start(
        folder, "one", LocalSidecar.inboundTo(agent.port()), ROUTE.formatted(people));
  }

  private List<String> hold(ChildSidecar sidecar, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      caller.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.inbound() + "/"))
              .header("Content-Type", "application/json")
              .header("A2A-Version", "1.0")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      A2a.ask("\"q-" + i + "\"", "ctx-" + i, "When is pump " + i + " serviced?")))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
    return sidecar
        .admin()
        .json("/review?state=pending&limit=1000")
        .path("items")
        .valueStream()
        .map(item -> item.path("id").asString())
        .toList();
  }

  private static HttpResponse<String> decide(
      ChildSidecar sidecar, String id, String act, String who) throws Exception {
    return sidecar
        .admin()
        .post("/review/%s/%s".formatted(id, act), "{\"who\":\"%s\"}".formatted(who));
  }

  /** Two at each item at the same time, one for and one against it: one of both decides. */
  @Test
  void manyReviewersAtOnce_eachItemIsDecidedOnce_andACoreTakes200ASecond() throws Exception {
    try (StubAgent agent = inventor();
        ChildSidecar sidecar = sidecar(agent, 1);
        ExecutorService reviewers = Executors.newFixedThreadPool(REVIEWERS)) {
      List<String> ids = hold(sidecar, MANY);
      assertThat(ids).hasSize(MANY);
      Map<String, String> won = new ConcurrentHashMap<>();
      Set<String> lost = ConcurrentHashMap.newKeySet();
      Duration before = sidecar.cpu();
      List<CompletableFuture<?>> acts = new ArrayList<>();
      for (String id : ids) {
        for (String who : List.of("ann", "bob")) {
          String act = who.equals("ann") ? "release" : "reject";
          acts.add(
              CompletableFuture.runAsync(
                  () -> {
                    try {
                      int status = decide(sidecar, id, act, who).statusCode();
                      assertThat(status).isIn(200, 409);
                      if (status == 200) {
                        assertThat(won.put(id, who)).as("decided twice: " + id).isNull();
                      } else {
                        lost.add(id);
                      }
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                  },
                  reviewers));
        }
      }
      CompletableFuture.allOf(acts.toArray(CompletableFuture<?>[]::new)).join();
      Duration cpu = sidecar.cpu().minus(before);

      assertThat(won).hasSize(MANY);
      assertThat(lost).as("one of two").hasSize(MANY);
      for (String id : ids) {
        JsonNode item = sidecar.admin().json("/review/" + id);
        assertThat(item.at("/decision/who").asString()).isEqualTo(won.get(id));
        assertThat(item.path("review").path("votes")).hasSize(1);
      }
      Duration each = cpu.dividedBy(MANY);
      System.out.printf(
          "review: %d decisions and as many refusals took %d us of CPU each%n",
          MANY, each.toNanos() / 1000);
      assertThat(each).isLessThan(CPU_OF_A_DECISION);
    }
  }

  /** Each of two people votes on each item; the sidecar is killed meanwhile, again and again. */
  @Test
  void killedBetweenVotesOfTwo_noVoteIsLost_noneCountsTwice() throws Exception {
    Random random = new Random(41);
    Map<String, Set<String>> acknowledged = new ConcurrentHashMap<>();
    try (StubAgent agent = inventor()) {
      ChildSidecar sidecar = sidecar(agent, 2);
      List<String> ids = hold(sidecar, TWICE);
      try {
        assertThat(ids).hasSize(TWICE);
        for (int kill = 0; kill <= KILLS; kill++) {
          ChildSidecar now = sidecar;
          CompletableFuture<?> ann = votes(now, ids, "ann", acknowledged);
          CompletableFuture<?> bob = votes(now, ids.reversed(), "bob", acknowledged);
          if (kill < KILLS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LATEST_KILL_MS)));
            now.kill();
          }
          CompletableFuture.allOf(ann, bob).join();
          if (kill < KILLS) {
            now.close();
            sidecar = sidecar(agent, 2);
            isAsAcknowledged(sidecar, ids, acknowledged);
          }
        }
        for (String id : ids) {
          JsonNode item = sidecar.admin().json("/review/" + id);
          assertThat(item.path("state").asString()).isEqualTo("released");
          assertThat(item.at("/decision/who").asString().split(", "))
              .containsExactlyInAnyOrder("ann", "bob");
        }
      } finally {
        sidecar.close();
      }
    }
  }

  /** One person at all items; until somebody pulls the plug. */
  private static CompletableFuture<?> votes(
      ChildSidecar sidecar, List<String> ids, String who, Map<String, Set<String>> acknowledged) {
    return CompletableFuture.runAsync(() -> {
      for (String id : ids) {
        try {
          HttpResponse<String> answer = decide(sidecar, id, "release", who);
          assertThat(answer.statusCode()).isIn(200, 409);
          boolean isDone = answer.statusCode() == 200;
          assertThat(isDone || answer.body().contains("already_")).as(answer.body()).isTrue();
          acknowledged.computeIfAbsent(id, _ -> ConcurrentHashMap.newKeySet()).add(who);
        } catch (IOException _) {
          return; // killed: whether this vote is on disk nobody knows
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
    });
  }

  /** Every vote that was acknowledged stands there, and of each person one at most. */
  private static void isAsAcknowledged(
      ChildSidecar sidecar, List<String> ids, Map<String, Set<String>> acknowledged)
      throws Exception {
    for (String id : ids) {
      Set<String> known = acknowledged.getOrDefault(id, Set.of());
      JsonNode item = sidecar.admin().json("/review/" + id + "?for=ann");
      int voted = item.at("/review/voted").asInt();
      assertThat(voted).isBetween(known.size(), 2);
      assertThat(item.path("state").asString()).isEqualTo(voted == 2 ? "released" : "pending");
      Set<String> seen = new HashSet<>();
      for (JsonNode vote : item.at("/review/votes")) {
        assertThat(seen.add(vote.path("who").asString())).isTrue();
      }
      if (known.contains("ann")) {
        assertThat(seen).contains("ann");
      }
    }
  }
}
