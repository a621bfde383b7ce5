package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What an agent or a caller tries who wants a message to pass unread, twice or to another. */
class SidecarAttackTest extends SidecarFixture {
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String EVIL_PART = "{\"parts\":[{\"text\":\"" + INVENTED + "\"}]}";

  // ---- text where nobody looks ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"task\":{\"id\":\"t\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\",\"message\":\"@\"}}}",
        "{\"task\":{\"id\":\"t\",\"status\":\"@\"}}",
        "{\"task\":{\"id\":\"t\",\"artifacts\":{\"a\":{\"parts\":[{\"text\":\"@\"}]}}}}",
        "{\"task\":{\"id\":\"t\",\"artifacts\":[\"@\"]}}",
        "{\"task\":{\"id\":\"t\",\"history\":{\"a\":\"@\"}}}",
        "{\"task\":{\"id\":\"t\",\"history\":[\"@\"]}}"
      })
  void B10_textInATaskOfTheWrongShapeDoesNotPassAsATaskThatSaysNothing(String result)
      throws Exception {
    script = asked -> ScriptedAgent.Reply.json(envelope(result.replace("@", INVENTED), "1"));
    start("");
    HttpResponse<String> answer = ask(QUESTION, "1");
    assertThat(answer.body()).doesNotContain("friendly specialists").contains("-32083");
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains("bad_message");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"kind\":\"message\",\"parts\":[{\"kind\":\"text\",\"text\":\"@\"}]",
        "\"artifacts\":[{\"parts\":[{\"text\":\"@\"}]}]",
        "\"status\":{\"message\":{\"parts\":[{\"text\":\"@\"}]}}"
      })
  void B10_anAnswerInBothGenerationsOfTheProtocolAtOnceIsRefused(String other) throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(GROUNDED, "1")
                    .replace("\"result\":{", "\"result\":{" + other.replace("@", INVENTED) + ","));
    start("");
    HttpResponse<String> answer = ask(QUESTION, "1");
    assertThat(answer.body()).doesNotContain("friendly specialists").contains("-32083");
  }

  @Test
  void B10_anOldMessageWithATaskBesideItIsRefused() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                envelope(
                    "{\"kind\":\"message\",\"messageId\":\"a\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\""
                        + GROUNDED
                        + "\"}],\"artifacts\":["
                        + EVIL_PART
                        + "]}",
                    "1"));
    start("");
    HttpResponse<String> answer = post(request("message/send", QUESTION, ""));
    assertThat(answer.body()).doesNotContain("friendly specialists").contains("-32083");
  }

  @Test
  void B10_theAnswerToAnotherRequestIsRefused() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(GROUNDED, "99"));
    start("");
    HttpResponse<String> refused = ask("When must the impeller be replaced?", "1");
    assertThat(refused.body()).contains("-32083").contains("bad_message");
    assertThat(refused.body()).doesNotContain("radial play");
  }

  @Test
  void aProtocolErrorPassesAndSaysThatItsTextWasNotJudged() throws Exception {
    String error =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\""
            + INVENTED
            + "\"}}";
    script = asked -> ScriptedAgent.Reply.json(error);
    start("");
    HttpResponse<String> answer = ask(QUESTION, "1");
    assertThat(answer.body()).isEqualTo(error);
    assertSaidToBeUnjudged(answer);
    assertThat(scrape()).contains("parlance_unjudged_total{policy=\"warn\",what=\"error_text\"} 1");
  }

  @Test
  void aTaskThatOnlyItsHistorySpeaksForIsJudgedByIt() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                envelope(
                    "{\"task\":{\"id\":\"t\",\"history\":[{\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\""
                        + INVENTED
                        + "\"}]}]}}",
                    "1"));
    start("");
    HttpResponse<String> answer = ask(QUESTION, "1");
    assertThat(answer.headers().firstValue("Parlance-Route")).contains("warn");
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains("no_evidence");
  }

  @Test
  void theAnswerToARequestThatNobodyCouldReadSaysThatItWasNotJudged() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, "5"));
    start("onUnjudged: warn");
    HttpResponse<String> answer =
        post("[{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"Nope\",\"params\":{}}]");
    assertThat(answer.body()).isEqualTo(message(INVENTED, "5"));
    assertSaidToBeUnjudged(answer);
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"warn\",what=\"unread_request\"} 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"choices\":[{\"text\":\"@\"}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"@\"}}]}",
        "{\"choices\":[],\"output_text\":\"@\"}",
        "{\"choices\":[\"@\"]}",
        "{\"choices\":[{\"message\":\"@\"}]}"
      })
  void aCompletionOfAnotherShapeDoesNotSlipBySilently(String completion) throws Exception {
    script = asked -> ScriptedAgent.Reply.json(completion.replace("@", INVENTED));
    start("");
    HttpResponse<String> answer =
        post(
            "/v1/chat/completions",
            "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\""
                + "A contributor is any entity that submits a work to the licensor."
                + "\"},{\"role\":\"user\",\"content\":\""
                + QUESTION
                + "\"}]}");
    assertThat(answer.body()).doesNotContain("friendly specialists");
    assertThat(answer.headers().firstValue("Parlance-Reason")).isPresent();
  }

  @Test
  void B10_aRequestThatIsDeclaredToBeTwoThingsIsRefused() throws Exception {
    start("");
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                .header("Content-Type", "application/json")
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(request("SendMessage", QUESTION, "")))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains("bad_message");
    assertThat(agent.asked()).isEmpty();
  }

  @Test
  void whoNamesTheConversationOfAnotherDoesNotSpendItsBudget() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, "1"));
    start("");
    String ask = request("SendMessage", QUESTION, "\"contextId\":\"shared\",");
    try (HttpClient other =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.getByName("127.0.0.2"))
            .build()) {
      HttpResponse<String> spent =
          other.send(
              HttpRequest.newBuilder(
                      URI.create(
                          "http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a"))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(ask))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(spent.headers().firstValue("Parlance-Route")).contains("yield");
    }
    assertThat(agent.asked()).hasSize(2);
    post(ask);
    assertThat(agent.asked()).hasSize(4);
    post(ask);
    assertThat(agent.asked()).as("its answer waits").hasSize(4);
  }

  // ---- released answers and requests ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"contextId\":\"of-somebody-else\",",
        "\"taskId\":\"another\",",
      })
  void aReleasedAnswerStaysInTheConversationThatAskedForIt(String ids) throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, "1"));
    start("repair: off");
    holdAndRelease(request("SendMessage", "yes please, go on with it", ""));
    script = asked -> ScriptedAgent.Reply.json(message(GROUNDED, "1"));

    HttpResponse<String> other = post(request("SendMessage", "yes please, go on with it", ids));
    assertThat(other.headers().firstValue("Parlance-Reason").orElse("")).isNotEqualTo("released");
    HttpResponse<String> same = post(request("SendMessage", "yes please, go on with it", ""));
    assertThat(same.headers().firstValue("Parlance-Reason")).contains("released");
  }

  @Test
  void aReleasedAnswerIsNotGivenInTheOtherGenerationOfTheProtocol() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, "1"));
    start("repair: off");
    holdAndRelease(request("SendMessage", QUESTION, ""));
    HttpResponse<String> other = post(request("message/send", QUESTION, ""));
    assertThat(other.headers().firstValue("Parlance-Reason").orElse("")).isNotEqualTo("released");
  }

  @Test
  void aReleasedAnswerIsNotGivenToAnotherQuery() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, "1"));
    start("repair: off");
    holdAndRelease(request("SendMessage", QUESTION, ""));
    HttpResponse<String> other = post("/a2a?tenant=other", request("SendMessage", QUESTION, ""));
    assertThat(other.headers().firstValue("Parlance-Reason").orElse("")).isNotEqualTo("released");
  }

  @Test
  void theReleasedAnswerToAQueryOfATaskIsDelivered() throws Exception {
    String result =
        "{\"id\":\"t1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"},\"artifacts\":["
            + "{\"artifactId\":\"x\",\"parts\":[{\"text\":\""
            + INVENTED
            + "\"}]}]}";
    script = asked -> ScriptedAgent.Reply.json(envelope(result, "1"));
    start("grounding: required");
    String get = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"t1\"}}";
    holdAndRelease(get);
    HttpResponse<String> other = post(get.replace("t1", "t2"));
    assertThat(other.headers().firstValue("Parlance-Reason").orElse("")).isNotEqualTo("released");
    HttpResponse<String> delivered = post(get);
    assertThat(delivered.headers().firstValue("Parlance-Reason")).contains("released");
    assertThat(delivered.body()).contains("friendly specialists");
  }

  @Test
  void aReleasedAnswerThatCameWithoutAnIdIsDeliveredUnderTheCallersId() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(INVENTED, "1").replace("\"id\":1,\"result", "\"result"));
    start("repair: off");
    holdAndRelease(request("SendMessage", QUESTION, ""));
    HttpResponse<String> delivered = post(request("SendMessage", QUESTION, ""));
    assertThat(delivered.headers().firstValue("Parlance-Reason")).contains("released");
    assertThat(JSON.readTree(delivered.body()).path("id").intValue()).isEqualTo(1);
  }

  @Test
  void howeverManyAskForAReleaseAtOnce_itIsSpentOnce_andNobodyGetsAnythingElseUnjudged()
      throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, "1"));
    start("repair: off");
    String ask = request("SendMessage", QUESTION, "");
    holdAndRelease(ask);
    script = asked -> ScriptedAgent.Reply.json(message(GROUNDED, "1"));
    List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      calls.add(
          CompletableFuture.supplyAsync(() -> {
            try {
              return post(ask);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }));
    }
    List<HttpResponse<String>> answers = calls.stream().map(CompletableFuture::join).toList();
    assertThat(answers)
        .allSatisfy(answer ->
            assertThat(answer.body())
                .contains(reason(answer).equals("released") ? INVENTED : GROUNDED));
    assertThat(answers).anySatisfy(answer -> assertThat(reason(answer)).isEqualTo("released"));
    await()
        .until(() ->
            JSON.readTree(admin("GET", "/review?state=delivered", "").body()).path("total").asInt()
                == 1);
  }

  private static String reason(HttpResponse<String> answer) {
    return answer.headers().firstValue("Parlance-Reason").orElse("");
  }

  @Test
  void N2_aReleasedRequestThatTheAgentNeverGotStaysReleased() throws Exception {
    start("requestGrounding: required\n    profile: none-left");
    HttpResponse<String> held = post(ungroundedRequest());
    assertThat(held.headers().firstValue("Parlance-Route")).contains("yield");
    release();
    ScriptedAgent first = agent;
    int port = first.port();
    first.close();
    assertThat(post(ungroundedRequest()).body()).contains("-32083");
    agent = new ScriptedAgent(asked -> script.apply(asked), port);
    HttpResponse<String> passed = post(ungroundedRequest());
    assertThat(agent.asked()).hasSize(1);
    assertThat(agent.asked().getFirst().fields().get("Parlance-reason"))
        .containsExactly("released");
    assertThat(passed.statusCode()).isEqualTo(200);
    HttpResponse<String> again = post(ungroundedRequest());
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(agent.asked()).as("approved stays approved").hasSize(2);
    assertThat(agent.asked().getLast().fields().get("Parlance-reason")).containsExactly("released");
  }

  @Test
  void aReleasedRequestDoesNotCarryAPartThatThePersonDidNotSee() throws Exception {
    start("requestGrounding: required\n    binary: block\n    profile: none-left");
    post(ungroundedRequest());
    release();
    HttpResponse<String> smuggled =
        post(
            ungroundedRequest()
                .replace("\"}]}}}", "\"},{\"url\":\"http://192.0.2.1/x\",\"filename\":\"x\"}]}}}"));
    assertThat(smuggled.headers().firstValue("Parlance-Reason")).contains("unjudged");
    assertThat(agent.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"block,false,unjudged", "warn,true,unjudged", "allow,true,ok"})
  void B10_aPartThatNobodyReadsFollowsTheRoutesPolicy(String policy, boolean passes, String reason)
      throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(GROUNDED, "1")
                    .replace(
                        "\"}],\"metadata\"",
                        "\"},{\"raw\":\"AAAA\",\"mediaType\":\"image/png\"}],\"metadata\""));
    start(
        switch (policy) {
          case "block" -> "binary: block";
          case "warn" -> "binary: pass";
          default -> "onUnjudged: " + policy;
        });
    HttpResponse<String> answer = ask(QUESTION, "1");
    assertThat(answer.body().contains("image/png")).isEqualTo(passes);
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains(reason);
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"" + policy + "\",what=\"binary_part\"} 1");
  }

  // ---- helpers ----

  private static void assertSaidToBeUnjudged(HttpResponse<String> answer) {
    assertThat(answer.headers().firstValue("Parlance-Route")).contains("warn");
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains("unjudged");
  }

  /** Asks until the answer is held, and lets a person release it. */
  private void holdAndRelease(String body) throws Exception {
    String route = "";
    for (int i = 0; i < 4 && !route.equals("yield"); i++) {
      route = post(body).headers().firstValue("Parlance-Route").orElse("");
    }
    assertThat(route).isEqualTo("yield");
    release();
  }

  private void release() throws Exception {
    JsonNode items = JSON.readTree(admin("GET", "/review?state=pending", "").body()).path("items");
    assertThat(items.size()).isEqualTo(1);
    String id = items.get(0).path("id").asString("");
    assertThat(
            admin(
                    "POST",
                    "/review/" + id + "/release",
                    "{\"who\":\"ada\",\"note\":\"fine\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
  }

  private static String ungroundedRequest() {
    return request("SendMessage", INVENTED, "");
  }

  private static String request(String method, String text, String ids) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
        + method
        + "\",\"params\":{\"message\":{\"messageId\":\"m-1\",\"role\":\""
        + (method.equals("SendMessage") ? "ROLE_USER" : "user")
        + "\","
        + ids
        + "\"parts\":[{\"text\":\""
        + text
        + "\"}]}}}";
  }

  private static String envelope(String result, String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
  }
}
