package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Holds whose callers ask again in other words while a person decides, through two enforcing
 * sidecars in processes of their own that share a control plane; in each episode one of them is
 * killed (kill -9) at a moment that nobody chose. Each released answer arrives, no rejected one,
 * and no question has a second item at either. {@code -Dsoak=1000} for as many holds, {@code
 * -Dseed} for other moments.
 */
@Tag("kill")
@Timeout(value = 3, unit = TimeUnit.HOURS)
class ReleasesKillIT {
  private static final int HOLDS = Math.max(24, Integer.getInteger("soak", 24));
  private static final int HOLDS_OF_AN_EPISODE = 8;
  private static final long SEED = Long.getLong("seed", 36);
  private static final int LATEST_KILL_MS = 1_500;

  @TempDir Path folder = Path.of("");

  private final Random random = new Random(SEED);

  /** How often the agent was asked each question. */
  private final Map<Integer, Integer> asked = new ConcurrentHashMap<>();

  private final Map<Integer, String> decided = new HashMap<>();
  private SidecarPair pair = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // the test starts it
  private static <T> T unstarted() {
    return null;
  }

  @Test
  void Q14_killedAtAnyMoment_eachReleasedAnswerArrives_noRejectedOne_andNoneIsHeldTwice()
      throws Exception {
    try (StubAgent agent = new StubAgent(this::answer);
        SidecarPair both =
            new SidecarPair(
                folder,
                agent.port(),
                "review: { capacity: 5000 }\nprofiles:\n  none-left: { errorMax: 0 }\n"
                    + "routes:\n  - { name: all, profile: none-left, grounding: required }\n")) {
      pair = both;
      for (int question = 0; question < HOLDS; question += HOLDS_OF_AN_EPISODE) {
        episode(question, Math.min(HOLDS, question + HOLDS_OF_AN_EPISODE));
      }
      Map<String, JsonNode> items = items();
      assertThat(items).hasSize(HOLDS);
      for (int question = 0; question < HOLDS; question++) {
        if (!decided.containsKey(question)) {
          decide(question, item(items, question).orElseThrow());
        }
      }
      for (int question = 0; question < HOLDS; question++) {
        for (int i = 0; i < 2; i++) {
          assertThat(isAnsweredAsDecided(question)).isTrue();
        }
      }
      assertThat(items()).as("no second item").hasSize(HOLDS);
      assertThat(all(pair.of(SidecarPair.ASKING))).as("and none at the other").isEmpty();
      assertThat(asked.keySet()).hasSize(HOLDS);
    }
  }

  /** Asks, decides and asks again, until one is killed; what had no answer is asked again after. */
  private void episode(int from, int to) throws Exception {
    SidecarPair.Kill kill = pair.killOne(random, LATEST_KILL_MS);
    int question = from;
    while (kill.isDue()) {
      int before = random.nextInt(question + 1);
      switch (random.nextInt(3)) {
        case 0 -> {
          if (isAnsweredAsDecided(question)) {
            question = Math.min(question + 1, to - 1);
          }
        }
        case 1 -> decideOnce(before);
        default -> isAnsweredAsDecided(before);
      }
    }
    pair.beginAgain(kill);
    Map<String, JsonNode> items = items();
    for (int late = 0; late < to; late++) {
      learn(late, item(items, late));
    }
    for (int late = from; late < to; late++) {
      int asking = late;
      await()
          .atMost(Kit.PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> isAnsweredAsDecided(asking));
    }
  }

  /** False if there was no answer. */
  private boolean isAnsweredAsDecided(int question) throws InterruptedException {
    Optional<String> answer = ask(question);
    answer.ifPresent(said ->
        assertThat(said.contains(text(question)))
            .as("%s %s %s", question, decided.get(question), said)
            .isEqualTo("release".equals(decided.get(question))));
    return answer.isPresent();
  }

  // ---- the caller ----

  private static String text(int question) {
    return A2a.INVENTED + " Number " + "abcdefghij".repeat(1 + question % 7) + question + ".";
  }

  /** The question, with other words round it each time. */
  private String body(int question) {
    String said = "{\"role\":\"user\",\"content\":\"Question " + question + "?\"}";
    String history =
        random.nextBoolean()
            ? said + ",{\"role\":\"assistant\",\"content\":\"Held " + random.nextInt() + "\"},"
            : "";
    return "{\"model\":\"m\",\"temperature\":0."
        + random.nextInt(10)
        + ",\"messages\":[{\"role\":\"system\",\"content\":\"You help. It is 2026-11-26T0"
        + random.nextInt(10)
        + ":00:00Z.\"},"
        + history
        + said
        + "]}";
  }

  private Optional<String> ask(int question) throws InterruptedException {
    return pair.post(
            "/v1/chat/completions", body(question), "Authorization", "Bearer " + random.nextLong())
        .filter(answer -> answer.statusCode() == 200)
        .map(HttpResponse::body);
  }

  private StubAgent.Reply answer(HttpBytes request) {
    String said = request.text();
    int at = said.lastIndexOf("Question ") + 9;
    int question = Integer.parseInt(said.substring(at, said.indexOf('?', at)));
    asked.merge(question, 1, Integer::sum);
    return StubAgent.Reply.json(
        "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":"
            + "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
            + text(question)
            + "\"},\"finish_reason\":\"stop\"}]}");
  }

  // ---- the reviewer ----

  private static List<JsonNode> all(ChildSidecar sidecar) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    sidecar.admin().json("/review?limit=1000").path("items").forEach(all::add);
    return all;
  }

  /** The items of the agent's sidecar by their questions, of which each has one. */
  private Map<String, JsonNode> items() throws Exception {
    Map<String, JsonNode> items = new HashMap<>();
    for (JsonNode item : all(pair.of(SidecarPair.ANSWERING))) {
      assertThat(items.put(item.path("question").asString(""), item))
          .as("a second item for %s", item)
          .isNull();
    }
    return items;
  }

  private static Optional<JsonNode> item(Map<String, JsonNode> items, int question) {
    return Optional.ofNullable(items.get("Question " + question + "?"));
  }

  /** Decides if it is held and undecided; what was written before a kill holds after it. */
  private void decideOnce(int question) throws Exception {
    if (decided.containsKey(question)) {
      return;
    }
    try {
      Optional<JsonNode> item = item(items(), question);
      learn(question, item);
      if (item.isPresent() && !decided.containsKey(question)) {
        decide(question, item.get());
      }
    } catch (IOException killed) {
      // nobody knows whether it was written
      pair.of(SidecarPair.ANSWERING).awaitEnd();
    }
  }

  /** What was decided of a question as it stands on disk. */
  private void learn(int question, Optional<JsonNode> item) {
    String state = item.map(found -> found.path("state").asString("")).orElse("pending");
    if (!state.equals("pending")) {
      decided.put(question, state.equals("rejected") ? "reject" : "release");
    }
  }

  private void decide(int question, JsonNode item) throws Exception {
    String what = random.nextInt(3) > 0 ? "release" : "reject";
    String id = item.path("id").asString("");
    pair.of(SidecarPair.ANSWERING)
        .admin()
        .post("/review/" + id + "/" + what, "{\"who\":\"ada\",\"undoMs\":0}");
    decided.put(question, what);
  }
}
