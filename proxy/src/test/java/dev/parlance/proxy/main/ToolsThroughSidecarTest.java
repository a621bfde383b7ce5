package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** MCP and OpenAI through a sidecar that asks for evidence. */
class ToolsThroughSidecarTest extends SidecarFixture {
  private static final String LIST =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"ask\",\"description\":\"Answers"
          + " whatever feels right\",\"inputSchema\":{\"type\":\"object\"}}]}}";
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{\"question\":\"When"
          + " must the impeller be replaced?\"}}}";
  private static final String CHAT =
      "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"system\",\"content\":\"[c1] "
          + FACT
          + ".\"},{\"role\":\"user\",\"content\":\"When must the impeller be replaced?\"}]}";

  private void answering(String contentType, String body) {
    script =
        asked -> new ScriptedAgent.Reply(200, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  private static String result(String text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""
        + text
        + "\"},{\"type\":\"resource\",\"resource\":{\"uri\":\"c1\",\"text\":\""
        + FACT
        + ".\"}}]}}";
  }

  private static String chunk(String delta, String reason) {
    return "data:"
               + " {\"id\":\"c9\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":"
        + delta
        + ",\"finish_reason\":"
        + reason
        + "}]}\n\n";
  }

  /** Everything that comes back until the connection is closed, trailers included. */
  private String streamed(String target, String body) throws IOException {
    int port = sidecar.inboundPort().orElseThrow();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      String head =
          "POST %s HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
              .formatted(target, content.length);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(content);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void listOfTools_passesWithoutEvidence_whole() throws Exception {
    answering("application/json", LIST);
    start("grounding: required");
    HttpResponse<String> listed =
        post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    assertThat(listed.statusCode()).isEqualTo(200);
    assertThat(listed.body()).isEqualTo(LIST);
  }

  @Test
  void listOfTools_passesWithoutEvidence_streamed() throws Exception {
    answering("text/event-stream", "event: message\ndata: " + LIST + "\n\n");
    start("grounding: required");
    String listed = streamed("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    assertThat(listed).contains("event: message\ndata: " + LIST + "\n\n");
  }

  @Test
  void groundedResultOfATool_passesWithItsVerdict() throws Exception {
    answering("application/json", result(GROUNDED));
    start("grounding: required");
    JsonNode result = JSON.readTree(post("/mcp", CALL).body());
    assertThat(result.at("/result/_meta/org.w3id.parlance~1asp/route").stringValue())
        .isEqualTo("execute");
  }

  @Test
  void inventedResultOfATool_comesBackAsAnErrorOfTheTool_wholeAndStreamed() throws Exception {
    answering("application/json", result(INVENTED));
    start("grounding: required");
    JsonNode whole = JSON.readTree(post("/mcp", CALL).body());
    assertThat(whole.at("/result/isError").booleanValue()).isTrue();
    assertThat(whole.toString()).doesNotContain("friendly specialists");
    answering("text/event-stream", "id: 1\ndata: \n\ndata: " + result(INVENTED) + "\n\n");
    String streamed = streamed("/mcp", CALL.replace("replaced", "renewed"));
    assertThat(streamed).contains("\"isError\":true").doesNotContain("friendly specialists");
  }

  @Test
  void streamedChat_groundedPasses_andItsLastChunkHasTheVerdict() throws Exception {
    answering(
        "text/event-stream",
        chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null")
            + chunk("{\"content\":\"" + FACT + "\"}", "null")
            + chunk("{\"content\":\" [Chunk c1].\"}", "null")
            + chunk("{}", "\"stop\"")
            + "data: [DONE]\n\n");
    start("grounding: required");
    assertThat(streamed("/v1/chat/completions", CHAT))
        .contains("\"asp\":{\"header\":\"[@C:", "data: [DONE]\n\n");
  }

  @Test
  void streamedChat_thatOnlyCallsATool_passesOnARouteThatAsksForEvidence() throws Exception {
    String wordless =
        chunk(
                "{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0,\"id\":\"t1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}",
                "null")
            + chunk("{}", "\"tool_calls\"")
            + "data: [DONE]\n\n";
    answering("text/event-stream", wordless);
    start("grounding: required");
    assertThat(streamed("/v1/chat/completions", CHAT)).contains("\"t1\"", "[DONE]");
    String worded = wordless.replace("{}\"}}]", "{\\\"q\\\":\\\"impeller hours\\\"}\"}}]");
    answering("text/event-stream", worded);
    assertThat(streamed("/v1/chat/completions", CHAT)).contains("impeller hours", "[DONE]");
  }

  @Test
  void streamedChat_inventedIsHeld_andTheCallerSeesAFilteredStream() throws Exception {
    answering(
        "text/event-stream",
        chunk("{\"content\":\"" + INVENTED + "\"}", "null")
            + chunk("{}", "\"stop\"")
            + "data: [DONE]\n\n");
    start("profile: none-left");
    assertThat(streamed("/v1/chat/completions", CHAT))
        .contains("text/event-stream", "\"finish_reason\":\"content_filter\"", "data: [DONE]\n\n")
        .doesNotContain("friendly specialists");
  }
}
