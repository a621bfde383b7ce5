package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Gate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * What a person has decided is kept, however it is asked for again and whoever leaves meanwhile.
 */
@NullMarked
class PersonsWordTest extends SidecarFixture {
  private static final String CHAT = "/v1/chat/completions";
  private static final String QUESTION = "When must the impeller be replaced?";

  /** More than the buffers of a connection take. */
  private static final int BIG = 8_000;

  private static final Map<String, String> NOTHING = Map.of();

  private HttpResponse<String> send(String target, String body, Map<String, String> fields)
      throws Exception {
    return send(client, target, body, fields);
  }

  private HttpResponse<String> send(
      HttpClient from, String target, String body, Map<String, String> fields) throws Exception {
    return from.send(request(target, body, fields), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest request(String target, String body, Map<String, String> fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + target))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    fields.forEach(request::header);
    return request.build();
  }

  private static String chat(String system, String more, String... turns) {
    StringBuilder messages = new StringBuilder();
    messages.append("{\"role\":\"system\",\"content\":\"").append(system).append("\"}");
    for (int i = 0; i < turns.length; i++) {
      messages
          .append(",{\"role\":\"")
          .append(i % 2 == 0 ? "user" : "assistant")
          .append("\",\"content\":\"")
          .append(turns[i])
          .append("\"}");
    }
    return "{\"model\":\"m\"" + more + ",\"messages\":[" + messages + "]}";
  }

  private static String completion(String text) {
    return """
    {"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,\
    "message":{"role":"assistant","content":"%s"},"finish_reason":"stop"}]}\
    """
        .formatted(text);
  }

  private void startChat() throws IOException {
    script = asked -> ScriptedAgent.Reply.json(completion(INVENTED));
    start("profile: none-left\n    grounding: required");
  }

  private List<JsonNode> items(String state) throws Exception {
    return JSON.readTree(admin("GET", "/review?state=" + state + "&limit=100", "").body())
        .path("items")
        .valueStream()
        .toList();
  }

  private String decide(String what) throws Exception {
    List<JsonNode> pending = items("pending");
    assertThat(pending).hasSize(1);
    String id = pending.getFirst().path("id").asString("");
    assertThat(
            admin(
                    "POST",
                    "/review/" + id + "/" + what,
                    "{\"who\":\"ada\",\"note\":\"seen\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
    return id;
  }

  private static String reason(HttpResponse<String> answer) {
    return answer.headers().firstValue("Parlance-Reason").orElse("");
  }

  private static String jwt(String subject, int issued) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String payload =
        "{\"iss\":\"idp\",\"sub\":\""
            + subject
            + "\",\"iat\":"
            + issued
            + ",\"jti\":\"j"
            + issued
            + "\"}";
    return "Bearer "
        + encoder.encodeToString("{\"alg\":\"RS256\"}".getBytes(StandardCharsets.UTF_8))
        + "."
        + encoder.encodeToString(payload.getBytes(StandardCharsets.UTF_8))
        + ".c2ln"
        + issued;
  }

  // ---- the key ----

  @Test
  void Q9_Q11_askedAgainInOtherWordsRoundIt_itIsTheSameQuestion() throws Exception {
    startChat();
    String clock = "You help. It is %s, %s. Be short.";
    HttpResponse<String> held =
        send(
            CHAT,
            chat(clock.formatted("Thursday, November 26, 2026", "03:31:07"), "", QUESTION),
            Map.of("Authorization", "Bearer one", "Cookie", "s=1"));
    assertThat(held.headers().firstValue("Parlance-Route")).contains("yield");
    String id = items("pending").getFirst().path("id").asString("");
    int asked = agent.asked().size();

    String later = clock.formatted("Friday, 27 November 2026", "9:05 am");
    List<String> bodies =
        List.of(
            chat(clock.formatted("2026-11-26T04:31:07.123Z", "12:00"), "", QUESTION),
            chat(later, ",\"temperature\":0.9,\"seed\":7", QUESTION),
            chat(later, ",\"stream\":true", QUESTION),
            chat(later, "", QUESTION, "It is held, sorry. Review id: " + id, QUESTION),
            chat(later, "", QUESTION, "Held.", "Still?", "Held.", QUESTION));
    for (String body : bodies) {
      HttpResponse<String> again =
          send(CHAT, body, Map.of("Authorization", "Bearer two", "Cookie", "s=2; t=3"));
      assertThat(reason(again)).as(body).isEqualTo("review_pending");
      assertThat(again.body()).as(body).contains(id);
    }
    assertThat(agent.asked()).hasSize(asked);
    assertThat(items("pending")).hasSize(1);

    decide("release");
    HttpResponse<String> delivered =
        send(CHAT, bodies.getLast(), Map.of("Authorization", "Bearer three"));
    assertThat(reason(delivered)).isEqualTo("released");
    assertThat(delivered.body()).contains(INVENTED);
    assertThat(agent.asked()).hasSize(asked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "address",
        "subject",
        "x-api-key",
        "x-forwarded-user",
        "user",
        "model",
        "system",
        "history",
        "question"
      })
  void whoeverElseAsks_getsNothingOfIt(String other) throws Exception {
    startChat();
    Map<String, String> ann = Map.of("Authorization", jwt("ann", 1), "x-api-key", "k1");
    String asked = chat("You help ann.", ",\"user\":\"ann\"", "Hi", "Hello", QUESTION);
    send(CHAT, asked, ann);
    decide("release");
    script = _ -> ScriptedAgent.Reply.json(completion("Another answer for another one."));
    String body =
        switch (other) {
          case "user" -> asked.replace("\"user\":\"ann\"", "\"user\":\"bob\"");
          case "model" -> asked.replace("\"model\":\"m\"", "\"model\":\"n\"");
          case "system" -> asked.replace("You help ann.", "You help bob.");
          case "history" -> asked.replace("\"Hi\"", "\"Good day\"");
          case "question" -> asked.replace("impeller", "propeller");
          default -> asked;
        };
    Map<String, String> fields =
        switch (other) {
          case "subject" -> Map.of("Authorization", jwt("bob", 1), "x-api-key", "k1");
          case "x-api-key" -> Map.of("Authorization", jwt("ann", 1), "x-api-key", "k2");
          case "x-forwarded-user" ->
              Map.of("Authorization", jwt("ann", 1), "x-api-key", "k1", "x-forwarded-user", "bob");
          default -> ann;
        };
    try (HttpClient elsewhere =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.getByName("127.0.0.7"))
            .build()) {
      HttpResponse<String> answer =
          send(other.equals("address") ? elsewhere : client, CHAT, body, fields);
      assertThat(answer.body()).doesNotContain(INVENTED);
    }
    Map<String, String> renewed = Map.of("Authorization", jwt("ann", 2), "x-api-key", "k1");
    assertThat(reason(send(CHAT, asked, renewed))).isEqualTo("released");
  }

  @Test
  void anA2aQuestion_isTheSameUnderTheContextThatItsRefusalNamed_wholeOrStreamed()
      throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("profile: none-left");
    HttpResponse<String> held = post(a2a("SendMessage", "m-1", ""));
    String context = JSON.readTree(held.body()).at("/result/task/contextId").asString("");
    assertThat(context).isEqualTo("ctx-1");
    int asked = agent.asked().size();
    for (String ids : List.of("", "\"contextId\":\"ctx-1\",\"taskId\":\"t-9\",")) {
      for (String method : List.of("SendMessage", "SendStreamingMessage")) {
        assertThat(reason(post(a2a(method, "m-2", ids)))).isEqualTo("review_pending");
      }
    }
    assertThat(reason(post(a2a("SendMessage", "m-2", "\"contextId\":\"ctx-2\","))))
        .isNotEqualTo("review_pending");
    assertThat(agent.asked()).hasSize(asked + 1);
    String id = items("pending").getFirst().path("id").asString("");
    admin("POST", "/review/" + id + "/release", "{\"who\":\"ada\",\"undoMs\":0}");
    HttpResponse<String> delivered =
        post(a2a("SendStreamingMessage", "m-3", "\"contextId\":\"ctx-1\","));
    assertThat(reason(delivered)).isEqualTo("released");
    assertThat(delivered.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(delivered.body()).startsWith("data:").contains(INVENTED);
  }

  private static String a2a(String method, String messageId, String ids) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
        + method
        + "\",\"params\":{\"message\":{\"messageId\":\""
        + messageId
        + "\","
        + ids
        + "\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\""
        + QUESTION
        + "\"}]}}}";
  }

  @Test
  void aReleasedCompletion_comesAsAStreamToWhoWantsOne() throws Exception {
    startChat();
    send(CHAT, chat("You help.", "", QUESTION), NOTHING);
    decide("release");
    HttpResponse<String> delivered =
        send(CHAT, chat("You help.", ",\"stream\":true", QUESTION), NOTHING);
    assertThat(reason(delivered)).isEqualTo("released");
    assertThat(delivered.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(delivered.body())
        .contains("chat.completion.chunk")
        .contains("\"delta\":{\"role\":\"assistant\",\"content\":\"" + INVENTED)
        .endsWith("data: [DONE]\n\n");
  }

  // ---- decisions ----

  @Test
  void approvedStaysApproved_andRejectedStaysRejected() throws Exception {
    startChat();
    send(CHAT, chat("You help.", "", QUESTION), NOTHING);
    decide("release");
    assertThat(reason(send(CHAT, chat("You help.", "", QUESTION), NOTHING))).isEqualTo("released");
    await().until(() -> items("delivered").size() == 1);
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> again = send(CHAT, chat("You help.", "", QUESTION), NOTHING);
      assertThat(reason(again)).isEqualTo("released");
      assertThat(again.body()).contains(INVENTED);
    }
    assertThat(agent.asked()).hasSize(4);

    script = _ -> ScriptedAgent.Reply.json(completion("Replace it every 77 hours [c1]."));
    send(CHAT, chat("You help.", "", QUESTION), NOTHING);
    String id = decide("reject");
    int asked = agent.asked().size();
    for (int i = 1; i <= 3; i++) {
      HttpResponse<String> again = send(CHAT, chat("You help.", "", QUESTION), NOTHING);
      assertThat(reason(again)).isEqualTo("rejected");
      assertThat(again.body()).contains(id).contains("seen").doesNotContain("77 hours");
      assertThat(agent.asked()).as("asked once each time, never to mend it").hasSize(asked + i);
    }
    assertThat(items("pending")).isEmpty();
  }

  @Test
  void whoAsksWhileTheReleasedAnswerIsOnItsWay_getsItAsWell_andItIsSpentOnce() throws Exception {
    startChat();
    send(CHAT, chat("You help.", "", QUESTION), NOTHING);
    int asked = agent.asked().size();
    decide("release");
    HttpRequest again = request(CHAT, chat("You help.", "", QUESTION), NOTHING);
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      answers.add(client.sendAsync(again, HttpResponse.BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      HttpResponse<String> arrived = answer.get(60, TimeUnit.SECONDS);
      assertThat(reason(arrived)).isEqualTo("released");
      assertThat(arrived.body()).contains(INVENTED);
    }
    await().until(() -> items("delivered").size() == 1);
    assertThat(items("pending")).isEmpty();
    assertThat(agent.asked().size()).as("at most who came after it").isLessThan(asked + 4);
  }

  @Test
  void aDecidedItem_canBeReadWithDraftsAndEvidence_alsoAfterARestart() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("");
    ask(QUESTION, "1");
    String id = decide("reject");
    for (int round = 0; round < 2; round++) {
      JsonNode item = JSON.readTree(admin("GET", "/review/" + id, "").body());
      assertThat(item.path("question").asString("")).isEqualTo(QUESTION);
      assertThat(item.path("answer").asString("")).isEqualTo(INVENTED);
      assertThat(item.path("drafts").valueStream().map(draft -> draft.asString("")))
          .containsExactly(INVENTED);
      assertThat(item.at("/evidence/0/id").asString("")).isEqualTo("c1");
      assertThat(item.at("/evidence/0/text").asString("")).isEqualTo(FACT + ".");
      sidecar.close();
      start("");
    }
  }

  // ---- through a second sidecar ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void Q14_whatWasReleasedAtTheFirst_passesTheSecondThatTrustsIt(boolean trusts) throws Exception {
    startChat();
    int first = sidecar.inboundPort().orElseThrow();
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
        review: { trustFrom: [%s] }
        routes:
          - { name: all, profile: none-left, grounding: required }
        """
            .formatted(trusts ? "\"127.0.0.1:" + first + "\"" : ""));
    String body = chat("You help.", "", QUESTION);
    try (Sidecar second =
            Sidecar.start(
                ConfigLoader.load(file).loaded().orElseThrow(),
                file,
                Cores.NONE,
                Gate.PeerResolver.NONE);
        HttpClient agentA =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(
                    ProxySelector.of(
                        new InetSocketAddress("127.0.0.1", second.outboundPort().orElseThrow())))
                .build()) {
      send(client, CHAT, body, NOTHING);
      decide("release");
      HttpResponse<String> answer = send(agentA, CHAT, body, NOTHING);
      if (trusts) {
        assertThat(reason(answer)).isEqualTo("released");
        assertThat(answer.body()).contains(INVENTED);
        assertThat(answer.headers().firstValue("Parlance-Peer").orElse(""))
            .startsWith("route=execute; reason=\"released\"; decision=d-");
      } else {
        assertThat(answer.headers().firstValue("Parlance-Route")).contains("yield");
        assertThat(answer.headers().firstValue("Parlance-Peer")).isEmpty();
      }
    }
  }

  // ---- spent only when arrived ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void Q10_whoGoesRightAfterAsking_leavesTheReleaseToWhoComesBack(boolean reset) throws Exception {
    startChat();
    String body = chat("You help.", "", QUESTION);
    send(CHAT, body, NOTHING);
    decide("release");
    for (int i = 0; i < 5; i++) {
      try (Socket caller =
          new Socket(InetAddress.getLoopbackAddress(), sidecar.inboundPort().orElseThrow())) {
        write(caller, body);
        if (reset) {
          caller.setSoLinger(true, 0);
        }
      }
    }
    await().pollDelay(Duration.ofMillis(300)).until(() -> items("released").size() == 1);
    assertThat(
            reason(
                await().until(() -> send(CHAT, body, NOTHING), a -> a.body().contains(INVENTED))))
        .isEqualTo("released");
    assertThat(agent.asked()).hasSize(1);
    await().until(() -> items("delivered").size() == 1);
  }

  @Test
  void Q10_whoTakesOnlyAPart_leavesTheReleaseToWhoComesBack() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(completion((INVENTED + " ").repeat(BIG)));
    start("profile: none-left\n    grounding: required");
    String body = chat("You help.", "", QUESTION);
    send(CHAT, body, NOTHING);
    decide("release");
    try (Socket caller = new Socket()) {
      caller.setReceiveBufferSize(4096);
      caller.connect(
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), sidecar.inboundPort().orElseThrow()));
      write(caller, body);
      InputStream in = caller.getInputStream();
      assertThat(in.readNBytes(1000)).hasSize(1000);
      caller.setSoLinger(true, 0);
    }
    await().until(() -> send(CHAT, body, NOTHING).body().length() > INVENTED.length() * BIG);
    assertThat(agent.asked()).hasSize(1);
    await().until(() -> items("delivered").size() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reset", "goaway"})
  void Q10_overHttp2_aStreamThatIsResetGivesItBack(String how) throws Exception {
    startChat();
    String body = chat("You help.", "", QUESTION);
    send(CHAT, body, NOTHING);
    decide("release");
    var out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(out, 4, 0, 0, new byte[0]);
    var head = new ByteArrayOutputStream();
    field(head, ":method", "POST");
    field(head, ":scheme", "http");
    field(head, ":authority", "agent");
    field(head, ":path", CHAT);
    field(head, "content-type", "application/json");
    frame(out, 1, 4, 1, head.toByteArray());
    frame(out, 0, 1, 1, body.getBytes(StandardCharsets.UTF_8));
    boolean reset = how.equals("reset");
    frame(out, reset ? 3 : 7, 0, reset ? 1 : 0, reset ? new byte[] {0, 0, 0, 8} : new byte[8]);
    List<Socket> callers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Socket caller =
          new Socket(InetAddress.getLoopbackAddress(), sidecar.inboundPort().orElseThrow());
      callers.add(caller);
      caller.getOutputStream().write(out.toByteArray());
      caller.getOutputStream().flush();
      if (!reset) {
        caller.close();
      }
    }
    await().until(() -> reason(send(CHAT, body, NOTHING)).equals("released"));
    assertThat(agent.asked()).hasSize(1);
    await().until(() -> items("delivered").size() == 1);
    for (Socket caller : callers) {
      caller.close();
    }
  }

  private static void frame(
      ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
    out.writeBytes(
        new byte[] {
          0,
          (byte) (payload.length >>> 8),
          (byte) payload.length,
          (byte) type,
          (byte) flags,
          0,
          0,
          0,
          (byte) stream
        });
    out.writeBytes(payload);
  }

  /** A field that is not indexed, without Huffman coding. */
  private static void field(ByteArrayOutputStream head, String name, String value) {
    head.write(0);
    for (String text : List.of(name, value)) {
      head.write(text.length());
      head.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void write(Socket caller, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "POST "
            + CHAT
            + " HTTP/1.1\r\nHost: agent\r\nContent-Type: application/json\r\nContent-Length: "
            + bytes.length
            + "\r\n\r\n";
    caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    caller.getOutputStream().write(bytes);
    caller.getOutputStream().flush();
  }

  @Test
  void anAnswerThatIsSentBack_isAskedForAgain_withThePersonsWords() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("");
    ask(QUESTION, "1");
    String id = decide("send-back");
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(asked.text().contains("seen") ? FACT + " [c1]." : INVENTED, idOf(asked)));
    int asked = agent.asked().size();
    HttpResponse<String> better = ask(QUESTION, "2");
    assertThat(better.body()).contains(FACT).doesNotContain(INVENTED);
    assertThat(agent.asked()).hasSize(asked + 2);
    assertThat(JSON.readTree(admin("GET", "/review/" + id, "").body()).path("state").asString(""))
        .isEqualTo("sent_back");
    assertThat(items("pending")).isEmpty();
  }

  @Test
  void whereNobodyCanBeAskedAgain_whatIsSentBackIsRefused_withThePersonsWords() throws Exception {
    startChat();
    send(CHAT, chat("You help.", "", QUESTION), NOTHING);
    String id = decide("send-back");
    HttpResponse<String> again = send(CHAT, chat("You help.", "", QUESTION), NOTHING);
    assertThat(reason(again)).isEqualTo("rejected");
    assertThat(again.body()).contains(id).contains("seen").doesNotContain(INVENTED);
    assertThat(items("pending")).isEmpty();
  }
}
