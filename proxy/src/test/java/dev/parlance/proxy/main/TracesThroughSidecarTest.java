package dev.parlance.proxy.main;

import static dev.parlance.proxy.trace.FakeCollector.events;
import static dev.parlance.proxy.trace.FakeCollector.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.trace.FakeCollector;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A sidecar that exports traces to a collector: its spans, and what the agent sees of them. */
class TracesThroughSidecarTest extends SidecarFixture {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";
  private static final String PARENT = "00-" + TRACE + "-" + CALLER + "-01";
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final int ERROR = 2;

  private FakeCollector collector = unstarted();

  @BeforeEach
  void startCollector() throws IOException {
    collector = new FakeCollector();
  }

  @AfterEach
  void stopCollector() {
    collector.close();
  }

  private String traces(String more) {
    return "\ntraces: { endpoint: '%s', intervalMs: 10%s }\n".formatted(collector.url(), more);
  }

  private HttpResponse<String> send(String... fields) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/a2a?k=v"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0");
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return client.send(
        request
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{"
                        + "\"messageId\":\"m-1\",\"contextId\":\"ctx-1\",\"role\":\"ROLE_USER\","
                        + "\"parts\":[{\"text\":\""
                        + QUESTION
                        + "\"}]}}}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private List<JsonNode> spans(int atLeast) {
    await().atMost(60, TimeUnit.SECONDS).until(() -> collector.spans().size() >= atLeast);
    return collector.spans();
  }

  private Optional<String> agentSaw(String field) {
    return agent.asked().getLast().fields().entrySet().stream()
        .filter(one -> one.getKey().equalsIgnoreCase(field))
        .map(one -> String.join(", ", one.getValue()))
        .findFirst();
  }

  @Test
  void observing_theSpanIsAChildOfTheCallers_andTheTrafficIsAsItWas() throws Exception {
    start("mode: observe\n" + traces(""));
    HttpResponse<String> answer = send("traceparent", PARENT, "tracestate", "rojo=1,congo=2");
    assertThat(answer.body()).isEqualTo(message(GROUNDED, "1"));
    assertThat(agentSaw("traceparent")).contains(PARENT);
    assertThat(agentSaw("tracestate")).contains("rojo=1,congo=2");

    JsonNode span = spans(1).getFirst();
    assertThat(span.path("traceId").asString("")).isEqualTo(TRACE);
    assertThat(span.path("parentSpanId").asString("")).isEqualTo(CALLER);
    assertThat(span.path("spanId").asString("")).isNotEqualTo(CALLER).hasSize(16);
    assertThat(span.path("traceState").asString("")).isEqualTo("rojo=1,congo=2");
    assertThat(span.path("flags").intValue()).isEqualTo(0x301);
    assertThat(span.path("name").asString("")).isEqualTo("SendMessage");
    assertThat(span.path("kind").intValue()).isEqualTo(2);
    long startNs = Long.parseLong(span.path("startTimeUnixNano").asString(""));
    long endNs = Long.parseLong(span.path("endTimeUnixNano").asString(""));
    assertThat(endNs).isGreaterThan(startNs);
    assertThat(value(span, "a2a.method.name")).isEqualTo("SendMessage");
    assertThat(value(span, "a2a.protocol.version")).isEqualTo("1.0");
    assertThat(value(span, "a2a.message.id")).isEqualTo("m-1");
    assertThat(value(span, "gen_ai.conversation.id")).isEqualTo("ctx-1");
    assertThat(value(span, "http.request.method")).isEqualTo("POST");
    assertThat(value(span, "http.response.status_code")).isEqualTo("200");
    assertThat(value(span, "url.path")).isEqualTo("/a2a");
    assertThat(value(span, "server.port")).isEqualTo(Integer.toString(agent.port()));
    assertThat(value(span, "parlance.protocol")).isEqualTo("a2a-1.0");
    assertThat(value(span, "parlance.mode")).isEqualTo("observe");
    assertThat(span.path("status").path("code").isMissingNode()).isTrue();

    List<JsonNode> scores = events(span, "gen_ai.evaluation.result");
    assertThat(scores.stream().map(score -> value(score, "gen_ai.evaluation.name")))
        .containsExactly("certainty", "grounding", "stochasticity", "drift");
    assertThat(Double.parseDouble(value(scores.get(1), "gen_ai.evaluation.score.value")))
        .isBetween(0.33, 1.0);
    assertThat(value(scores.get(0), "gen_ai.evaluation.score.label")).isEmpty();
    assertThat(value(scores.get(1), "gen_ai.evaluation.score.label")).isEqualTo("pass");
    assertThat(value(scores.get(1), "gen_ai.evaluation.explanation")).isEqualTo("passes from 0.35");
    for (JsonNode event : span.path("events")) {
      assertThat(Long.parseLong(event.path("timeUnixNano").asString(""))).isBetween(startNs, endNs);
    }
    assertThat(collector.posted().getFirst().body())
        .contains("\"service.name\"")
        .doesNotContain("impeller")
        .doesNotContain("k=v");
    assertThat(scrape()).contains("parlance_trace_spans_total{outcome=\"exported\"} 1.0");
    assertThat(admin("GET", "/config", "").body()).contains("\"traces\"").contains("\"batch\"");
  }

  @Test
  void enforcing_theAgentIsAskedByTheSpan_inTheCallersTrace() throws Exception {
    start(traces(""));
    assertThat(send("traceparent", PARENT, "tracestate", "rojo=1").statusCode()).isEqualTo(200);
    JsonNode span = spans(1).getFirst();
    assertThat(agentSaw("traceparent"))
        .contains("00-" + TRACE + "-" + span.path("spanId").asString("") + "-01");
    assertThat(agentSaw("tracestate")).contains("rojo=1");
    assertThat(span.path("parentSpanId").asString("")).isEqualTo(CALLER);
  }

  @Test
  void withoutCallersSpan_thereIsATraceOfItsOwn_ofWhichTheAgentHearsNothing() throws Exception {
    start(traces(""));
    assertThat(send().statusCode()).isEqualTo(200);
    JsonNode span = spans(1).getFirst();
    assertThat(span.path("traceId").asString("")).matches("[0-9a-f]{32}");
    assertThat(span.path("parentSpanId").isMissingNode()).isTrue();
    assertThat(span.path("flags").intValue()).isEqualTo(0x101);
    assertThat(agentSaw("traceparent")).isEmpty();
    assertThat(value(span, "parlance.flow")).isEqualTo("c-ctx-1");
  }

  @Test
  void callerThatDoesNotRecord_isNotRecordedHere_andAsksByItself() throws Exception {
    start(traces(""));
    String unsampled = "00-" + TRACE + "-" + CALLER + "-00";
    assertThat(send("traceparent", unsampled).statusCode()).isEqualTo(200);
    assertThat(agentSaw("traceparent")).contains(unsampled);
    assertThat(send("traceparent", PARENT).statusCode()).isEqualTo(200);
    assertThat(spans(1)).hasSize(1);
    assertThat(spans(1).getFirst().path("parentSpanId").asString("")).isEqualTo(CALLER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "what is this"
      })
  void malformedTraceparent_isNoParent_andGoesOnAsItCame(String malformed) throws Exception {
    start(traces(""));
    assertThat(send("traceparent", malformed).statusCode()).isEqualTo(200);
    JsonNode span = spans(1).getFirst();
    assertThat(span.path("traceId").asString("")).isNotEqualTo(TRACE);
    assertThat(span.path("parentSpanId").isMissingNode()).isTrue();
    assertThat(agentSaw("traceparent")).contains(malformed);
  }

  @Test
  void refusal_isNoError_andSaysWhy_withoutTheAgentsWords() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("repair: \"off\"\n" + traces(""));
    HttpResponse<String> refused = send("traceparent", PARENT);
    assertThat(refused.headers().map())
        .as(refused.body())
        .containsEntry("parlance-route", List.of("regenerate"));
    JsonNode span = spans(1).getFirst();
    assertThat(span.path("status").path("code").isMissingNode()).isTrue();
    assertThat(value(span, "error.type")).isEmpty();
    JsonNode decision = events(span, "parlance.decision").getLast();
    assertThat(value(decision, "parlance.route")).isEqualTo("regenerate");
    assertThat(value(decision, "parlance.reasons")).contains("g_low");
    assertThat(value(decision, "parlance.action")).isEqualTo("refuse");
    assertThat(
            value(events(span, "gen_ai.evaluation.result").get(1), "gen_ai.evaluation.score.label"))
        .isEqualTo("fail");
    assertThat(collector.posted().getFirst().body()).doesNotContain("friendly");
  }

  @Test
  void agentThatIsAway_isAnError() throws Exception {
    start(traces(""));
    agent.close();
    send("traceparent", PARENT);
    JsonNode span = spans(1).getFirst();
    assertThat(span.path("status").path("code").intValue()).isEqualTo(ERROR);
    assertThat(value(span, "error.type")).isEqualTo("connect_refused");
    assertThat(value(events(span, "parlance.rejection").getFirst(), "parlance.rejection.layer"))
        .isEqualTo("origin");
  }

  @Test
  void heldMessage_endsItsSpan_andWhoCollectsItIsLinked() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("profile: none-left\n" + traces(""));
    assertThat(send("traceparent", PARENT).headers().firstValue("Parlance-Route"))
        .contains("yield");
    JsonNode holding = spans(1).getFirst();
    assertThat(value(events(holding, "parlance.decision").getLast(), "parlance.action"))
        .isEqualTo("hold");
    String item = value(events(holding, "parlance.decision").getLast(), "parlance.review.id");
    assertThat(
            admin("POST", "/review/" + item + "/release", "{\"who\":\"ada\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
    assertThat(send("traceparent", PARENT.replace(CALLER, "1111111111111111")).body())
        .contains("friendly");
    JsonNode collecting = spans(2).getLast();
    assertThat(collecting.path("parentSpanId").asString("")).isEqualTo("1111111111111111");
    assertThat(collecting.path("links")).hasSize(1);
    assertThat(collecting.path("links").get(0).path("spanId").asString(""))
        .isEqualTo(holding.path("spanId").asString(""));
    assertThat(holding.path("links")).isEmpty();
  }

  @Test
  void askingAgain_isOneSpan_withEachDraft() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(asked.text().contains("[Chunk c1]") ? GROUNDED : INVENTED, idOf(asked)));
    start(traces(""));
    assertThat(send("traceparent", PARENT).headers().firstValue("Parlance-Route"))
        .contains("execute");
    JsonNode span = spans(1).getFirst();
    assertThat(agent.asked()).hasSize(2);
    assertThat(agentSaw("traceparent"))
        .contains("00-" + TRACE + "-" + span.path("spanId").asString("") + "-01");
    assertThat(
            events(span, "parlance.decision").stream()
                .map(event -> value(event, "parlance.attempt")))
        .contains("1", "2");
    assertThat(collector.spans()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "enforce"})
  void texts_areSentOnlyWhereTheyAreWanted(String mode) throws Exception {
    start("mode: " + mode + "\n" + traces(", texts: true"));
    send();
    JsonNode span = spans(1).getFirst();
    JsonNode asked = JSON.readTree(value(span, "gen_ai.input.messages"));
    JsonNode answered = JSON.readTree(value(span, "gen_ai.output.messages"));
    assertThat(asked.at("/0/parts/0/content").asString("")).isEqualTo(QUESTION);
    assertThat(answered.at("/0/parts/0/content").asString("")).isEqualTo(GROUNDED);
    assertThat(answered.at("/0/role").asString("")).isEqualTo("assistant");
  }

  @Test
  void toolCall_continuesTheTraceInItsBody_andNamesTheTool() throws Exception {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"2000"
                    + " hours\"}]}}");
    start(traces(""));
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"look_up\","
            + "\"arguments\":{\"query\":\"impeller\"},\"_meta\":{\"traceparent\":\""
            + PARENT
            + "\"}}}";
    assertThat(
            client
                .send(
                    HttpRequest.newBuilder(
                            URI.create(
                                "http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + "/mcp"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2025-06-18")
                        .POST(HttpRequest.BodyPublishers.ofString(call))
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(200);
    JsonNode span = spans(1).getFirst();
    assertThat(span.path("traceId").asString("")).isEqualTo(TRACE);
    assertThat(span.path("parentSpanId").asString("")).isEqualTo(CALLER);
    assertThat(span.path("name").asString("")).isEqualTo("tools/call look_up");
    assertThat(value(span, "mcp.method.name")).isEqualTo("tools/call");
    assertThat(value(span, "mcp.protocol.version")).isEqualTo("2025-06-18");
    assertThat(value(span, "gen_ai.tool.name")).isEqualTo("look_up");
    assertThat(agentSaw("traceparent")).isEmpty();
  }

  @Test
  void sidecarThatStops_hasSentEverySpan() throws Exception {
    start("\ntraces: { endpoint: '%s', intervalMs: 60000 }\n".formatted(collector.url()));
    for (int i = 0; i < 5; i++) {
      assertThat(send().statusCode()).isEqualTo(200);
    }
    sidecar.close();
    assertThat(collector.spans()).hasSize(5);
  }
}
