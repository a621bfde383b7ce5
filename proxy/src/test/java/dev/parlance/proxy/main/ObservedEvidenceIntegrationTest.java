package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent was given through its sidecar is what it is measured against in the same trace. */
class ObservedEvidenceIntegrationTest extends StreamFixture {
  private static final String OUTBOUND = "outbound: { listen: '127.0.0.1:0', allowLoopback: true }";
  private static final String OBSERVING = "mode: observe\n    annotate: full";
  private static final String TRACE =
      "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n";

  private static final String OTHER_TRACE = TRACE.replace("4bf9", "5bf9");

  /** What the agent answers. */
  private volatile String said = FACT + ".";

  /** With which fields the agent calls its tool while it answers, if it does. */
  private volatile Optional<String> toolFields = Optional.empty();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResultOfAnMcpServer_isEvidenceForTheAnswerInItsTrace(boolean streamed) throws Exception {
    scripted(streamed);
    start(OBSERVING, OUTBOUND);
    callTool(TRACE);
    assertThat(answer(TRACE)).contains("\"evidence\":\"observed\"");
  }

  @Test
  void anotherTraceAndNoTrace_haveNoneOfIt() throws Exception {
    scripted(false);
    start(OBSERVING, OUTBOUND);
    callTool(TRACE);
    assertThat(answer(TRACE.replace("4bf9", "5bf9"))).contains("\"evidence\":\"none\"");
    assertThat(answer("")).contains("\"evidence\":\"none\"");
  }

  @Test
  void aTraceInTheMetadataOfACall_joinsAsTheFieldDoes() throws Exception {
    scripted(false);
    start(OBSERVING, OUTBOUND);
    callTool(
        "",
        ",\"_meta\":{\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}");
    assertThat(answer(TRACE)).contains("\"evidence\":\"observed\"");
  }

  @Test
  void aLaterAnswerOfTheConversation_isHeldAgainstWhatAnEarlierOneHad_ifItUsesIt()
      throws Exception {
    scripted(false);
    start(OBSERVING, OUTBOUND);
    callTool(TRACE);
    assertThat(answer(TRACE)).contains("\"evidence\":\"observed\"");

    said = FACT + ".";
    assertThat(answer(OTHER_TRACE)).contains("\"evidence\":\"observed\"");
    said = INVENTED;
    assertThat(answer(OTHER_TRACE))
        .contains("\"evidence\":\"none\"")
        .contains("\"reasons\":[\"no_evidence\"]");
  }

  @Test
  void O24_resultsThatNothingJoins_areSaid_inTheVerdictAndInItsExplanation() throws Exception {
    scripted(false);
    toolFields = Optional.of("");
    start(OBSERVING, OUTBOUND);

    String seen = answer(TRACE);

    assertThat(seen)
        .contains(
            "\"evidence\":\"none\",\"notes\":[\"evidence_not_joined\"],\"propagate\":\"traceparent\"");
    int at = seen.indexOf("Parlance-Decision: ") + "Parlance-Decision: ".length();
    String id = seen.substring(at, seen.indexOf("\r\n", at));
    assertThat(admin("GET", "/decisions/" + id, "").body()).contains("evidence_not_joined");
    assertThat(admin("GET", "/explain/" + id, "").body())
        .contains("send the traceparent of the question on");

    toolFields = Optional.of(TRACE);
    assertThat(answer(TRACE)).doesNotContain("evidence_not_joined");
    assertThat(answer(OTHER_TRACE)).doesNotContain("evidence_not_joined");
  }

  @Test
  void aQuestionWithoutEvidence_goesOnWithANote() throws Exception {
    scripted(false);
    start("stream: hold\n    annotate: full", OUTBOUND);
    assertThat(answer(TRACE)).contains("200 OK");
    assertThat(agent.requests().getLast())
        .contains("\"route\":\"execute\"")
        .contains("\"notes\":[\"no_claim\"]");
    assertThat(
            JSON.readTree(admin("GET", "/decisions?limit=9", "").body())
                .path("decisions")
                .valueStream()
                .filter(line -> line.path("kind").asString("").equals("request"))
                .toList())
        .singleElement()
        .satisfies(line -> {
          assertThat(line.path("route").asString("")).isEqualTo("execute");
          assertThat(line.path("notes").toString()).isEqualTo("[\"no_claim\"]");
        });
  }

  @Test
  void whereItIsSwitchedOff_nothingIsKept() throws Exception {
    scripted(false);
    start(OBSERVING, OUTBOUND + "\nevidence: { observed: false }");
    callTool(TRACE);
    assertThat(answer(TRACE)).contains("\"evidence\":\"none\"");
  }

  private void scripted(boolean streamed) {
    String result =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""
            + FACT
            + "\"}]}}";
    script =
        reply -> {
          if (!reply.head.contains("/mcp")) {
            if (toolFields.isPresent()) {
              callTool(toolFields.get());
            }
            reply.events();
            reply.event(message(said).replace(EVIDENCE, "{}"));
            reply.end();
          } else if (streamed) {
            reply.events();
            reply.event(result);
            reply.end();
          } else {
            reply.whole("application/json", result);
          }
        };
  }

  private void callTool(String fields) throws IOException {
    callTool(fields, "");
  }

  private void callTool(String fields, String meta) throws IOException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"q\":\"impeller\"}"
            + meta
            + "}}";
    String authority = "127.0.0.1:" + agent.port();
    try (Caller tool = new Caller(sidecar.outboundPort().orElseThrow())) {
      tool.reading();
      tool.send(
          "POST http://"
              + authority
              + "/mcp HTTP/1.1\r\nHost: "
              + authority
              + "\r\n"
              + "Content-Type: application/json\r\n"
              + "Accept: application/json, text/event-stream\r\n"
              + "MCP-Protocol-Version: 2025-11-25\r\n"
              + fields
              + "Content-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
      assertThat(tool.until("radial play")).contains("200 OK");
    }
  }

  private String answer(String fields) throws Exception {
    Caller caller = connect().reading();
    caller.send(request(QUESTION, fields));
    return caller.whole();
  }
}
