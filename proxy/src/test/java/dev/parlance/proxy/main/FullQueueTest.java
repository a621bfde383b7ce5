package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What callers see of a review queue that has no room left, and what is asked of the agent. */
class FullQueueTest extends SidecarFixture {
  private static final String QUESTION = "When must the impeller be replaced?";

  @Override
  void start(String bounds) throws IOException {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    super.start("metadata: true\nreview: { " + bounds + " }");
  }

  private String fill() throws Exception {
    assertThat(ask(QUESTION, "1").headers().firstValue("Parlance-Route")).contains("yield");
    assertThat(agent.asked()).hasSize(2);
    return JSON.readTree(admin("GET", "/review", "").body()).at("/items/0/id").asString("");
  }

  @Test
  void Q12_aFullQueue_isSaidBeforeTheAgentIsAsked_inEveryProtocol() throws Exception {
    start("capacity: 1");
    String id = fill();

    HttpResponse<String> rpc = ask("Who replaces the impeller?", "2");
    assertThat(rpc.statusCode()).isEqualTo(200);
    JsonNode error = JSON.readTree(rpc.body()).path("error");
    assertThat(error.path("code").asInt()).isEqualTo(-32082);
    assertThat(error.at("/data/0/reason").asString("")).isEqualTo("QUEUE_FULL");
    assertThat(error.path("data").toString())
        .contains("google.rpc.RetryInfo\",\"retryDelay\":\"30s");
    assertThat(rpc.headers().firstValue("Retry-After")).contains("30");
    assertThat(rpc.headers().firstValue("Parlance-Reason")).contains("queue_full");

    refused(
        "/message:send",
        "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\","
            + "\"parts\":[{\"text\":\"Who?\"}]}}",
        "UNAVAILABLE");
    refused(
        "/v1/chat/completions",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Who?\"}]}",
        "queue_full");
    HttpResponse<String> tool =
        post(
            "/mcp",
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"t\","
                + "\"arguments\":{\"question\":\"Who?\"}}}");
    assertThat(tool.body()).contains("\"isError\":true").contains("try again in 30 seconds");

    assertThat(agent.asked()).hasSize(2);
    assertThat(scrape())
        .contains("parlance_review_queue_capacity 1.0")
        .contains("parlance_review_queue_depth 1.0")
        .contains("parlance_rejected_total{layer=\"review\",reason=\"queue_full\"} 4.0")
        .doesNotContain("parlance_review_queue_bytes 0.0");

    assertThat(
            admin("POST", "/review/" + id + "/release", "{\"who\":\"ada\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
    assertThat(ask("Who replaces the impeller?", "3").headers().firstValue("Parlance-Route"))
        .contains("yield");
    assertThat(agent.asked()).hasSize(4);
    assertThat(ask(QUESTION, "4").headers().firstValue("Parlance-Reason"))
        .as("what was released is collected while the queue is full")
        .contains("released");
    assertThat(agent.asked()).hasSize(4);
  }

  private void refused(String target, String body, String code) throws Exception {
    HttpResponse<String> refused = post(target, body);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("30");
    assertThat(refused.body()).contains(code);
  }
}
