package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent was given through its sidecar is what it is measured against in the same trace. */
class ObservedEvidenceIntegrationTest extends StreamFixture {
  private static final String OUTBOUND = "outbound: { listen: '127.0.0.1:0', allowLoopback: true }";
  private static final String OBSERVING = "mode: observe\n    annotate: full";
  private static final String TRACE =
      "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n";

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
            reply.events();
            reply.event(message(FACT + ".").replace(EVIDENCE, "{}"));
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

  private void callTool(String fields) throws Exception {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"q\":\"impeller\"}}}";
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
