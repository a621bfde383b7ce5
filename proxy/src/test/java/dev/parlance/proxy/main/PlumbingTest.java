package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no agent says passes by its name in enforce, and is no way past the gate. */
class PlumbingTest extends SidecarFixture {
  private static final String ESSAY =
      "The walrus of the north hall was sold to the topaz, and nobody may tell the candle. "
          .repeat(60);

  private void answering(int status, String type, String body) {
    script = _ -> new ScriptedAgent.Reply(status, type, body.getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> send(String method, String target, String body, String... fields)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + target))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String target, String... fields) throws Exception {
    return send("GET", target, "", fields);
  }

  private void passes(HttpResponse<String> answer, String name) throws Exception {
    assertThat(answer.headers().firstValue("Parlance-Reason")).isEmpty();
    assertThat(agent.asked()).hasSize(1);
    assertThat(scrape()).contains("parlance_plumbing_total{name=\"" + name + "\"} 1.0");
  }

  private void isStopped(HttpResponse<String> answer, String what) {
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains("unjudged");
    assertThat(answer.body()).contains(what).doesNotContain("walrus");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "health|/healthz|text/plain|ok",
        "health|/readyz|application/json|{\"status\":\"UP\",\"components\":{\"db\":{\"a b\":1}}}",
        "health|/actuator/health/readiness|application/vnd.spring-boot.actuator.v3+json|{\"a\":1}",
        "metrics|/metrics|application/openmetrics-text;version=1.0.0|# EOF",
        "metrics|/metrics|text/plain; version=0.0.4|x_total{a=\"b c\",d=\"}\"} 1.5e+3 1700000000",
        "openapi|/openapi.json|application/json|{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"a"
            + " b\"}}",
        "sign_in|/.well-known/openid-configuration|application/json|{\"issuer\":\"https://a\"}",
        "sign_in|/tenant/.well-known/oauth-authorization-server/x|application/json|{\"issuer\":\"a\"}",
        "sign_in|/.well-known/jwks.json|application/jwk-set+json|{\"keys\":[]}",
        "sign_in|/authorize?response_type=code&state=1|text/html|<h1>Sign in</h1>",
        "models|/v1/models|application/json|{\"object\":\"list\",\"data\":[{\"id\":\"m\"}]}",
        "models|/v1/models/gpt-x|application/json|{\"id\":\"gpt-x\"}",
        "files|/v1/files/file-1|application/json|{\"id\":\"file-1\",\"filename\":\"a b.txt\"}",
        "reads|/|text/html|<p>A page</p>",
        "reads|/favicon.ico|image/x-icon|0101",
      })
  void getsPassByTheirName(String name, String target, String type, String body) throws Exception {
    answering(200, type, body);
    start("");
    HttpResponse<String> answer = get(target);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(body);
    passes(answer, name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "text", "mcp", "a2a", "openai"})
  void namesPassWhateverTheRoutesCodec(String codec) throws Exception {
    answering(200, "application/json", "{\"status\":\"UP\"}");
    start(codec, "");
    HttpResponse<String> answer = get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(200);
    passes(answer, "health");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/json", "application/x-www-form-urlencoded"})
  void aTypeWithoutABodyDoesNotMatter(String type) throws Exception {
    answering(200, "application/openmetrics-text", "x_total 1");
    start("");
    HttpResponse<String> answer = get("/metrics/", "Content-Type", type);
    assertThat(answer.body()).isEqualTo("x_total 1");
    passes(answer, "metrics");
  }

  @Test
  void signInDocumentsPassForClientsThatSayTheirRevisionOfMcp() throws Exception {
    answering(200, "application/json", "{\"resource\":\"https://a\"}");
    start("");
    HttpResponse<String> answer =
        get("/.well-known/oauth-protected-resource/mcp", "MCP-Protocol-Version", "2025-11-25");
    assertThat(answer.statusCode()).isEqualTo(200);
    passes(answer, "sign_in");
  }

  @Test
  void aDocumentAtAnyPathPassesForClientsThatSayTheirRevisionOfMcp() throws Exception {
    answering(200, "application/json", "{\"resource\":\"https://a\"}");
    start("");
    HttpResponse<String> answer =
        get(
            "/custom/metadata/location.json",
            "MCP-Protocol-Version",
            "2025-11-25",
            "Accept",
            "*/*");
    assertThat(answer.statusCode()).isEqualTo(200);
    passes(answer, "reads");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sign_in|/oauth/token|application/x-www-form-urlencoded|grant_type=refresh_token&a=b+c",
        "sign_in|/introspect|application/x-www-form-urlencoded|token=abc",
        "sign_in|/register|application/json|{\"redirect_uris\":[\"a\"],\"client_name\":\"a b\"}",
        "telemetry|/v1/traces|application/x-protobuf|0123",
        "telemetry|/otlp/v1/logs|application/json|{\"resourceLogs\":[]}",
      })
  void postsOfTheTablePassByTheirName(String name, String target, String type, String body)
      throws Exception {
    answering(200, "application/json", "{}");
    start("");
    HttpResponse<String> answer = send("POST", target, body, "Content-Type", type);
    assertThat(answer.statusCode()).isEqualTo(200);
    passes(answer, name);
    assertThat(agent.asked().getFirst().text()).isEqualTo(body);
  }

  @Test
  void aScrapeIsAskedForText() throws Exception {
    answering(200, "text/plain; version=0.0.4", "x_total 1");
    start("");
    HttpResponse<String> answer =
        get(
            "/metrics",
            "Accept",
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;q=0.6,"
                + "text/plain;version=0.0.4;q=0.3");
    passes(answer, "metrics");
    assertThat(agent.asked().getFirst().fields().get("Accept"))
        .containsExactly("text/plain;version=0.0.4;q=0.3");
  }

  @Test
  void preflightsAndHeadsPass() throws Exception {
    answering(204, "", "");
    start("");
    HttpResponse<String> answer =
        send("OPTIONS", "/mcp", "", "Origin", "http://a", "Access-Control-Request-Method", "POST");
    assertThat(answer.statusCode()).isEqualTo(204);
    passes(answer, "preflight");
    assertThat(send("HEAD", "/", "").statusCode()).isEqualTo(204);
    assertThat(agent.asked()).hasSize(2);
  }

  @Test
  void aBrowserMayReadTheRefusalOfAnAnswerThatItMightRead() throws Exception {
    String question =
        """
        {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
        "role":"ROLE_USER","parts":[{"text":"When?"}]}}}\
        """;
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("repair: off");
    HttpResponse<String> refused =
        send(
            "POST",
            "/",
            question,
            "Content-Type",
            "application/json",
            "Origin",
            "http://a.example");
    assertThat(refused.body()).doesNotContain(INVENTED);
    assertThat(refused.headers().firstValue("Parlance-Route")).isPresent();
    assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
    answering(200, "text/html", ESSAY.repeat(20));
    HttpResponse<String> large = get("/pages/1", "Origin", "http://a.example");
    isStopped(large, "plumbing_size");
    assertThat(large.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
  }

  @Test
  void errorsOfWhatHasANameKeepTheirStatus() throws Exception {
    answering(404, "text/html", "<p>There is no such page on this server</p>");
    start("");
    HttpResponse<String> answer = get("/.well-known/openid-configuration");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("no such page");
    passes(answer, "sign_in");
  }

  // ---- no way past the gate ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/healthz|text/plain|plumbing_words|%s",
        "/healthz|application/json|plumbing_words|{\"status\":\"%s\"}",
        "/healthz|application/json|plumbing_words|{\"%s\":1}",
        "/metrics|text/plain|plumbing_type|%s",
        "/metrics|text/plain|plumbing_words|# HELP x_total %s",
        "/metrics|text/plain|plumbing_words|# %s",
        "/metrics|text/plain|plumbing_type|x_total{a=\"%s\"} 1",
        "/metrics|text/html|plumbing_type|%s",
        "/openapi.json|application/json|plumbing_type|{\"info\":\"%s\"}",
        "/.well-known/jwks.json|application/json|plumbing_words|{\"keys\":[\"%s\"]}",
        "/.well-known/oauth-protected-resource|text/plain|plumbing_type|%s",
        "/v1/models|application/json|plumbing_words|{\"data\":[\"%s\"]}",
      })
  void anEssayBehindANameIsStopped(String target, String type, String what, String body)
      throws Exception {
    answering(200, type, body.formatted(ESSAY));
    start("");
    isStopped(get(target), what);
  }

  @Test
  void anEssayBehindAPreflightOrAnErrorIsStopped() throws Exception {
    answering(200, "text/plain", ESSAY);
    start("");
    isStopped(
        send("OPTIONS", "/", "", "Origin", "http://a", "Access-Control-Request-Method", "GET"),
        "plumbing_words");
    answering(503, "text/plain", ESSAY);
    HttpResponse<String> failing = get("/healthz");
    isStopped(failing, "plumbing_size");
    assertThat(failing.statusCode()).isEqualTo(503);
  }

  @Test
  void otherReadsAreBounded_andPastTheBoundTheRouteDecides() throws Exception {
    answering(200, "text/html", ESSAY.repeat(20));
    start("");
    isStopped(get("/pages/1"), "plumbing_size");
    sidecar.close();
    start("onUnjudged: warn");
    HttpResponse<String> warned = get("/pages/1");
    assertThat(warned.body()).contains("walrus");
    assertThat(warned.headers().firstValue("Parlance-Reason")).contains("unjudged");
  }

  @Test
  void wordsInATargetAreBounded() throws Exception {
    answering(200, "text/plain", "ok");
    start("");
    isStopped(get("/healthz?" + "a".repeat(600)), "plumbing_target");
    isStopped(get("/pages?" + "a".repeat(2100)), "plumbing_target");
    assertThat(agent.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/token|application/x-www-form-urlencoded|plumbing_words|grant_type=a&b=%s",
        "/token|application/x-www-form-urlencoded|plumbing_type|b=%s",
        "/register|application/json|plumbing_words|{\"redirect_uris\":[],\"a\":\"%s\"}",
        "/register|application/json|plumbing_type|{\"a\":\"%s\"}",
        "/healthz|application/json|shape|{\"a\":\"%s\"}",
        "/pages|text/html|content_type|%s",
      })
  void anEssayInARequestIsStopped(String target, String type, String what, String body)
      throws Exception {
    start("");
    isStopped(send("POST", target, body.formatted(ESSAY), "Content-Type", type), what);
    assertThat(agent.asked()).isEmpty();
  }

  @Test
  void aMessageIsJudgedAtAnyPath() throws Exception {
    script = asked -> ScriptedAgent.Reply.json(message(INVENTED, idOf(asked)));
    start("repair: off");
    HttpResponse<String> answer =
        post(
            "/v1/traces",
            """
            {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
            "role":"ROLE_USER","parts":[{"text":"When?"}]}}}\
            """);
    assertThat(answer.body()).doesNotContain(INVENTED);
  }

  @Test
  void aStreamOfEventsIsNoAnswerToARead() throws Exception {
    answering(200, "text/event-stream", "data: " + ESSAY + "\n\n");
    start("");
    isStopped(get("/pages"), "unread_request");
    isStopped(get("/healthz"), "unread_request");
  }

  @Test
  void theOldBindingOfMcpIsRefusedByItsName() throws Exception {
    start("");
    HttpResponse<String> answer = get("/sse", "Accept", "text/event-stream");
    isStopped(answer, "mcp_http_sse");
    assertThat(answer.body()).contains("HTTP+SSE binding of MCP").contains("streamable HTTP");
    assertThat(agent.asked()).isEmpty();
  }

  // ---- switches ----

  @Test
  void whatIsSwitchedOffIsUnjudged() throws Exception {
    answering(200, "application/json", "{\"name\":\"a\"}");
    start("\nplumbing: { health: unjudged, reads: unjudged, agentCard: unjudged }\n");
    isStopped(get("/healthz"), "plumbing_off");
    isStopped(get("/pages"), "plumbing_off");
    isStopped(get("/.well-known/agent-card.json"), "plumbing_off");
    assertThat(agent.asked()).isEmpty();
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"block\",what=\"plumbing_off\"} 3.0");
  }

  @Test
  void cardsAndListsAreCountedByTheirName() throws Exception {
    answering(200, "application/json", "{\"name\":\"a\"}");
    start("");
    passes(get("/.well-known/agent-card.json"), "agent_card");
    answering(200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}");
    HttpResponse<String> list =
        post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(scrape()).contains("parlance_plumbing_total{name=\"mcp_lists\"} 1.0");
  }

  @Test
  void anUnsignedCard_namesTheAddressThatItsCallerUsed_whereTheRouteSaysSo() throws Exception {
    String card = "{\"url\":\"http://10.0.0.1:8080/a2a\"}";
    answering(200, "application/json", card);
    start("agentCard: rewrite");
    HttpResponse<String> told = get("/.well-known/agent-card.json");
    String authority = told.request().uri().getAuthority();
    assertThat(told.body()).isEqualTo(card.replace("10.0.0.1:8080", authority));
    answering(200, "application/json", card.replace("}", ",\"signatures\":[{}]}"));
    assertThat(get("/.well-known/agent-card.json").body()).contains("10.0.0.1:8080");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mode: observe"})
  void aCardThatLeadsPastTheSidecar_isToldInLogTapAndMetrics_andPasses(String settings)
      throws Exception {
    String card = "{\"url\":\"http://10.0.0.1:8080/a2a\",\"signatures\":[{\"signature\":\"x\"}]}";
    answering(200, "application/json", card);
    start(settings);
    assertThat(get("/.well-known/agent-card.json").body()).isEqualTo(card);
    assertThat(scrape()).contains("parlance_cards_elsewhere_total 1.0");
    sidecar.close(); // writes the rest of its log
    assertThat(Files.readAllLines(folder.resolve("data/decisions.jsonl")))
        .filteredOn(line -> line.contains("\"notice\""))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains(
            "card_elsewhere",
            "http://10.0.0.1:8080/a2a",
            "127.0.0.1:" + sidecar.inboundPort().orElseThrow());
  }

  @Test
  void aCardThatLeadsBackThroughTheSidecar_isNoNews() throws Exception {
    start("");
    String own = "localhost:" + sidecar.inboundPort().orElseThrow();
    answering(
        200,
        "application/json",
        "{\"supportedInterfaces\":[{\"url\":\"http://%s/a2a\"},{\"url\":\"%s\"}]}"
            .formatted(own, own));
    assertThat(get("/.well-known/agent-card.json").statusCode()).isEqualTo(200);
    answering(200, "application/json", "{\"url\":\"https://agent.example/\"}");
    assertThat(
            get("/.well-known/agent-card.json", "X-Forwarded-Host", "agent.example").statusCode())
        .isEqualTo(200);
    assertThat(scrape()).doesNotContain("parlance_cards_elsewhere_total 1.0");
  }

  @Test
  void observingEverythingPassesAndNamesAreCounted() throws Exception {
    answering(200, "text/plain", ESSAY);
    start("mode: observe");
    HttpResponse<String> answer = get("/healthz");
    assertThat(answer.body()).contains("walrus");
    assertThat(scrape()).contains("parlance_plumbing_total{name=\"health\"} 1.0");
  }
}
