package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The official OpenAI client and a server of ours, with two sidecars between them. */
@Tag("client")
@ExtendWith(LeakCheck.class)
class OpenAiClientIT {
  private static final Set<String> WITHHELD =
      Set.of("friendly", "specialists", "recommend", "concerned");

  /** What the client throws when it was not told anything that it understands. */
  private static final Set<String> UNTYPED =
      Set.of("APIConnectionError", "APIConnectionTimeoutError", "TypeError", "SyntaxError");

  @TempDir Path folder = Path.of("");

  @TestFactory
  Stream<DynamicTest> everyResult_throughTwoObservingSidecars_isTheDirectOne()
      throws IOException, InterruptedException {
    return transparent(Transcripts.OBSERVING);
  }

  @TestFactory
  Stream<DynamicTest> everyResult_throughTwoEnforcingSidecarsThatExecute_isTheDirectOne()
      throws IOException, InterruptedException {
    return transparent(Transcripts.ENFORCING);
  }

  /** In observe they come as they are; enforced, none does. */
  @Test
  void answersThatNothingCarries_areCountedOnThePage() throws IOException, InterruptedException {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs")) {
      int port = server.next().path("port").asInt(0);
      Map<String, JsonNode> direct = client(js, "http://127.0.0.1:" + port, 0, "refused");
      for (String routes : List.of(Transcripts.OBSERVING, Transcripts.ENFORCING)) {
        Transcripts.counted(
            "OpenAI client, answers that nothing carries",
            routes,
            direct,
            throughSidecars(js, port, "refused", routes));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> held_theClientSeesAFilterOrAnError_andNothingOfTheText()
      throws IOException, InterruptedException {
    return refused("routes:\n  - name: all\n    stream: hold\n");
  }

  @TestFactory
  Stream<DynamicTest> windowed_theClientSeesAFilterOrAnError_andNothingOfTheText()
      throws IOException, InterruptedException {
    return refused("routes:\n  - name: all\n    stream: window\n");
  }

  @TestFactory
  Stream<DynamicTest> everyResult_ofAClientWhoseBaseUrlIsTheSidecar_isTheUpstreamsOverTls()
      throws Exception {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs");
        TlsFront front = new TlsFront(folder, server.next().path("port").asInt(0))) {
      Map<String, JsonNode> direct = client(js, "http://127.0.0.1:" + front.behind(), 0, "plain");
      String upstream = "https://localhost:" + front.port();
      Map<String, JsonNode> through;
      try (LocalSidecar sidecar =
          LocalSidecar.start(
              folder,
              "model",
              "mode: observe\n",
              LocalSidecar.outbound(),
              """
              routes:
                - name: model
                  match: { direction: outbound, pathPrefix: /v1 }
                  upstream: %s
                  upstreamCa: ca.pem
              """
                  .formatted(upstream))) {
        String base = "http://127.0.0.1:" + sidecar.outboundPort();
        through = client(js, base, 0, "plain");
        assertThat(sidecar.admin().get("/metrics").body())
            .contains("parlance_verdicts_total{mode=\"observe\",reason=\"ok\",route=\"execute\"}");
        try (RawHttp other = new RawHttp(sidecar.outboundPort())) {
          other.send("GET /other HTTP/1.1\r\nHost: " + base.substring(7) + "\r\n\r\n");
          assertThat(other.reply().text()).contains("destination_denied", "upstream");
        }
      }
      assertThat(direct).hasSizeGreaterThan(12);
      return Transcripts.same(
          "OpenAI client, base URL over TLS", Transcripts.OBSERVING, direct, through);
    }
  }

  private Stream<DynamicTest> transparent(String routes) throws IOException, InterruptedException {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs")) {
      int port = server.next().path("port").asInt(0);
      Map<String, JsonNode> direct = client(js, "http://127.0.0.1:" + port, 0, "plain");
      assertThat(direct).hasSizeGreaterThan(30);
      assertThat(direct.entrySet().stream().filter(one -> one.getValue().path("error").isString()))
          .extracting(Map.Entry::getKey)
          .containsExactlyInAnyOrder(
              "error of the server",
              "error of the server, streamed",
              "wrong key",
              "error in a stream");
      assertThat(direct.get("chat, the model refuses").toString()).contains("I cannot help");
      return Transcripts.same(
          "OpenAI client", routes, direct, throughSidecars(js, port, "plain", routes));
    }
  }

  private Stream<DynamicTest> refused(String routes) throws IOException, InterruptedException {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs")) {
      int port = server.next().path("port").asInt(0);
      Map<String, JsonNode> results = throughSidecars(js, port, "refused", routes);
      assertThat(results).hasSize(6);
      return results.entrySet().stream()
          .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> isRefusal(one.getValue())));
    }
  }

  private static void isRefusal(JsonNode result) {
    String shown = result.toString();
    WITHHELD.forEach(word -> assertThat(shown).doesNotContain(word));
    if (result.has("error") && result.has("status") && result.path("message").isString()) {
      assertThat(UNTYPED).doesNotContain(result.path("error").asString(""));
    } else {
      assertThat(shown).contains("content_filter");
    }
  }

  private Map<String, JsonNode> throughSidecars(JsSide js, int port, String list, String routes)
      throws IOException, InterruptedException {
    try (LocalSidecar besideServer =
            LocalSidecar.start(folder, "server", LocalSidecar.inboundTo(port), routes);
        LocalSidecar besideClient =
            LocalSidecar.start(folder, "client", LocalSidecar.outbound(), routes)) {
      return client(
          js, "http://127.0.0.1:" + besideServer.inbound(), besideClient.outboundPort(), list);
    }
  }

  private static Map<String, JsonNode> client(JsSide js, String base, int proxy, String list)
      throws IOException, InterruptedException {
    ObjectNode settings = A2a.JSON.createObjectNode();
    settings.put("base", base);
    settings.put("proxy", proxy);
    settings.put("list", list);
    settings.put("trace", "");
    List<JsonNode> lines = js.run("openai-client.mjs", settings.toString());
    Map<String, JsonNode> results = new LinkedHashMap<>();
    lines.forEach(line -> results.put(line.path("scenario").asString(""), line.path("result")));
    return results;
  }
}
