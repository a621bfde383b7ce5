package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Holds with releases and rejections in random order, whose callers ask again in other words, leave
 * and come back, through one and two enforcing sidecars, either of which ends at once and begins
 * again: each released answer arrives, no rejected one, and no question has a second item. 1,000 of
 * them with {@code -Dsoak=1000}.
 */
@NullMarked
@Timeout(1800)
class ReleasesSoakTest extends SidecarFixture {
  private static final int HOLDS = Math.max(40, Integer.getInteger("soak", 5));
  private static final String CHAT = "/v1/chat/completions";
  private static final long SEED = 36;

  private final Random random = new Random(SEED);
  private Sidecar second = unstarted();
  private HttpClient throughBoth = unstarted();
  private int firstPort;

  @AfterEach
  void stopSecond() {
    second.close();
    throughBoth.close();
  }

  private void startFirst() throws IOException {
    start("profile: none-left\n    grounding: required\nreview: { capacity: 5000 }\n");
    firstPort = sidecar.inboundPort().orElseThrow();
  }

  private void startSecond() throws IOException {
    Path file = folder.resolve("second.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: second
        dataDir: data-second
        startup: { warmUpMessages: 0 }
        outbound: { listen: "127.0.0.1:0", allowLoopback: true }
        admin: { listen: "127.0.0.1:0" }
        profiles:
          none-left: { errorMax: 0 }
        review: { trustFrom: ["127.0.0.1"] }
        routes:
          - { name: all, profile: none-left, grounding: required }
        """);
    second =
        Sidecar.start(
            ConfigLoader.load(file).loaded().orElseThrow(),
            file,
            Cores.NONE,
            Gate.PeerResolver.NONE);
    throughBoth =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress("127.0.0.1", second.outboundPort().orElseThrow())))
            .build();
  }

  private static String text(int question) {
    return INVENTED + " Number " + "abcdefghij".repeat(1 + question % 7) + question + ".";
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

  private HttpResponse<String> ask(int question) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + firstPort + CHAT))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + random.nextLong())
            .POST(HttpRequest.BodyPublishers.ofString(body(question)))
            .build();
    return (random.nextBoolean() ? client : throughBoth)
        .send(request, HttpResponse.BodyHandlers.ofString());
  }

  private void leave(int question) throws IOException {
    byte[] body = body(question).getBytes(StandardCharsets.UTF_8);
    try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), firstPort)) {
      String head =
          "POST "
              + CHAT
              + " HTTP/1.1\r\nHost: agent\r\nContent-Type: application/json\r\nContent-Length: "
              + body.length
              + "\r\n\r\n";
      caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      caller.getOutputStream().write(body);
      caller.setSoLinger(random.nextBoolean(), 0);
    }
  }

  private Map<String, List<JsonNode>> itemsByQuestion() throws Exception {
    Map<String, List<JsonNode>> items = new HashMap<>();
    JsonNode all = JSON.readTree(admin("GET", "/review?limit=1000", "").body()).path("items");
    for (JsonNode item : all) {
      items.computeIfAbsent(item.path("question").asString(""), _ -> new ArrayList<>()).add(item);
    }
    return items;
  }

  @Test
  void eachReleasedAnswerArrives_noRejectedOne_andNoQuestionIsHeldTwice() throws Exception {
    script =
        asked -> {
          String said = asked.text();
          int at = said.lastIndexOf("Question ") + 9;
          return ScriptedAgent.Reply.json(
              "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":"
                  + "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
                  + text(Integer.parseInt(said.substring(at, said.indexOf('?', at))))
                  + "\"},\"finish_reason\":\"stop\"}]}");
        };
    startFirst();
    startSecond();
    Map<Integer, String> ids = new HashMap<>();
    Map<Integer, String> decided = new HashMap<>();
    for (int question = 0; question < HOLDS; question++) {
      assertThat(ask(question).body()).doesNotContain(text(question));
      String key = "Question " + question + "?";
      await().until(() -> itemsByQuestion().containsKey(key));
      ids.put(question, itemsByQuestion().get(key).getFirst().path("id").asString(""));
      int before = random.nextInt(question + 1);
      switch (random.nextInt(4)) {
        case 0 -> {
          if (!decided.containsKey(before)) {
            String what = random.nextInt(3) > 0 ? "release" : "reject";
            admin(
                "POST",
                "/review/" + ids.get(before) + "/" + what,
                "{\"who\":\"ada\",\"undoMs\":0}");
            decided.put(before, what);
          }
        }
        case 1 -> leave(before);
        case 2 -> {
          HttpResponse<String> again = ask(before);
          boolean released = "release".equals(decided.get(before));
          assertThat(again.body().contains(text(before))).isEqualTo(released);
          if (!released) {
            assertThat(again.body()).contains(ids.get(before));
          }
        }
        default -> {
          if (random.nextInt(Math.max(4, HOLDS / 20)) == 0) {
            if (random.nextBoolean()) {
              sidecar.cut();
              startFirst();
            } else {
              second.cut();
              throughBoth.close();
              startSecond();
            }
          }
        }
      }
    }
    for (int question = 0; question < HOLDS; question++) {
      if (!decided.containsKey(question)) {
        String what = random.nextBoolean() ? "release" : "reject";
        admin(
            "POST", "/review/" + ids.get(question) + "/" + what, "{\"who\":\"ada\",\"undoMs\":0}");
        decided.put(question, what);
      }
    }
    for (int question = 0; question < HOLDS; question++) {
      int asked = question;
      boolean released = decided.get(question).equals("release");
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = ask(asked);
        assertThat(answer.body().contains(text(asked)))
            .as("%s %s %s", asked, decided.get(asked), answer.body())
            .isEqualTo(released);
      }
    }
    assertThat(itemsByQuestion().values()).allSatisfy(items -> assertThat(items).hasSize(1));
    assertThat(itemsByQuestion()).hasSize(HOLDS);
    String atSecond = Files.readString(folder.resolve("data-second/admin.token")).strip();
    HttpResponse<String> there =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + second.adminPort() + "/review?limit=1000"))
                .header("Authorization", "Bearer " + atSecond)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(JSON.readTree(there.body()).path("items").size())
        .as("nothing is held a second time at the second")
        .isZero();
  }
}
