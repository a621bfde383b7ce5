package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Why a message was held, in places, and what the judge would say of other words. */
@NullMarked
class JudgementsThroughSidecarTest extends SidecarFixture {
  private static final String QUESTION = "When must the impeller be replaced?";

  private String held(String more) throws Exception {
    AtomicInteger drafts = new AtomicInteger();
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(INVENTED + " Draft " + drafts.incrementAndGet() + ".", idOf(asked)));
    start(more);
    ask(QUESTION, "1");
    return JSON.readTree(admin("GET", "/review", "").body()).at("/items/0/id").asString("");
  }

  private static List<String> marked(JsonNode judgement, String answer, boolean supported) {
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>();
    for (JsonNode word : judgement.path("words")) {
      boolean found = word.has("evidence") || word.has("question") || word.has("otherwise");
      if (found == supported) {
        int from = word.path("from").asInt();
        words.add(new String(bytes, from, word.path("to").asInt() - from, StandardCharsets.UTF_8));
      }
    }
    return words;
  }

  @Test
  void everyDraftOfAHeldMessage_isJudgedOnceMore_alsoAfterARestart() throws Exception {
    String id = held("");
    for (int round = 0; round < 2; round++) {
      JsonNode all = JSON.readTree(admin("GET", "/review/" + id + "/judgement", "").body());
      assertThat(all.path("question").asString("")).isEqualTo(QUESTION);
      assertThat(all.at("/evidence/0/text").asString("")).isEqualTo(FACT + ".");
      int count = all.path("count").asInt();
      assertThat(count).isGreaterThan(1);
      assertThat(all.path("drafts")).hasSize(count);
      for (int draft = 1; draft <= count; draft++) {
        JsonNode one = all.path("drafts").path(draft - 1);
        assertThat(one.path("attempt").asInt()).isEqualTo(draft);
        assertThat(one.path("answer").asString("")).endsWith("Draft " + draft + ".");
        JsonNode judgement = one.path("judgement");
        assertThat(judgement.path("reasons")).isNotEmpty();
        assertThat(marked(judgement, one.path("answer").asString(""), false))
            .contains("Draft", Integer.toString(draft));
        assertThat(judgement.path("claims")).isNotEmpty();
      }
      JsonNode last =
          JSON.readTree(admin("GET", "/review/" + id + "/judgement?draft=" + count, "").body());
      assertThat(last.path("drafts")).hasSize(1);
      assertThat(last.at("/drafts/0")).isEqualTo(all.path("drafts").path(count - 1));
      sidecar.close();
      start("");
    }
  }

  @Test
  void otherWords_areJudgedAgainstTheSameEvidence_andSentToNobody() throws Exception {
    String id = held("");
    int asked = agent.asked().size();
    String before = admin("GET", "/review/" + id, "").body();

    ObjectNode body = JSON.createObjectNode().put("answer", FACT + " [c1].");
    HttpResponse<String> good =
        admin("POST", "/review/" + id + "/judgement", JSON.writeValueAsString(body));
    assertThat(good.statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(good.body()).path("route").asString("")).isEqualTo("execute");

    body.set("evidence", JSON.createArrayNode());
    assertThat(
            admin("POST", "/review/" + id + "/judgement", JSON.writeValueAsString(body))
                .statusCode())
        .as("evidence of its own")
        .isEqualTo(400);
    assertThat(agent.asked()).hasSize(asked);
    assertThat(JSON.readTree(admin("GET", "/review/" + id, "").body()).path("state"))
        .isEqualTo(JSON.readTree(before).path("state"));
    assertThat(admin("GET", "/review/" + id + "/judgement?draft=77", "").statusCode())
        .isEqualTo(404);
  }

  @Test
  void textsAlone_areJudged_byRouteOrByProfile() throws Exception {
    start("");
    ObjectNode body =
        JSON.createObjectNode()
            .put("question", "How long?")
            .put("answer", "It lasts 36 months [c1].");
    body.putArray("evidence").addObject().put("id", "c1").put("text", "It lasts 24 months.");

    JsonNode judged = JSON.readTree(post(body));
    assertThat(judged.at("/claims/0/changes/0/code").asString("")).isEqualTo("number_changed");
    assertThat(marked(judged, "It lasts 36 months [c1].", false)).containsExactly("36");
    JsonNode paper = JSON.readTree(post(body.put("profile", "asp-paper")));
    assertThat(paper.path("claims")).isEmpty();
    assertThat(marked(paper, "It lasts 36 months [c1].", false)).containsExactly("36", "c1");
    assertThat(post(body.put("profile", "none-such"))).contains("unknown_profile");
    body.remove("profile");
    assertThat(post(body.put("route", "none-such"))).contains("unknown_route");
    assertThat(JSON.readTree(admin("GET", "/decisions", "").body()).path("decisions")).isEmpty();
  }

  private String post(ObjectNode body) throws Exception {
    return admin("POST", "/judgement", JSON.writeValueAsString(body)).body();
  }

  @Test
  void evidenceBeyondTheBound_isNotKept_andThatIsSaid() throws Exception {
    String id = held("mode: enforce\nreview: { evidenceBytes: 20 }");

    JsonNode item = JSON.readTree(admin("GET", "/review/" + id, "").body());
    JsonNode judged = JSON.readTree(admin("GET", "/review/" + id + "/judgement", "").body());

    assertThat(item.path("evidenceCut").asBoolean()).isTrue();
    assertThat(item.at("/evidence/0/text").asString("")).isEqualTo(FACT.substring(0, 20));
    assertThat(judged.path("evidenceCut").asBoolean()).isTrue();
    assertThat(judged.at("/evidence/0/text").asString("")).isEqualTo(FACT.substring(0, 20));
  }
}
