package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Two enforcing sidecars that share a control plane: what a person decides at one holds at the
 * other.
 */
class SharedReviewIT {
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String ROUTES =
      """
      profiles:
        none-left: { errorMax: 0 }
      routes:
        - { name: all, profile: none-left, grounding: required }
      """;

  @TempDir Path folder = Path.of("");
  private Kit kit = unstarted();
  private StubAgent agent = unstarted();
  private LocalSidecar asking = unstarted();
  private LocalSidecar giving = unstarted();
  private HttpClient ann = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void start() throws Exception {
    kit = Kit.start(folder.resolve("control"));
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    agent = new StubAgent(this::answer);
    giving =
        LocalSidecar.start(
            folder,
            "ben",
            LocalSidecar.inboundTo(agent.port()),
            PactPair.control(folder, kit, "ben"),
            ROUTES);
    startAsking("");
    attached(giving);
  }

  private void startAsking(String review) throws Exception {
    asking =
        LocalSidecar.start(
            folder,
            "ann",
            LocalSidecar.outbound(),
            PactPair.control(folder, kit, "ann")
                + "  peers: [{ agent: ben, hosts: [\"127.0.0.1:%d\"] }]\n"
                    .formatted(giving.inbound()),
            review,
            ROUTES);
    attached(asking);
    ann =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), asking.outboundPort())))
            .build();
  }

  private static void attached(LocalSidecar sidecar) {
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> sidecar.admin().scrape().contains("parlance_control_connected 1"));
  }

  @AfterEach
  void stop() throws Exception {
    ann.close();
    asking.close();
    giving.close();
    agent.close();
    kit.close();
  }

  private StubAgent.Reply answer(HttpBytes asked) {
    String text = asked.text();
    return text.contains("\"messages\"")
        ? StubAgent.Reply.json(
            "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":"
                + "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
                + A2a.INVENTED
                + "\"},\"finish_reason\":\"stop\"}]}")
        : StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.INVENTED));
  }

  private HttpResponse<String> ask(String target, String body) throws Exception {
    return ann.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giving.inbound() + target))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String field(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static JsonNode items(LocalSidecar sidecar) throws Exception {
    return sidecar.admin().json("/review?limit=100").path("items");
  }

  private static void decide(LocalSidecar sidecar, String what) throws Exception {
    String id = items(sidecar).get(0).path("id").asString("");
    assertThat(
            sidecar
                .admin()
                .post(
                    "/review/" + id + "/" + what,
                    "{\"who\":\"ada\",\"note\":\"seen\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
  }

  private static void heard(LocalSidecar sidecar) {
    await()
        .atMost(Kit.PATIENCE)
        .until(
            () -> sidecar.admin().sum("parlance_shared_decisions_total", "event=\"heard\"") >= 1);
  }

  private static String chat(String more) {
    return "{\"model\":\"m\"%s,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
        .formatted(more, QUESTION);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/chat/completions, false",
    "/v1/chat/completions, true",
    "/a2a, false",
    "/a2a, true"
  })
  void Q14_whatIsReleasedAtTheFirst_passesTheSecond(String target, boolean streamed)
      throws Exception {
    String body = target.equals("/a2a") ? A2a.ask("1", "ctx-1", QUESTION) : chat("");
    HttpResponse<String> held = ask(target, body);
    assertThat(held.body()).contains("held for a person").doesNotContain(A2a.INVENTED);
    assertThat(field(held, "Parlance-Reason")).isEqualTo("review_pending");
    assertThat(field(held, "Parlance-Peer")).startsWith("route=yield; reason=\"");
    decide(giving, "release");
    heard(asking);
    String again =
        !streamed
            ? body
            : target.equals("/a2a")
                ? body.replace("SendMessage", "SendStreamingMessage")
                : chat(",\"stream\":true");
    for (int i = 0; i < 2; i++) { // the second time the agent says it again
      HttpResponse<String> released = ask(target, again);
      assertThat(released.body()).contains(A2a.INVENTED).contains("\"released\"");
      if (!streamed) {
        assertThat(field(released, "Parlance-Peer"))
            .startsWith("route=execute; reason=\"released\"; decision=d-");
      }
    }
    assertThat(items(asking).size()).isZero();
    assertThat(items(giving).size()).isOne();
    assertThat(asking.admin().sum("parlance_shared_decisions_total", "event=\"followed\""))
        .isGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not in\nthis house"})
  void Q14_whatIsRefusedAtTheFirst_isSaidAtTheSecond_withTheNote_andHeldNowhere(String note)
      throws Exception {
    String body = A2a.ask("1", "ctx-1", QUESTION);
    String task = A2a.JSON.readTree(ask("/a2a", body).body()).at("/result/task/id").asString("");
    String id = items(giving).get(0).path("id").asString("");
    giving
        .admin()
        .post(
            "/review/" + id + "/reject",
            A2a.JSON.writeValueAsString(Map.of("who", "ada", "note", note, "undoMs", 0)));
    heard(asking);
    HttpResponse<String> refused = ask("/a2a", body);
    assertThat(refused.body()).contains("REJECTED").contains(id).doesNotContain(A2a.INVENTED);
    HttpResponse<String> shown =
        ask(
            "/a2a",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"GetTask\",\"params\":{\"id\":\"%s\"}}"
                .formatted(task));
    assertThat(shown.body()).contains("TASK_STATE_REJECTED");
    for (HttpResponse<String> answer : List.of(refused, shown)) {
      assertThat(A2a.JSON.readTree(answer.body()).toString())
          .contains(A2a.JSON.writeValueAsString(note).replace("\"", ""));
    }
    assertThat(items(asking).size()).isZero();
    assertThat(items(giving).size()).isOne();
  }

  @Test
  void Q14_aRequestThatIsReleasedAtTheFirst_passesTheSecond() throws Exception {
    agent.answer(asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.GROUNDED)));
    String body =
        A2a.ask("1", "ctx-1", A2a.INVENTED)
            .replaceFirst(
                "\"role\":",
                "\"metadata\":{\"%s\":{\"context\":[{\"id\":\"c1\",\"text\":\"%s.\"}]}},\"role\":"
                    .formatted(A2a.EVIDENCE, A2a.FACT));
    assertThat(ask("/a2a", body).body()).contains("held for a person");
    assertThat(items(asking).size()).isOne();
    decide(asking, "release");
    heard(giving);
    assertThat(ask("/a2a", body).body()).contains(A2a.FACT);
    assertThat(items(giving).size()).isZero();
    assertThat(agent.asked().getFirst().field("Parlance-Peer").orElse(""))
        .startsWith("route=execute; reason=\"released\"");
    assertThat(agent.asked().getFirst().field("Parlance-Agent")).isEmpty();
  }

  @Test
  void whoDoesNotShare_judgesAnew() throws Exception {
    asking.close();
    ann.close();
    startAsking("review: { share: false }\n");
    String body = A2a.ask("1", "ctx-1", QUESTION);
    ask("/a2a", body);
    decide(giving, "release");
    HttpResponse<String> answer = ask("/a2a", body);
    assertThat(answer.body()).doesNotContain(A2a.INVENTED);
    assertThat(field(answer, "Parlance-Route")).isEqualTo("yield");
    assertThat(items(asking).size()).isOne();
  }
}
