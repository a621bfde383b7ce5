package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a person sends back is asked for at once, where the route wants that. */
@NullMarked
class NextDraftTest extends SidecarFixture {
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String NOTE = "Name the hours, and cite where they stand.";
  private static final String ASK_AGAIN = "profile: none-left\n    review: { askAgain: true }";

  private void answers(String first, String withTheNote) {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(asked.text().contains(NOTE) ? withTheNote : first, idOf(asked)));
  }

  private JsonNode item(String id) throws Exception {
    return JSON.readTree(admin("GET", "/review/" + id, "").body());
  }

  private String held() throws Exception {
    ask(QUESTION, "1");
    JsonNode items = JSON.readTree(admin("GET", "/review?state=pending", "").body()).path("items");
    assertThat(items).hasSize(1);
    return items.get(0).path("id").asString("");
  }

  private JsonNode sendBack(String id) throws Exception {
    String body = JSON.writeValueAsString(Map.of("who", "ada", "note", NOTE, "undoMs", 0));
    HttpResponse<String> reply = admin("POST", "/review/" + id + "/send-back", body);
    assertThat(reply.statusCode()).isEqualTo(200);
    return JSON.readTree(reply.body());
  }

  private JsonNode becomes(String id, String pointer, String value) {
    Awaitility.await().until(() -> item(id).at(pointer).asString("").contains(value));
    try {
      return item(id);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theNewDraftStandsInTheSameItem_besideTheOld_andWaitsForAPerson() throws Exception {
    answers(INVENTED, GROUNDED);
    start(ASK_AGAIN);
    String id = held();
    int asked = agent.asked().size();

    assertThat(sendBack(id).path("state").asString()).isEqualTo("pending");
    JsonNode item = becomes(id, "/answer", FACT);

    assertThat(agent.asked()).hasSize(asked + 1);
    assertThat(agent.asked().getLast().text()).contains(NOTE).contains(QUESTION);
    assertThat(item.path("state").asString()).isEqualTo("pending");
    assertThat(item.path("review").path("phase").asString()).isEqualTo("open");
    assertThat(item.path("review").path("voted").asInt()).isZero();
    assertThat(item.path("drafts").valueStream().map(JsonNode::asString)).containsExactly(INVENTED);
    assertThat(item.path("reasons").valueStream().map(JsonNode::asString)).containsExactly("ok");
    JsonNode judged = JSON.readTree(admin("GET", "/review/" + id + "/judgement", "").body());
    assertThat(judged.path("count").asInt()).isEqualTo(2);
    assertThat(reason(ask(QUESTION, "2"))).isEqualTo("review_pending");
    // the log is written by a thread of its own
    Awaitility.await()
        .untilAsserted(() ->
            assertThat(Files.readString(folder.resolve("data/decisions.jsonl")))
                .contains("\"send_back\"", "\"redraft\""));

    assertThat(
            admin("POST", "/review/" + id + "/release", "{\"who\":\"bob\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
    HttpResponse<String> delivered = ask(QUESTION, "3");
    assertThat(delivered.body()).contains(FACT).doesNotContain(INVENTED);
    assertThat(agent.asked()).hasSize(asked + 1);
  }

  @Test
  void aDraftThatIsNoBetter_canBeSentBackAgain() throws Exception {
    answers(INVENTED, INVENTED + " Truly.");
    start(ASK_AGAIN);
    String id = held();
    sendBack(id);
    becomes(id, "/answer", "Truly.");
    answers(INVENTED, GROUNDED);

    sendBack(id);

    JsonNode item = becomes(id, "/answer", FACT);
    assertThat(item.path("drafts").valueStream().map(JsonNode::asString))
        .containsExactly(INVENTED, INVENTED + " Truly.");
  }

  @Test
  void anAgentThatGivesNone_leavesItSentBack() throws Exception {
    answers(INVENTED, GROUNDED);
    start(ASK_AGAIN);
    String id = held();
    script =
        _ -> new ScriptedAgent.Reply(500, "text/plain", "broken".getBytes(StandardCharsets.UTF_8));

    sendBack(id);

    assertThat(becomes(id, "/state", "sent_back").path("answer").asString()).contains(INVENTED);
  }

  @Test
  void anAnswerThatSaysThatItActed_isNotAskedForAgain() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                """
                {"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"t-1","contextId":"ctx-1",\
                "status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"a-1",\
                "role":"ROLE_AGENT","parts":[{"text":"%s"}]}}}}}\
                """
                    .formatted(idOf(asked), INVENTED));
    start(ASK_AGAIN + "\n    grounding: required");
    String id = held();
    int asked = agent.asked().size();

    assertThat(sendBack(id).path("state").asString()).isEqualTo("sent_back");

    assertThat(agent.asked()).hasSize(asked);
  }

  @Test
  void byDefault_itsCallerHasToAskFirst() throws Exception {
    answers(INVENTED, GROUNDED);
    start("profile: none-left");
    String id = held();
    int asked = agent.asked().size();
    assertThat(sendBack(id).path("state").asString()).isEqualTo("sent_back");
    assertThat(agent.asked()).hasSize(asked);
  }

  private static String reason(HttpResponse<String> answer) {
    return answer.headers().firstValue("Parlance-Reason").orElse("");
  }

  @Test
  void whatIsUndoneInTime_asksNobody() throws Exception {
    answers(INVENTED, GROUNDED);
    start(ASK_AGAIN);
    String id = held();
    int asked = agent.asked().size();
    String body = JSON.writeValueAsString(Map.of("who", "ada", "note", NOTE));
    assertThat(admin("POST", "/review/" + id + "/send-back", body).statusCode()).isEqualTo(200);
    assertThat(admin("POST", "/review/" + id + "/undo", "{\"who\":\"ada\"}").statusCode())
        .isEqualTo(200);
    assertThat(List.copyOf(agent.asked())).hasSize(asked);
    assertThat(item(id).path("answer").asString()).contains(INVENTED);
  }
}
